/** Takes a cluster out of a scheduling result, leaving a task that watches over the copies left behind. */
import type { BindingSpec, GracefulEvictionTask } from '../../kube/kinds/binding'
import { type EpochMs, formatTime } from '../../std/clock'
import { presentPurgeMode, type PurgeMode } from '../../kube/purge-mode'

/** What is known about an eviction besides the cluster; `replicas` is filled in from the scheduling result. */
export type EvictionCause = Omit<GracefulEvictionTask, 'fromCluster' | 'replicas'>

/** The two fields of the spec that an eviction changes, in one write. */
export type EvictedSpec = Required<Pick<BindingSpec, 'clusters' | 'gracefulEvictionTasks'>>

/** The cause that the taint manager writes. Without `begunAt`, as upstream, the eviction loop gives the task its time. */
export function taintCause(spec: BindingSpec, fallback: PurgeMode, begunAt?: EpochMs): EvictionCause {
  const cluster = spec.failover?.cluster
  return {
    producer: 'TaintManager',
    reason: 'TaintUntolerated',
    purgeMode: cluster ? (presentPurgeMode(cluster.purgeMode) ?? 'Gracefully') : fallback,
    ...(begunAt !== undefined && { creationTimestamp: formatTime(begunAt) }),
  }
}

/**
 * The spec after `cluster` was evicted; undefined when the binding is not scheduled there. A task that already
 * exists for the cluster is not repeated, and `replicas` is written only when there are some.
 */
export function evictCluster(spec: BindingSpec, cluster: string, cause: EvictionCause): EvictedSpec | undefined {
  const target = spec.clusters?.find(({ name }) => name === cluster)
  if (!target) return undefined
  const tasks = spec.gracefulEvictionTasks ?? []
  const replicas = target.replicas ?? 0
  return {
    clusters: spec.clusters!.filter(({ name }) => name !== cluster),
    gracefulEvictionTasks: tasks.some((task) => task.fromCluster === cluster)
      ? tasks
      : [...tasks, { fromCluster: cluster, ...cause, ...(replicas > 0 && { replicas }) }],
  }
}
