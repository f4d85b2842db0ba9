/** Accounts for workloads that were just scheduled and that clusters do not report yet. */
import {
  type Quantity,
  addQuantity,
  formatQuantity,
  milliQuantityOf,
  quantityMilli,
  quantityOf,
  quantityValue,
  tryParseQuantity,
} from '@/lib/kube/quantity'
import type { ResourceSummary } from './capacity'
import type { Component } from './simulate'

/** A scheduled workload that its cluster does not report yet. */
export interface AssumedWorkload {
  /** Absent for one that no quota concerns. */
  namespace?: string
  components: readonly Component[]
}

/** The workloads that are on their way to a cluster. */
export type AssumedIn = (cluster: string) => readonly AssumedWorkload[]

/** Returns the summary with the assumed workloads as allocating; the same object when there are none. */
export function summaryWithAssumed(
  summary: ResourceSummary,
  assumed: readonly AssumedWorkload[] = [],
): ResourceSummary {
  if (assumed.length === 0) return summary
  const counted = assumed.flatMap(({ components }) => components).filter(({ replicas = 0 }) => replicas > 0)
  return summaryWith(summary, counted)
}

/** Returns the summary with the replicas of the components as allocating. Negative replicas are freed. */
export function summaryWith(summary: ResourceSummary, components: readonly Component[]): ResourceSummary {
  const allocating = new Map(
    Object.entries(summary.allocating ?? {}).flatMap(([name, text]) => {
      const quantity = tryParseQuantity(text)
      return quantity ? [[name, quantity] as const] : []
    }),
  )
  for (const component of components) addComponent(allocating, component)
  return {
    ...summary,
    allocating: Object.fromEntries([...allocating].map(([name, quantity]) => [name, formatQuantity(quantity)])),
  }
}

function addComponent(allocating: Map<string, Quantity>, { replicas = 0, replicaRequirements }: Component): void {
  const pods = allocating.get('pods')
  allocating.set('pods', quantityOf((pods ? quantityValue(pods) : 0n) + BigInt(replicas)))
  for (const [name, text] of Object.entries(replicaRequirements?.resourceRequest ?? {})) {
    const quantity = tryParseQuantity(text)
    if (!quantity) continue
    const total = timesReplicas(name, quantity, replicas)
    const present = allocating.get(name)
    allocating.set(name, present ? addQuantity(present, total) : total)
  }
}

function timesReplicas(name: string, quantity: Quantity, replicas: number): Quantity {
  return name === 'cpu'
    ? milliQuantityOf(quantityMilli(quantity) * BigInt(replicas), quantity.format)
    : quantityOf(quantityValue(quantity) * BigInt(replicas), quantity.format)
}
