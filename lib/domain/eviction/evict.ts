/** Removes a cluster from a scheduling result and adds an eviction task for the old replicas. */
import type { BindingSpec, GracefulEvictionTask } from '../../kube/kinds/binding'
import { type EpochMs, formatTime } from '../../std/clock'
import { presentPurgeMode, type PurgeMode } from '../../kube/purge-mode'

/** Fields of an eviction task besides the cluster; `replicas` comes from the scheduling result. */
export type EvictionCause = Omit<GracefulEvictionTask, 'fromCluster' | 'replicas'>

/** The two fields of the spec that an eviction changes, in one write. */
export type EvictedSpec = Required<Pick<BindingSpec, 'clusters' | 'gracefulEvictionTasks'>>

/**
 * Returns the cause that the taint manager writes. Without `begunAt`, as upstream, the graceful eviction controller
 * sets the creation time.
 */
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
 * Returns the spec after evicting from `cluster`; undefined if the binding is not scheduled there. An existing task for
 * the cluster is kept, and `replicas` is written only if positive.
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
