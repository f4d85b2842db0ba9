/**
 * Effect of a rebalance on the resources of each cluster: requested now, arriving and leaving, compared with capacity.
 */
import type { ReplicasInCluster } from '../model'

/** CPU in millicores, memory in bytes, pods as a count. */
export const LOAD_RESOURCES = ['cpu', 'memory', 'pods'] as const
export type LoadResource = (typeof LOAD_RESOURCES)[number]

export interface Capacity {
  allocatable: number
  /** Requests of running and pending pods. */
  requested: number
}

/** One resource of one cluster. `capacity` is absent if the cluster does not report it. */
export interface LoadChange {
  capacity?: Capacity | undefined
  /** Requests of the replicas that still arrive, and of those that still leave. */
  arriving: number
  leaving: number
  /** Arriving or leaving replicas whose request is unknown. */
  unknown: number
}

export type ClusterLoadChange = { cluster: string } & Record<LoadResource, LoadChange>

/** A workload of the rebalance. `now` equals `after` once it has arrived. */
export interface LoadTarget {
  now: readonly ReplicasInCluster[]
  after: readonly ReplicasInCluster[]
  /** Request of one replica; absent resources are unknown. */
  request: Readonly<Partial<Record<LoadResource, number>>>
}

export type Capacities = ReadonlyMap<string, Readonly<Partial<Record<LoadResource, Capacity>>>>

/** Returns every cluster in which a target has replicas, sorted by name. */
export function loadOf(targets: readonly LoadTarget[], capacities: Capacities): ClusterLoadChange[] {
  const changes = new Map<string, ClusterLoadChange>()
  for (const target of targets) {
    for (const { cluster, by } of shiftsOf(target)) {
      const change = changes.get(cluster) ?? unchanged(cluster, capacities)
      changes.set(cluster, change)
      for (const resource of LOAD_RESOURCES) count(change[resource], target.request[resource], by)
    }
  }
  return [...changes.values()].sort((a, b) => (a.cluster < b.cluster ? -1 : 1))
}

function shiftsOf({ now, after }: LoadTarget): { cluster: string; by: number }[] {
  const shifts = new Map<string, number>()
  for (const { cluster, replicas } of after) shifts.set(cluster, (shifts.get(cluster) ?? 0) + replicas)
  for (const { cluster, replicas } of now) shifts.set(cluster, (shifts.get(cluster) ?? 0) - replicas)
  return [...shifts].map(([cluster, by]) => ({ cluster, by }))
}

function unchanged(cluster: string, capacities: Capacities): ClusterLoadChange {
  const known = capacities.get(cluster)
  const change = (resource: LoadResource): LoadChange => ({
    ...(known?.[resource] && { capacity: known[resource] }),
    arriving: 0,
    leaving: 0,
    unknown: 0,
  })
  return { cluster, cpu: change('cpu'), memory: change('memory'), pods: change('pods') }
}

function count(change: LoadChange, request: number | undefined, by: number): void {
  if (request === undefined) change.unknown += Math.abs(by)
  else if (by > 0) change.arriving += by * request
  else change.leaving -= by * request
}

/**
 * Returns the requests after the move; undefined without capacity. The report may be older than the replicas that
 * leave.
 */
export function afterMove({ capacity, arriving, leaving }: LoadChange): number | undefined {
  return capacity && Math.max(0, capacity.requested + arriving - leaving)
}

/** Reports whether the requests would exceed the capacity. */
export function isExceeded(change: LoadChange): boolean {
  const after = afterMove(change)
  return after !== undefined && change.arriving > 0 && after > change.capacity!.allocatable
}

/** Sums the changes of a group of clusters; the capacity is known if it is known for each. */
export function sumOfLoads(changes: readonly LoadChange[]): LoadChange {
  const sum = (amount: (change: LoadChange) => number): number => changes.reduce((all, each) => all + amount(each), 0)
  const known = changes.flatMap(({ capacity }) => capacity ?? [])
  const isKnown = changes.length > 0 && known.length === changes.length
  return {
    ...(isKnown && {
      capacity: {
        allocatable: sum(({ capacity }) => capacity!.allocatable),
        requested: sum(({ capacity }) => capacity!.requested),
      },
    }),
    arriving: sum(({ arriving }) => arriving),
    leaving: sum(({ leaving }) => leaving),
    unknown: sum(({ unknown }) => unknown),
  }
}

/** Returns the cluster with the highest requested share of a resource after the move. */
export function fullestOf(
  clusters: readonly ClusterLoadChange[],
  resource: LoadResource,
): { cluster: string; now: number; after: number } | undefined {
  const shares = clusters.flatMap(({ cluster, [resource]: change }) => {
    const [after, capacity] = [afterMove(change), change.capacity]
    if (after === undefined || !capacity || capacity.allocatable <= 0) return []
    return [{ cluster, now: capacity.requested / capacity.allocatable, after: after / capacity.allocatable }]
  })
  return shares.toSorted((a, b) => b.after - a.after)[0]
}
