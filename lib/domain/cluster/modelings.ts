/** Counts the nodes of a cluster by their free resources. */
import type { Cluster, Node, Pod } from '../../kube/kinds'
import { compareQuantity, parseQuantity, quantityValue, subQuantity, ZERO, type Quantity } from '../../kube/quantity'
import { addList, type Amounts, isRunning, requestsOf } from './pod-requests'

type ResourceModel = NonNullable<Cluster['spec']['resourceModels']>[number]
export type AllocatableModeling = { grade: number; count: number }

/**
 * Counts nodes into the grades of the cluster's resource models. A node belongs to the highest grade whose minimum it
 * reaches for every resource; a node below all grades is omitted. As upstream, counting ends at the first node without
 * room for another pod, so later nodes are omitted too.
 */
export function countModelings(
  models: readonly ResourceModel[],
  nodes: readonly Node[],
  pods: readonly Pod[],
): AllocatableModeling[] {
  const counts = models.map(({ grade }) => ({ grade, count: 0 }))
  const minima = minimaByResource(models)
  const requests = requestsByNode(pods)
  for (const node of nodes) {
    const free = freeResources(node, requests.get(node.metadata.name))
    if (!free) break
    const slot = counts[highestGrade(minima, free)]
    if (slot) slot.count += 1
  }
  return counts
}

function minimaByResource(models: readonly ResourceModel[]): Map<string, Quantity[]> {
  const minima = new Map<string, Quantity[]>()
  for (const [index, { ranges }] of models.entries()) {
    for (const { name, min } of ranges) {
      const list = minima.get(name) ?? models.map(() => ZERO)
      list[index] = parseQuantity(min)
      minima.set(name, list)
    }
  }
  return minima
}

function requestsByNode(pods: readonly Pod[]): Map<string, Amounts> {
  const byNode = Map.groupBy(pods.filter(isRunning), ({ spec }) => spec.nodeName ?? '')
  return new Map([...byNode].map(([node, members]) => [node, requestsOf(members)]))
}

/** Returns the free resources of a node; undefined if it has no room for another pod. */
function freeResources(node: Node, used: Amounts | undefined): Amounts | undefined {
  const free: Amounts = new Map()
  addList(free, node.status?.allocatable)
  if (!used) return free
  const slots = quantityValue(free.get('pods') ?? ZERO) - quantityValue(used.get('pods') ?? ZERO)
  if (slots <= 0n) return undefined
  for (const [name, quantity] of used) {
    const allocatable = free.get(name)
    if (allocatable) free.set(name, subQuantity(allocatable, quantity))
  }
  return free
}

/**
 * Returns the lowest grade over all resources, where each resource counts with the last grade whose minimum it reaches;
 * -1 if one reaches none.
 */
function highestGrade(minima: ReadonlyMap<string, readonly Quantity[]>, free: Amounts): number {
  let lowest = Infinity
  for (const [name, list] of minima) {
    const available = free.get(name) ?? ZERO
    lowest = Math.min(
      lowest,
      list.findLastIndex((min) => compareQuantity(min, available) <= 0),
    )
  }
  return lowest
}
