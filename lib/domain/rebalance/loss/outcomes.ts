/** Stores simulated losses, and determines which remain valid when the fleet changes. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { deepEqual } from '@/lib/std/equal'
import { HISTORY_ANNOTATION } from '../../failover/annotations'
import type { Binding } from '../../placement'
import type { Loss } from './loss'

export interface Outcome {
  loss: Loss
  /** By cluster index, whether a decision depends on its report; undefined: possibly on all, and on the time. */
  reads: Uint8Array | undefined
}

export interface Fleet {
  /** In the order of eviction. */
  workloads: readonly Binding[]
  /** Sorted by name. */
  clusters: readonly Cluster[]
}

/** Returns a key that identifies the object regardless of its version. */
export const keyOfWorkload = ({ kind, metadata: { namespace, name } }: Binding): string =>
  `${kind}/${namespace}/${name}`

/** Returns the same key for the same clusters in any order. */
export const keyOfSet = (clusters: readonly string[]): string => clusters.toSorted().join(',')

/**
 * Returns the outcomes that no change affects. An outcome is affected if a changed workload has or had replicas in a
 * lost cluster, or if a cluster that a decision depends on changed. Both fleets have the same clusters.
 */
export function carriedOver(outcomes: ReadonlyMap<string, Outcome>, before: Fleet, after: Fleet): Map<string, Outcome> {
  const position = new Map(after.workloads.map((workload, at) => [workload, at]))
  const remaining = new Set(before.workloads)
  const changed = [
    ...before.workloads.filter((workload) => !position.has(workload)),
    ...after.workloads.filter((workload) => !remaining.has(workload)),
  ]
  const touched = new Set(changed.flatMap(({ spec }) => (spec.clusters ?? []).map(({ name }) => name)))
  const reports = [...after.clusters.keys()].filter((at) => after.clusters[at] !== before.clusters[at])
  const isMoved = before.workloads.some((workload, at) => workload !== after.workloads[at])
  const moved = before.workloads.map((workload) => position.get(workload) ?? -1)
  return new Map(
    [...outcomes].flatMap(([key, { loss, reads }]) => {
      const isConcerned = loss.clusters.some((name) => touched.has(name)) || reports.some((at) => reads?.[at] === 1)
      if (!reads || isConcerned) return []
      const workloads = isMoved ? loss.workloads.map((at) => moved[at]!) : loss.workloads
      return [[key, { loss: { ...loss, workloads }, reads }] as const]
    }),
  )
}

/** Replaces objects by the cached ones that are equal for the scheduler. */
export function keepEqual({ workloads, clusters }: Fleet, next: Fleet): Fleet {
  const byKey = new Map(workloads.map((workload) => [keyOfWorkload(workload), workload]))
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]))
  return {
    workloads: next.workloads.map((one) => equalOr(byKey.get(keyOfWorkload(one)), one, readOfBinding)),
    clusters: next.clusters.map((one) => equalOr(byName.get(one.metadata.name), one, readOfCluster)),
  }
}

/** Reports whether the clusters differ only in their reported free capacity. */
export function areSameButForReports(before: readonly Cluster[], after: readonly Cluster[]): boolean {
  const isSame = (one: Cluster, other: Cluster | undefined): boolean =>
    one === other || (other !== undefined && deepEqual(readByRules(one), readByRules(other)))
  return before.length === after.length && before.every((one, at) => isSame(one, after[at]))
}

function equalOr<T>(known: T | undefined, next: T, read: (one: T) => unknown): T {
  return known !== undefined && (known === next || deepEqual(read(known), read(next))) ? known : next
}

/**
 * Returns the fields of a binding that eviction and scheduling read. The health of replicas matters only if the
 * workload was evicted before.
 */
function readOfBinding({ metadata, spec, status = {} }: Binding): unknown {
  const { annotations, labels, generation, deletionTimestamp } = metadata
  const { lastScheduledTime, schedulerObservedGeneration, schedulerObservingAffinityName, aggregatedStatus } = status
  const hasHistory = annotations?.[HISTORY_ANNOTATION] !== undefined || spec.activeEvictionHistory !== undefined
  const hasLeft = spec.gracefulEvictionTasks !== undefined || hasHistory
  const health = hasLeft ? aggregatedStatus?.map((one) => [one.clusterName, one.health]) : undefined
  const seen = [lastScheduledTime, schedulerObservedGeneration, schedulerObservingAffinityName]
  return [annotations, labels, generation, deletionTimestamp !== undefined, spec, seen, health]
}

const readOfCluster = (cluster: Cluster): unknown => [readByRules(cluster), cluster.status?.resourceSummary]

function readByRules({ metadata: { name, labels, deletionTimestamp }, spec, status }: Cluster): unknown {
  return [name, labels, deletionTimestamp !== undefined, spec, status?.apiEnablements]
}
