/** Resource models: a cluster described by grades of nodes, with the number of nodes per grade. */
import { tryParseQuantity } from '@/lib/kube/quantity'
import { type ClusterCapacity, countedAmount } from './capacity'
import { isNodeResource } from './requests'

/** Nodes of one grade, each with the minimum resources of the grade. */
export interface NodeGrade {
  count: number
  capacity: ReadonlyMap<string, bigint>
}

/** Nodes in ascending order of grade, or why the models cannot be used. */
export type NodeModels = { ok: true; grades: NodeGrade[] } | { ok: false; reason: string }

/** Number of pods on a virtual node. */
export const podsPerNode = 110

const knownModels = new WeakMap<ClusterCapacity, NodeModels>()
const knownCapacities = new WeakMap<Models, ReadonlyMap<number, ReadonlyMap<string, bigint>>>()

/**
 * Reads the models of a cluster, cached per object because every scheduling decision reads every cluster. Counts of
 * grades that are not in the spec are ignored.
 */
export function readModels(cluster: ClusterCapacity): NodeModels {
  const models = knownModels.get(cluster) ?? parseModels(cluster)
  knownModels.set(cluster, models)
  return models
}

function parseModels({ spec, status }: ClusterCapacity): NodeModels {
  const models = spec.resourceModels ?? []
  // upstream: Karmada general estimator
  if (models.length === 0) return { ok: false, reason: 'no resource models defined' }
  const counts = new Map<number, number>()
  for (const { grade, count } of status?.resourceSummary?.allocatableModelings ?? []) {
    // upstream: the same
    if (count < 0) return { ok: false, reason: `negative node count for grade ${grade}` }
    counts.set(grade, (counts.get(grade) ?? 0) + count)
  }
  const capacities = capacitiesOf(models)
  const grades = [...capacities]
    .sort(([a], [b]) => a - b)
    .map(([grade, capacity]) => ({ count: counts.get(grade) ?? 0, capacity }))
  return { ok: true, grades: grades.filter(({ count }) => count > 0) }
}

type Models = NonNullable<ClusterCapacity['spec']['resourceModels']>
type Ranges = Models[number]['ranges']

function capacitiesOf(models: Models): ReadonlyMap<number, ReadonlyMap<string, bigint>> {
  const capacities =
    knownCapacities.get(models) ?? new Map(models.map(({ grade, ranges }) => [grade, capacityOf(ranges)]))
  knownCapacities.set(models, capacities)
  return capacities
}

function capacityOf(ranges: Ranges): Map<string, bigint> {
  const capacity = new Map<string, bigint>()
  for (const { name, min } of ranges) {
    const quantity = tryParseQuantity(min)
    if (quantity && isNodeResource(name)) capacity.set(name, countedAmount(name, quantity))
  }
  return capacity
}

/** Returns how many replicas of one size fit on the nodes; the same as placing them individually by first fit. */
export function replicasOnNodes(grades: readonly NodeGrade[], demand: ReadonlyMap<string, bigint>): number {
  return grades.reduce((sum, { count, capacity }) => sum + count * replicasOnNode(capacity, demand), 0)
}

function replicasOnNode(capacity: ReadonlyMap<string, bigint>, demand: ReadonlyMap<string, bigint>): number {
  let fits = BigInt(podsPerNode)
  for (const [resource, amount] of demand) {
    if (amount <= 0n) continue
    const room = (capacity.get(resource) ?? 0n) / amount
    if (room < fits) fits = room
  }
  return Number(fits)
}
