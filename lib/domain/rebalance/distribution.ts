/** Compares two distributions of one workload. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { type Message, message } from '@/lib/messages/message'

/** Change of the replicas in a cluster; never zero. */
export interface Shift {
  cluster: string
  by: number
}

/** Returns the clusters whose replicas differ: gains first, then by size of the change and name. */
export function shiftsBetween(before: readonly TargetCluster[], after: readonly TargetCluster[]): Shift[] {
  const by = new Map<string, number>()
  for (const { name, replicas = 0 } of before) by.set(name, (by.get(name) ?? 0) - replicas)
  for (const { name, replicas = 0 } of after) by.set(name, (by.get(name) ?? 0) + replicas)
  return [...by]
    .map(([cluster, change]) => ({ cluster, by: change }))
    .filter((shift) => shift.by !== 0)
    .sort((a, b) => b.by - a.by || (a.cluster < b.cluster ? -1 : 1))
}

/** Returns the replicas that are added in clusters. */
export function replicasMoved(shifts: readonly Shift[]): number {
  return shifts.reduce((sum, { by }) => sum + Math.max(0, by), 0)
}

/** Reports whether two distributions have the same clusters with the same replicas, in any order. */
export function isSameDistribution(before: readonly TargetCluster[], after: readonly TargetCluster[]): boolean {
  if (before === after) return true
  const names = new Set(after.map(({ name }) => name))
  return (
    shiftsBetween(before, after).length === 0
    && names.size === new Set(before.map(({ name }) => name)).size
    && before.every(({ name }) => names.has(name))
  )
}

/** Returns `2 in member1 and 1 in member2`, `member1 and member2` for objects without replicas, or `no cluster`. */
export function clustersInWords(clusters: readonly TargetCluster[] = []): Message {
  if (clusters.length === 0) return message('rebalance.places.none')
  const places = clusters
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name: cluster, replicas = 0 }) => message('rebalance.places.one', { cluster, replicas }))
  return message('rebalance.places.list', { places })
}
