/** Places pods on virtual nodes, first fit, to see how many whole sets of components find room. */
import { type NodeGrade, podsPerNode } from './models'
import type { ResourceList } from './capacity'
import { nodeDemand } from './requests'

/** One part of a multi-part workload. */
export interface Component {
  name?: string
  replicas?: number
  replicaRequirements?: { resourceRequest?: ResourceList }
}

interface Node {
  pods: number
  left: Map<string, bigint>
}

interface Kind {
  replicas: number
  demand: ReadonlyMap<string, bigint>
  /** Nodes before this one have no room for this kind, and never will again. */
  from: number
}

/** Fresh nodes of all grades, in order. */
export function nodesOf(grades: readonly NodeGrade[]): Node[] {
  return grades.flatMap(({ count, capacity }) =>
    Array.from({ length: count }, () => ({ pods: podsPerNode, left: new Map(capacity) })))
}

/**
 * Places sets until one does not fit completely or `limit` is reached; returns how many did. The nodes keep what was
 * placed on them.
 */
export function placeSets(nodes: Node[], components: readonly Component[], limit: number): number {
  const kinds = components.map(({ replicas = 0, replicaRequirements }) => ({
    replicas, demand: nodeDemand(replicaRequirements?.resourceRequest), from: 0,
  }))
  let sets = 0
  while (sets < limit && kinds.every((kind) => placeKind(nodes, kind))) sets += 1
  return sets
}

function placeKind(nodes: Node[], kind: Kind): boolean {
  for (let placed = 0; placed < kind.replicas; placed += 1) {
    while (kind.from < nodes.length && !fits(nodes[kind.from]!, kind.demand)) kind.from += 1
    const node = nodes[kind.from]
    if (!node) return false
    take(node, kind.demand)
  }
  return true
}

function fits({ pods, left }: Node, demand: ReadonlyMap<string, bigint>): boolean {
  if (pods < 1) return false
  for (const [resource, amount] of demand) if (amount > (left.get(resource) ?? 0n)) return false
  return true
}

function take(node: Node, demand: ReadonlyMap<string, bigint>): void {
  node.pods -= 1
  for (const [resource, amount] of demand) node.left.set(resource, (node.left.get(resource) ?? 0n) - amount)
}
