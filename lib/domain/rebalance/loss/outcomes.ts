/** Stores simulated losses, and determines which remain valid when the fleet changes. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { deepEqual } from '@/lib/std/equal'
import { compareEvictions } from '../../eviction'
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
  const { touched, moved } = workloadChanges(before.workloads, after.workloads)
  const reports = [...after.clusters.keys()].filter((at) => after.clusters[at] !== before.clusters[at])
  const carried = new Map<string, Outcome>()
  for (const [key, { loss, reads }] of outcomes) {
    const isConcerned = loss.clusters.some((name) => touched.has(name)) || reports.some((at) => reads?.[at] === 1)
    if (!reads || isConcerned) continue
    const workloads = moved ? loss.workloads.map((at) => moved[at]!) : loss.workloads
    carried.set(key, { loss: { ...loss, workloads }, reads })
  }
  return carried
}

interface WorkloadChanges {
  /** Clusters of changed workloads. */
  touched: ReadonlySet<string>
  /** By old index: the new index. Undefined if no workload has another one. */
  moved: readonly number[] | undefined
}

const UNCHANGED: WorkloadChanges = { touched: new Set(), moved: undefined }

function workloadChanges(before: readonly Binding[], after: readonly Binding[]): WorkloadChanges {
  if (before === after) return UNCHANGED
  const position = new Map(after.map((workload, at) => [workload, at]))
  const known = new Set(before)
  const changed = [
    ...before.filter((workload) => !position.has(workload)),
    ...after.filter((workload) => !known.has(workload)),
  ]
  const moved = before.map((workload) => position.get(workload) ?? -1)
  return {
    touched: new Set(changed.flatMap(({ spec }) => (spec.clusters ?? []).map(({ name }) => name))),
    moved: moved.some((to, at) => to >= 0 && to !== at) ? moved : undefined,
  }
}

/** Returns the fleet, in its orders. */
export const fleetOf = (bindings: readonly Binding[], clusters: readonly Cluster[]): Fleet => ({
  workloads: bindings.filter(isKept).toSorted(compareEvictions),
  clusters: clusters.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
})

const isKept = ({ metadata }: Binding): boolean => !metadata.deletionTimestamp

/**
 * Returns the fleet after a change, with the earlier object in place of each one that is equal for the scheduler. The
 * list of workloads is the same array if none changed.
 */
export function fleetAfter(before: Fleet, bindings: readonly Binding[], clusters: readonly Cluster[]): Fleet {
  const byName = new Map(before.clusters.map((cluster) => [cluster.metadata.name, cluster]))
  const sorted = clusters.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  return {
    workloads: workloadsAfter(before.workloads, bindings.filter(isKept)),
    clusters: sorted.map((one) => equalOr(byName.get(one.metadata.name), one, readOfCluster)),
  }
}

/** Only new objects are compared and sorted. */
function workloadsAfter(before: readonly Binding[], next: readonly Binding[]): readonly Binding[] {
  const [known, given] = [new Set(before), new Set(next)]
  const gone = new Map(before.flatMap((one) => (given.has(one) ? [] : [[keyOfWorkload(one), one] as const])))
  const unseen = next
    .filter((one) => !known.has(one))
    .map((one) => equalOr(gone.get(keyOfWorkload(one)), one, readOfBinding))
  const back = new Set(unseen.filter((one) => known.has(one)))
  const added = unseen.filter((one) => !known.has(one)).toSorted(compareEvictions)
  if (added.length === 0 && back.size === gone.size) return before
  return merged(
    before.filter((one) => given.has(one) || back.has(one)),
    added,
  )
}

function merged(some: readonly Binding[], others: readonly Binding[]): Binding[] {
  const all: Binding[] = []
  let next = 0
  for (const one of some) {
    while (next < others.length && compareEvictions(others[next]!, one) < 0) all.push(others[next++]!)
    all.push(one)
  }
  return [...all, ...others.slice(next)]
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
