/** Filters changes of clusters for drift: small changes of free capacity are ignored. */
import { findCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { deepEqual } from '@/lib/std/equal'
import { countedAmount } from '../estimate/capacity'
import { factsOf } from '../placement'

/** Free capacity counts as changed from this share of the allocatable amount. */
const MATERIAL = 0.05

/**
 * Returns the clusters to decide with: those of `settled`, each replaced by its current version if that differs in more
 * than a little free capacity. Returns the array `settled` itself if nothing else changed. Both lists may have any
 * order.
 */
export function settleClusters(settled: readonly Cluster[], present: readonly Cluster[]): readonly Cluster[] {
  const known = new Map(settled.map((cluster) => [cluster.metadata.name, cluster]))
  const next = present.map((cluster) => {
    const old = known.get(cluster.metadata.name)
    return old && isMuchTheSame(old, cluster) ? old : cluster
  })
  return next.length === settled.length && next.every((cluster) => known.get(cluster.metadata.name) === cluster)
    ? settled
    : next
}

/** Reports whether the clusters report exactly the same capacity. */
export function isSameCapacity(one: Cluster, other: Cluster): boolean {
  return deepEqual(one.status?.resourceSummary, other.status?.resourceSummary)
}

function isMuchTheSame(old: Cluster, next: Cluster): boolean {
  if (old === next) return true
  return (
    deepEqual(old.spec, next.spec)
    && deepEqual(old.metadata.labels, next.metadata.labels)
    && old.metadata.deletionTimestamp === next.metadata.deletionTimestamp
    && findCondition(old.status?.conditions, 'Ready')?.status
      === findCondition(next.status?.conditions, 'Ready')?.status
    && deepEqual(old.status?.apiEnablements, next.status?.apiEnablements)
    && hasSimilarCapacity(old, next)
  )
}

/** Compares the free amount of each resource; a change to or from zero always counts. */
function hasSimilarCapacity(old: Cluster, next: Cluster): boolean {
  const [before, after] = [factsOf(old).capacity, factsOf(next).capacity]
  if (!before || !after) return before === after
  const total = (resource: string): number => {
    const quantity = tryParseQuantity(next.status?.resourceSummary?.allocatable?.[resource] ?? 0)
    return quantity ? Number(countedAmount(resource, quantity)) : 0
  }
  return (
    isNear(before.allowedPods, after.allowedPods, total('pods'))
    && before.resources.length === after.resources.length
    && after.resources.every((resource, at) => {
      const [former, amount] = [before.amounts[before.resources.indexOf(resource)], after.amounts[at]!]
      return former !== undefined && former > 0 === amount > 0 && isNear(former, amount, total(resource))
    })
  )
}

const isNear = (a: number, b: number, total: number): boolean =>
  (a === 0) === (b === 0) && Math.abs(a - b) <= total * MATERIAL
