/** Which graceful eviction tasks are over. */
import type { AggregatedStatusItem, GracefulEvictionTask, TargetCluster } from '../../kube/kinds/binding'
import { formatTime, parseTime, type EpochMs } from '../../std/clock'

/** Everything that the assessment of one binding depends on. */
export interface EvictionSnapshot {
  now: EpochMs
  /** Grace of a task that names none, in milliseconds. */
  timeoutMs: number
  /** `metadata.generation` of the binding. */
  generation: number
  /** `status.schedulerObservedGeneration`; equal to `generation` once the scheduler has seen the present spec. */
  schedulerObservedGeneration: number
  clusters: readonly TargetCluster[]
  tasks: readonly GracefulEvictionTask[]
  aggregatedStatus: readonly AggregatedStatusItem[]
  /**
   * Whether a binding that is scheduled nowhere counts as replaced. Upstream says true, which drops the last copies
   * as soon as no cluster fits; false keeps them until the grace is over.
   */
  emptyCountsAsHealthy: boolean
}

/** Why a task is over: released by hand, out of time, or its replacement is healthy. */
export type DropReason = 'released' | 'timedOut' | 'replaced'

/** What is to be written and when to look again. */
export interface EvictionPlan {
  tasks: GracefulEvictionTask[]
  dropped: { cluster: string; reason: DropReason }[]
  /** False: the tasks are as they were, nothing is to be written. */
  changed: boolean
  /** The earliest end of a grace that is still counting; never before `now`, and the task is over strictly after it. */
  graceEndsAt?: EpochMs
}

/**
 * Judges each task in order. A task without creation time gets one and is judged no further in this pass;
 * `suppressDeletion` true keeps it and false drops it; then time, then the health of the replacement decide.
 */
export function assessEvictionTasks(snapshot: EvictionSnapshot): EvictionPlan {
  const healthy = isReplacementHealthy(snapshot)
  const plan: EvictionPlan = { tasks: [], dropped: [], changed: false }
  for (const task of snapshot.tasks) {
    const reason = dropReason(task, snapshot, healthy)
    if (reason) plan.dropped.push({ cluster: task.fromCluster, reason })
    else plan.tasks.push(task.creationTimestamp ? task : { ...task, creationTimestamp: formatTime(snapshot.now) })
    plan.changed ||= reason !== undefined || !task.creationTimestamp
  }
  const graceEndsAt = earliestEnd(plan.tasks, snapshot.timeoutMs)
  return graceEndsAt === undefined ? plan : { ...plan, graceEndsAt }
}

/** When the grace of a task is over; undefined while it has no creation time. */
function graceEnds(task: GracefulEvictionTask, timeoutMs: number): EpochMs | undefined {
  if (!task.creationTimestamp) return undefined
  return parseTime(task.creationTimestamp) + (task.gracePeriodSeconds === undefined ? timeoutMs : task.gracePeriodSeconds * 1000)
}

/** Whether every cluster of the present result reports healthy copies of what the scheduler saw last. */
function isReplacementHealthy(snapshot: EvictionSnapshot): boolean {
  if (snapshot.schedulerObservedGeneration !== snapshot.generation) return false
  if (snapshot.clusters.length === 0) return snapshot.emptyCountsAsHealthy
  return snapshot.clusters.every(({ name }) =>
    snapshot.aggregatedStatus.find((item) => item.clusterName === name)?.health === 'Healthy')
}

function dropReason(task: GracefulEvictionTask, snapshot: EvictionSnapshot, healthy: boolean): DropReason | undefined {
  const ends = graceEnds(task, snapshot.timeoutMs)
  if (ends === undefined || task.suppressDeletion === true) return undefined
  if (task.suppressDeletion === false) return 'released'
  if (snapshot.now > ends) return 'timedOut'
  return healthy ? 'replaced' : undefined
}

function earliestEnd(tasks: readonly GracefulEvictionTask[], timeoutMs: number): EpochMs | undefined {
  const ends = tasks
    .filter((task) => task.suppressDeletion === undefined)
    .map((task) => graceEnds(task, timeoutMs))
    .filter((end) => end !== undefined)
  return ends.length > 0 ? Math.min(...ends) : undefined
}
