/** Calculates the remaining capacity of a cluster after replicas arrive, without formatting and parsing the summary. */
import type { ReplicaRequirements } from '@/lib/kube/kinds/binding'
import {
  quantityMilli,
  quantityValue,
  subQuantity,
  tryParseQuantity,
  quantityOf,
  milliQuantityOf,
} from '@/lib/kube/quantity'
import { countedAmount, exactNumber, remainingQuantities, type ResourceSummary, type SummaryCapacity } from './capacity'
import type { ArrivingCopies } from './reported'

/**
 * Reports whether every remaining amount is a whole number of its unit, so that amounts can be subtracted in that unit.
 */
export function countsWhole(summary: ResourceSummary): boolean {
  return [...remainingQuantities(summary)].every(([name, left]) => {
    const whole = name === 'cpu' ? milliQuantityOf(quantityMilli(left)) : quantityOf(quantityValue(left))
    return subQuantity(left, whole).nano === 0n
  })
}

/** Returns the same capacity as `withArrivals` with `summaryCapacity`. Requires `countsWhole` for the summary. */
export function capacityWithArrivals(capacity: SummaryCapacity, arrivals: readonly ArrivingCopies[]): SummaryCapacity {
  const taken = new Map<string, bigint>()
  for (const { replicas, requirements } of arrivals) {
    if (replicas <= 0) continue
    for (const [name, amount] of countedRequests(requirements))
      taken.set(name, (taken.get(name) ?? 0n) + amount * BigInt(replicas))
  }
  const exact = capacity.exact.map((amount, at) => amount - (taken.get(capacity.resources[at]!) ?? 0n))
  return {
    ...capacity,
    allowedPods: Math.max(0, capacity.allowedPods - Number(taken.get('pods') ?? 0n)),
    exact,
    amounts: exact.map(exactNumber),
  }
}

const known = new WeakMap<ReplicaRequirements, ReadonlyMap<string, bigint>>()
const POD_ONLY: ReadonlyMap<string, bigint> = new Map([['pods', 1n]])

/** Returns the requests of one replica, including one pod. */
function countedRequests(requirements: ReplicaRequirements | undefined): ReadonlyMap<string, bigint> {
  if (!requirements) return POD_ONLY
  const requests = known.get(requirements) ?? readRequests(requirements)
  known.set(requirements, requests)
  return requests
}

function readRequests({ resourceRequest = {} }: ReplicaRequirements): ReadonlyMap<string, bigint> {
  const requests = new Map(POD_ONLY)
  for (const [name, text] of Object.entries(resourceRequest)) {
    const quantity = tryParseQuantity(text)
    if (quantity) requests.set(name, (requests.get(name) ?? 0n) + countedAmount(name, quantity))
  }
  return requests
}
