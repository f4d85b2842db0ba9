/**
 * Checks whether clusters have capacity for all workloads of a preview together; the scheduler considers each alone.
 */
import type { ReplicaRequirements, TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { countedAmount, summaryCapacity } from '../estimate'
import { shiftsBetween } from './distribution'

export interface ClusterHeadroom {
  cluster: string
  /** Replicas that it gains, and how many of them fit one after the other. */
  gains: number
  room: number
  /** Fewer fit than it gains; false if the cluster reports no capacity. */
  short: boolean
}

interface Move {
  before: readonly TargetCluster[]
  after: readonly TargetCluster[]
  requirements?: ReplicaRequirements | undefined
}

/**
 * Returns the headroom sorted by name. Replicas removed elsewhere do not count as free, because they are deleted only
 * when the new ones are ready. Clusters that report no capacity are assumed to have enough.
 */
export function assessHeadroom(moves: readonly Move[], clusters: readonly Cluster[]): ClusterHeadroom[] {
  const gains = new Map<string, { by: number; requests: ReadonlyMap<string, number> }[]>()
  for (const { before, after, requirements } of moves) {
    const requests = requestsOf(requirements)
    for (const { cluster, by } of shiftsBetween(before, after)) {
      if (by > 0) gains.set(cluster, [...(gains.get(cluster) ?? []), { by, requests }])
    }
  }
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]))
  return [...gains]
    .map(([cluster, list]) => {
      const wanted = list.reduce((sum, { by }) => sum + by, 0)
      const room = roomFor(byName.get(cluster), list)
      return { cluster, gains: wanted, room, short: room < wanted }
    })
    .sort((a, b) => (a.cluster < b.cluster ? -1 : 1))
}

/** Returns the requests of one replica in the units of capacity, including one of `pods`. */
export function requestsOf(requirements: ReplicaRequirements | undefined): Map<string, number> {
  const requests = new Map([['pods', 1]])
  for (const [name, text] of Object.entries(requirements?.resourceRequest ?? {})) {
    const quantity = tryParseQuantity(text)
    if (quantity) requests.set(name, Number(countedAmount(name, quantity)))
  }
  return requests
}

function roomFor(
  cluster: Cluster | undefined,
  gains: readonly { by: number; requests: ReadonlyMap<string, number> }[],
): number {
  const summary = cluster?.status?.resourceSummary
  if (!summary) return gains.reduce((sum, { by }) => sum + by, 0)
  const { allowedPods, resources, exact } = summaryCapacity(summary)
  const free = new Map(resources.map((name, at) => [name, Number(exact[at])]))
  free.set('pods', allowedPods)
  return gains.reduce((sum, { by, requests }) => sum + take(free, requests, by), 0)
}

/** Takes as many of `wanted` as fit. */
function take(free: Map<string, number>, requests: ReadonlyMap<string, number>, wanted: number): number {
  let fits = wanted
  for (const [name, amount] of requests) {
    if (amount > 0) fits = Math.min(fits, Math.max(0, Math.floor((free.get(name) ?? 0) / amount)))
  }
  for (const [name, amount] of requests) free.set(name, (free.get(name) ?? 0) - fits * amount)
  return fits
}
