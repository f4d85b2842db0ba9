/** Calculates the remaining capacity of a cluster. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Quantity, quantityMilli, quantityValue, subQuantity, tryParseQuantity } from '@/lib/kube/quantity'
import { shareLatest } from '@/lib/std/share-latest'

export type ResourceSummary = NonNullable<NonNullable<Cluster['status']>['resourceSummary']>
export type ResourceList = Readonly<Record<string, string | number>>
/** The fields of a Cluster that estimation reads. */
export interface ClusterCapacity {
  spec: Pick<Cluster['spec'], 'resourceModels'>
  status?: { resourceSummary?: ResourceSummary }
}

/**
 * A parsed resource summary. The lists have one element for each allocatable resource. They are lists instead of maps,
 * because every decision reads them of every cluster.
 */
export interface SummaryCapacity {
  /** Never negative. */
  allowedPods: number
  /** The summary also counts nodes by grade. */
  hasNodesByGrade: boolean
  /** Clusters that report the same resources share one list. */
  resources: readonly string[]
  /** Remaining amounts, in the unit in which requests are counted. Without capacity not positive. */
  exact: readonly bigint[]
  /** The same as numbers; NaN if too large to be exact. */
  amounts: readonly number[]
}

/** Parses a summary. */
export function summaryCapacity(summary: ResourceSummary): SummaryCapacity {
  const remaining = [...remainingQuantities(summary)]
  const exact = remaining.map(([name, quantity]) => countedAmount(name, quantity))
  return {
    allowedPods: allowedPods(summary),
    hasNodesByGrade: !!summary.allocatableModelings?.length,
    resources: sharedNames(remaining.map(([name]) => name)),
    exact,
    amounts: exact.map(exactNumber),
  }
}

const sharedNames = shareLatest(
  (names: readonly string[]) => names,
  (a, b) => a.length === b.length && a.every((name, index) => name === b[index]),
)

/** Returns the remaining amount of a resource; undefined if it is not reported. */
export function remainingAmount({ resources, exact }: SummaryCapacity, resource: string): bigint | undefined {
  return exact[resources.indexOf(resource)]
}

/** Returns the exact remainder of every allocatable resource, in the format of the allocatable quantity. */
export function remainingQuantities({ allocatable, allocated, allocating }: ResourceSummary): Map<string, Quantity> {
  const remaining = new Map<string, Quantity>()
  for (const [name, text] of Object.entries(allocatable ?? {})) {
    const total = tryParseQuantity(text)
    if (!total) continue
    remaining.set(
      name,
      [allocated, allocating].reduce((left, taken) => subtract(left, taken?.[name]), total),
    )
  }
  return remaining
}

function subtract(left: Quantity, taken: string | number | undefined): Quantity {
  const quantity = taken === undefined ? undefined : tryParseQuantity(taken)
  return quantity ? subQuantity(left, quantity) : left
}

function allowedPods({ allocatable, allocated, allocating }: ResourceSummary): number {
  const [all, ...taken] = [allocatable, allocated, allocating].map((list) => unitsOf(list?.['pods']))
  const left = taken.reduce((rest, amount) => rest - amount, all!)
  return left > 0n ? Number(left) : 0
}

function unitsOf(text: string | number | undefined): bigint {
  const quantity = text === undefined ? undefined : tryParseQuantity(text)
  return quantity ? quantityValue(quantity) : 0n
}

/** Returns millicores for CPU and whole units for other resources; fractions round up. */
export function countedAmount(resource: string, quantity: Quantity): bigint {
  return resource === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity)
}

export function exactNumber(value: bigint): number {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : Number.NaN
}
