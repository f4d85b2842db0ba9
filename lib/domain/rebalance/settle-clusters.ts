/** Clusters as drift is computed from them: small changes of free capacity are left out. */
import { findCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { deepEqual } from '@/lib/std/equal'
import { countedAmount } from '../estimate/capacity'
import { factsOf } from '../placement'

/** Free capacity counts as changed from this part of what the cluster has. */
const MATERIAL = 0.05

/**
 * The clusters to decide with: those of `settled`, each replaced by its present version where that differs in anything
 * but a little free capacity. The same array as `settled` when nothing else changed. Both by any order.
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

/** True when the clusters report the same capacity, to the last pod. */
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
    && hasMuchTheSameRoom(old, next)
  )
}

/** Compares what is free of each resource; a resource that ran out, or is free again, is a change of its own. */
function hasMuchTheSameRoom(old: Cluster, next: Cluster): boolean {
  const [before, after] = [factsOf(old).capacity, factsOf(next).capacity]
  if (!before || !after) return before === after
  const total = (resource: string): number => {
    const quantity = tryParseQuantity(next.status?.resourceSummary?.allocatable?.[resource] ?? 0)
    return quantity ? Number(countedAmount(resource, quantity)) : 0
  }
  return (
    isNear(before.allowedPods, after.allowedPods, total('pods'))
    && before.available.size === after.available.size
    && [...after.available].every(([resource, { fast, exhausted }]) => {
      const former = before.available.get(resource)
      return former?.exhausted === exhausted && isNear(former.fast, fast, total(resource))
    })
  )
}

const isNear = (a: number, b: number, total: number): boolean =>
  (a === 0) === (b === 0) && Math.abs(a - b) <= total * MATERIAL
