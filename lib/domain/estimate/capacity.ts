/** Calculates the remaining capacity of a cluster. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Quantity, quantityMilli, quantityValue, subQuantity, tryParseQuantity } from '@/lib/kube/quantity'

export type ResourceSummary = NonNullable<NonNullable<Cluster['status']>['resourceSummary']>
export type ResourceList = Readonly<Record<string, string | number>>
/** The fields of a Cluster that estimation reads. */
export interface ClusterCapacity {
  spec: Pick<Cluster['spec'], 'resourceModels'>
  status?: { resourceSummary?: ResourceSummary }
}

/** Remaining amount of one resource, in the unit in which requests for it are counted. */
export interface Available {
  /** No capacity is left; a fraction of a unit counts as a unit. */
  exhausted: boolean
  counted: bigint
  /** `counted` as a number; NaN if it is too large to be exact. */
  fast: number
}

/** A parsed resource summary. */
export interface SummaryCapacity {
  /** Never negative. */
  allowedPods: number
  available: ReadonlyMap<string, Available>
}

/** Parses a summary. */
export function summaryCapacity(summary: ResourceSummary): SummaryCapacity {
  return { allowedPods: allowedPods(summary), available: availableAmounts(summary) }
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

function availableAmounts(summary: ResourceSummary): Map<string, Available> {
  return new Map(
    [...remainingQuantities(summary)].map(([name, quantity]) => {
      const counted = countedAmount(name, quantity)
      return [name, { exhausted: quantityValue(quantity) <= 0n, counted, fast: exactNumber(counted) }]
    }),
  )
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
