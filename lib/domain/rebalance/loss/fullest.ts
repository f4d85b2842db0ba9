/** Computes the utilization of clusters after they take in replicas. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { ReplicaRequirements, TargetCluster } from '@/lib/kube/kinds/binding'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { countedAmount, remainingAmount, summaryCapacity } from '../../estimate'
import { requestsOf } from '../headroom'
import type { Peak } from './loss'

const RESOURCES = ['cpu', 'memory', 'pods'] as const

interface Utilization {
  allocatable: number
  used: number
}

type UtilizationByResource = ReadonlyMap<string, Utilization>

/** Returns allocatable and used amounts of each cluster; clusters without a report are omitted. */
export function utilizationOf(clusters: readonly Cluster[]): ReadonlyMap<string, UtilizationByResource> {
  return new Map(clusters.map((cluster) => [cluster.metadata.name, utilizationIn(cluster)]))
}

function utilizationIn({ status }: Cluster): UtilizationByResource {
  const summary = status?.resourceSummary
  if (!summary) return new Map()
  const capacity = summaryCapacity(summary)
  return new Map(
    RESOURCES.flatMap((resource) => {
      const quantity = tryParseQuantity(summary.allocatable?.[resource] ?? '')
      const allocatable = quantity ? Number(countedAmount(resource, quantity)) : 0
      const left = resource === 'pods' ? capacity.allowedPods : Number(remainingAmount(capacity, resource) ?? 0n)
      return allocatable > 0 ? [[resource, { allocatable, used: allocatable - left }] as const] : []
    }),
  )
}

/** Sums the replicas that clusters take in. */
export class Arrivals {
  readonly #added = new Map<string, Map<string, number>>()

  constructor(private readonly utilization: ReadonlyMap<string, UtilizationByResource>) {}

  add(before: readonly TargetCluster[], after: readonly TargetCluster[], requests: ReadonlyMap<string, number>): void {
    for (const { name, replicas = 0 } of after) {
      const by = replicas - (before.find((one) => one.name === name)?.replicas ?? 0)
      if (by <= 0) continue
      const added = this.#added.get(name) ?? new Map<string, number>()
      for (const [resource, amount] of requests) added.set(resource, (added.get(resource) ?? 0) + by * amount)
      this.#added.set(name, added)
    }
  }

  /**
   * Returns the highest utilization among the clusters that took in replicas; undefined if none reports its capacity.
   */
  peak(): Peak | undefined {
    let peak: Peak | undefined
    for (const [cluster, added] of this.#added) {
      for (const [resource, { allocatable, used }] of this.utilization.get(cluster) ?? []) {
        const share = (used + (added.get(resource) ?? 0)) / allocatable
        if (!peak || share > peak.share) peak = { cluster, resource, share }
      }
    }
    return peak
  }
}

const known = new WeakMap<ReplicaRequirements, ReadonlyMap<string, number>>()
const POD_ONLY = requestsOf(undefined)

/** Returns the requests of one replica, cached by object. */
export function knownRequests(requirements: ReplicaRequirements | undefined): ReadonlyMap<string, number> {
  if (!requirements) return POD_ONLY
  const requests = known.get(requirements) ?? requestsOf(requirements)
  known.set(requirements, requests)
  return requests
}
