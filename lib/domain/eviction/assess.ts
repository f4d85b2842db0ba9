/** Decides which graceful eviction tasks are finished. */
import type { AggregatedStatusItem, GracefulEvictionTask, TargetCluster } from '../../kube/kinds/binding'
import { formatTime, parseTime, type EpochMs } from '../../std/clock'

/** Input of the assessment of one binding. */
export interface EvictionSnapshot {
  now: EpochMs
  /** Default grace period, in milliseconds, for tasks without one. */
  timeoutMs: number
  /** `metadata.generation` of the binding. */
  generation: number
  /** `status.schedulerObservedGeneration`; equal to `generation` once the scheduler has processed the current spec. */
  schedulerObservedGeneration: number
  clusters: readonly TargetCluster[]
  tasks: readonly GracefulEvictionTask[]
  aggregatedStatus: readonly AggregatedStatusItem[]
  /**
   * Whether a binding without scheduled clusters counts as replaced. Upstream says true, which deletes the last
   * replicas as soon as no cluster fits. False keeps them until the end of the grace period.
   */
  emptyCountsAsHealthy: boolean
  /**
   * Restart the grace period if it ends while the workload is scheduled nowhere, so that the last replicas stay, or if
   * its start is in the future because of a wrong clock. Upstream does neither. Default false.
   */
  extendGrace?: boolean
  /**
   * A cluster is healthy only if as many replicas are available as desired, for kinds whose status counts them: health
   * that was reported before an increase does not cover the new replicas. Upstream drops the old replicas at once then.
   * Default false.
   */
  countReplicas?: boolean
  /**
   * Finish an eviction task whose cluster is scheduled again, because the task would delete or miscount desired
   * replicas. Default false.
   */
  dropReturned?: boolean
  /** Existing clusters; a task for another one is finished. Default: all clusters count as existing, as upstream. */
  knownClusters?: ReadonlySet<string>
}

/**
 * Why a task is finished: released by an operator, timed out, replacement healthy, cluster deleted, or scheduled there
 * again.
 */
export type DropReason = 'released' | 'timedOut' | 'replaced' | 'clusterGone' | 'returned'

/** Tasks to write, and when to check again. */
export interface EvictionPlan {
  tasks: GracefulEvictionTask[]
  dropped: { cluster: string; reason: DropReason }[]
  /** Clusters whose grace period restarts because the workload is scheduled nowhere. */
  extended: string[]
  /** False: the tasks are unchanged, and no write is needed. */
  changed: boolean
  /** The earliest end of a running grace period, never before `now`. The task is finished strictly after it. */
  graceEndsAt?: EpochMs
}

/**
 * Assesses the tasks in order. A task without creation time gets one and is not assessed further in this reconcile.
 * `suppressDeletion` true keeps a task, and false drops it. Then time and the health of the replacement decide.
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

/** Maximum skew between clocks of different machines. */
const SKEW_MS = 60_000
/** Minimum of a restarted grace period; a period of zero would restart continuously. */
const MIN_EXTENSION_MS = 60_000

/** Returns why the grace period starts now: for the first time, because its start is in the future, or again. */
function beginning(task: GracefulEvictionTask, snapshot: EvictionSnapshot): 'first' | 'future' | 'again' | undefined {
  if (!task.creationTimestamp) return 'first'
  if (!snapshot.extendGrace) return undefined
  if (parseTime(task.creationTimestamp) > snapshot.now + SKEW_MS) return 'future'
  if (task.suppressDeletion !== undefined || !isLastCopy(task, snapshot)) return undefined
  return snapshot.now > graceEnds(task, snapshot)! ? 'again' : undefined
}

/** Reports whether the workload is scheduled nowhere while its replicas still run in the old cluster. */
function isLastCopy(
  task: GracefulEvictionTask,
  { clusters, extendGrace, emptyCountsAsHealthy }: EvictionSnapshot,
): boolean {
  return extendGrace === true && !emptyCountsAsHealthy && clusters.length === 0 && task.purgeMode !== 'Directly'
}

/** Returns the end of a task's grace period; undefined without a creation time. */
export function graceEnds(task: GracefulEvictionTask, snapshot: EvictionSnapshot): EpochMs | undefined {
  if (!task.creationTimestamp) return undefined
  const graceMs = task.gracePeriodSeconds === undefined ? snapshot.timeoutMs : task.gracePeriodSeconds * 1000
  return (
    parseTime(task.creationTimestamp) + (isLastCopy(task, snapshot) ? Math.max(graceMs, MIN_EXTENSION_MS) : graceMs)
  )
}

/** Reports whether every scheduled cluster reports healthy replicas for the latest result of the scheduler. */
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

/** Evictions only, because a cluster with protected replicas of a rebalance may still be scheduled. */
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
