/** Estimates how many whole sets of components a cluster could take. */
import { tryParseQuantity } from '@/lib/kube/quantity'
import { type ClusterCapacity, remainingQuantities, summaryCapacity } from './capacity'
import type { AssumedWorkload } from './assumed'
import type { Estimate, EstimateOptions } from './estimate-replicas'
import { readModels } from './models'
import { amountByFormat } from './requests'
import { type Component, nodesOf, placeSets } from './simulate'

/** Estimates one cluster: limited by pods, by the sum of each resource, and by the nodes of its resource models. */
export function estimateSets(
  cluster: ClusterCapacity,
  components: readonly Component[],
  options: EstimateOptions = {},
): Estimate {
  const summary = cluster.status?.resourceSummary
  if (!summary) return { amount: 0, path: 'noResourceSummary' }
  const assumed = options.assumed ?? []
  const { allowedPods } = summaryCapacity(summary)
  if (allowedPods === 0) return { amount: 0, path: 'noPods' }
  const pods = allowedPods - podsOf(assumed.flatMap((workload) => workload.components))
  const bound = pods > 0 ? boundBySums(cluster, components, { pods, assumed }) : 0
  return boundByNodes(cluster, components, { ...options, bound })
}

interface Sums {
  pods: number
  assumed: readonly AssumedWorkload[]
}

function boundBySums(cluster: ClusterCapacity, components: readonly Component[], { pods, assumed }: Sums): number {
  const podsPerSet = podsOf(components)
  if (podsPerSet <= 0) return pods | 0
  const available = new Map(
    [...remainingQuantities(cluster.status?.resourceSummary ?? {})].map(([name, left]) => [name, amountByFormat(left)]),
  )
  for (const [name, amount] of sumsOf(assumed.flatMap((workload) => workload.components))) {
    available.set(name, (available.get(name) ?? 0n) - amount)
  }
  let sets = Math.trunc(pods / podsPerSet) | 0
  for (const [name, amount] of sumsOf(components)) {
    if (amount <= 0n) continue
    const left = available.get(name) ?? 0n
    if (left <= 0n) return 0
    sets = Math.min(sets, Number(BigInt.asIntN(32, left / amount)))
  }
  return sets
}

function boundByNodes(
  cluster: ClusterCapacity,
  components: readonly Component[],
  { bound, resourceModels, assumed = [] }: EstimateOptions & { bound: number },
): Estimate {
  const modelled = resourceModels !== false && !!cluster.status?.resourceSummary?.allocatableModelings?.length
  if (!modelled) return { amount: bound, path: 'summary' }
  const models = readModels(cluster)
  if (!models.ok) return { amount: bound, path: 'resourceModelsFailedSoSummary', modelError: models.reason }
  if (podsOf(components) <= 0 || bound <= 0) return { amount: bound, path: 'resourceModels' }
  const nodes = nodesOf(models.grades)
  for (const workload of assumed) if (workload.components.length > 0) placeSets(nodes, workload.components, 1)
  return { amount: placeSets(nodes, components, bound), path: 'resourceModels' }
}

function podsOf(components: readonly Component[]): number {
  return components.reduce((sum, { replicas = 0 }) => sum + replicas, 0)
}

function sumsOf(components: readonly Component[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { replicas = 0, replicaRequirements } of components) {
    for (const [name, text] of Object.entries(replicaRequirements?.resourceRequest ?? {})) {
      const quantity = tryParseQuantity(text)
      if (quantity) sums.set(name, (sums.get(name) ?? 0n) + amountByFormat(quantity) * BigInt(replicas))
    }
  }
  return sums
}
