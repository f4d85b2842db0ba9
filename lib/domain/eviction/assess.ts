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
  /**
   * Begin the grace anew when it is over and the workload is still scheduled nowhere, so that the last copies stay; and when
   * it began in the future, by a clock that went wrong. Upstream does neither. Default false.
   */
  extendGrace?: boolean
  /**
   * A cluster is healthy only when as many replicas are available as it is to have, where its status counts them: health that
   * was reported before it was given more says nothing about those. Upstream drops the old copies at once then. Default false.
   */
  countReplicas?: boolean
  /** An eviction whose cluster is scheduled again is over; its task would delete or miscount what is wanted. Default false. */
  dropReturned?: boolean
  /** The clusters that there are; a task for another one has nothing to watch over. Default: all are taken to be there, as upstream. */
  knownClusters?: ReadonlySet<string>
}

/** Why a task is over: released by hand, out of time, replacement healthy, cluster unknown, or scheduled there again. */
export type DropReason = 'released' | 'timedOut' | 'replaced' | 'clusterGone' | 'returned'

/** What is to be written and when to look again. */
export interface EvictionPlan {
  tasks: GracefulEvictionTask[]
  dropped: { cluster: string; reason: DropReason }[]
  /** The clusters whose grace began anew, as the workload is scheduled nowhere else. */
  extended: string[]
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
  const plan: EvictionPlan = { tasks: [], dropped: [], extended: [], changed: false }
  for (const task of snapshot.tasks) {
    const reason = dropReason(task, snapshot, healthy)
    const begins = beginning(task, snapshot)
    if (reason) plan.dropped.push({ cluster: task.fromCluster, reason })
    else plan.tasks.push(begins ? { ...task, creationTimestamp: formatTime(snapshot.now) } : task)
    if (!reason && begins === 'again') plan.extended.push(task.fromCluster)
    plan.changed ||= reason !== undefined || begins !== undefined
  }
  const graceEndsAt = earliestEnd(plan.tasks, snapshot)
  return graceEndsAt === undefined ? plan : { ...plan, graceEndsAt }
}

/** Clocks of different machines may be so far apart. */
const SKEW_MS = 60_000
/** A grace that began anew lasts at least so long, or one of no time would begin anew all the time. */
const LEAST_EXTENSION_MS = 60_000

/** Whether the grace begins now: for the first time, because it began in the future, or again. */
function beginning(task: GracefulEvictionTask, snapshot: EvictionSnapshot): 'first' | 'future' | 'again' | undefined {
  if (!task.creationTimestamp) return 'first'
  if (!snapshot.extendGrace) return undefined
  if (parseTime(task.creationTimestamp) > snapshot.now + SKEW_MS) return 'future'
  if (task.suppressDeletion !== undefined || !isLastCopy(task, snapshot)) return undefined
  return snapshot.now > graceEnds(task, snapshot)! ? 'again' : undefined
}

/** The workload is scheduled nowhere, and its copies still run where it was. */
function isLastCopy(
  task: GracefulEvictionTask,
  { clusters, extendGrace, emptyCountsAsHealthy }: EvictionSnapshot,
): boolean {
  return extendGrace === true && !emptyCountsAsHealthy && clusters.length === 0 && task.purgeMode !== 'Directly'
}

/** When the grace of a task is over; undefined while it has no creation time. */
export function graceEnds(task: GracefulEvictionTask, snapshot: EvictionSnapshot): EpochMs | undefined {
  if (!task.creationTimestamp) return undefined
  const graceMs = task.gracePeriodSeconds === undefined ? snapshot.timeoutMs : task.gracePeriodSeconds * 1000
  return (
    parseTime(task.creationTimestamp) + (isLastCopy(task, snapshot) ? Math.max(graceMs, LEAST_EXTENSION_MS) : graceMs)
  )
}

/** Whether every cluster of the present result reports healthy copies of what the scheduler saw last. */
export function isReplacementHealthy(snapshot: EvictionSnapshot): boolean {
  if (snapshot.schedulerObservedGeneration !== snapshot.generation) return false
  if (snapshot.clusters.length === 0) return snapshot.emptyCountsAsHealthy
  return snapshot.clusters.every((target) => {
    const item = snapshot.aggregatedStatus.find(({ clusterName }) => clusterName === target.name)
    return item?.health === 'Healthy' && !(snapshot.countReplicas && lacksReplicas(item, target))
  })
}

function lacksReplicas({ status }: AggregatedStatusItem, { replicas: wanted = 0 }: TargetCluster): boolean {
  const { replicas, availableReplicas, readyReplicas } = (status ?? {}) as Readonly<Record<string, unknown>>
  return typeof replicas === 'number' && Number(availableReplicas ?? readyReplicas ?? 0) < wanted
}

function dropReason(task: GracefulEvictionTask, snapshot: EvictionSnapshot, healthy: boolean): DropReason | undefined {
  if (snapshot.knownClusters?.has(task.fromCluster) === false) return 'clusterGone'
  if (hasReturned(task, snapshot)) return 'returned'
  const ends = graceEnds(task, snapshot)
  if (ends === undefined || task.suppressDeletion === true) return undefined
  if (task.suppressDeletion === false) return 'released'
  if (snapshot.now > ends && !isLastCopy(task, snapshot)) return 'timedOut'
  return healthy ? 'replaced' : undefined
}

/** Only for evictions: a protected copy of a rebalance may be scheduled still. */
function hasReturned({ fromCluster, reason }: GracefulEvictionTask, snapshot: EvictionSnapshot): boolean {
  if (!snapshot.dropReturned || !EVICTIONS.has(reason)) return false
  return snapshot.clusters.some(({ name }) => name === fromCluster)
}

const EVICTIONS: ReadonlySet<string> = new Set(['TaintUntolerated', 'ApplicationFailure'])

function earliestEnd(tasks: readonly GracefulEvictionTask[], snapshot: EvictionSnapshot): EpochMs | undefined {
  const ends = tasks
    .filter((task) => task.suppressDeletion === undefined)
    .map((task) => graceEnds(task, snapshot))
    .filter((end) => end !== undefined)
  return ends.length > 0 ? Math.min(...ends) : undefined
}
