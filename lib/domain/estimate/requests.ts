/** Reads the requests of one replica. */
import { type Quantity, quantityMilli, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import { type ResourceList, countedAmount, exactNumber } from './capacity'

/** A requested resource, in the unit in which it is counted. */
export interface Request {
  resource: string
  counted: bigint
  /** `counted` as a number; NaN if it is too large to be exact. */
  fast: number
}

/** A text that is not a quantity, so no cluster can satisfy it. */
export const unreadable = 'unreadable'

/** Returns the resources with a positive request, counted as in the summary. */
export function readRequests(list: ResourceList | undefined): Request[] | typeof unreadable {
  const requests: Request[] = []
  for (const [resource, text] of Object.entries(list ?? {})) {
    const quantity = tryParseQuantity(text)
    if (!quantity) return unreadable
    if (quantityValue(quantity) <= 0n) continue
    const counted = countedAmount(resource, quantity)
    requests.push({ resource, counted, fast: exactNumber(counted) })
  }
  return requests
}

/** Returns what all replicas of the components request together, counted as in the summary. */
export function requestsOfSet(
  components: readonly { replicas?: number; replicaRequirements?: { resourceRequest?: ResourceList } }[],
): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { replicas = 0, replicaRequirements } of components) {
    for (const [resource, text] of Object.entries(replicaRequirements?.resourceRequest ?? {})) {
      const quantity = replicas > 0 ? tryParseQuantity(text) : undefined
      const counted = quantity ? countedAmount(resource, quantity) : 0n
      if (counted > 0n) sums.set(resource, (sums.get(resource) ?? 0n) + counted * BigInt(replicas))
    }
  }
  return sums
}

/** Returns the requests of a replica that count on a virtual node. Resources that nodes do not offer are omitted. */
export function nodeDemand(list: ResourceList | undefined): ReadonlyMap<string, bigint> {
  if (!list) return NOTHING
  const demand = knownDemands.get(list) ?? readNodeDemand(list)
  knownDemands.set(list, demand)
  return demand
}

const NOTHING: ReadonlyMap<string, bigint> = new Map()
/** Per object: every cluster is asked for the same requests. */
const knownDemands = new WeakMap<ResourceList, ReadonlyMap<string, bigint>>()

function readNodeDemand(list: ResourceList): ReadonlyMap<string, bigint> {
  const demand = new Map<string, bigint>()
  for (const [resource, text] of Object.entries(list)) {
    const quantity = tryParseQuantity(text)
    if (quantity && isNodeResource(resource)) demand.set(resource, countedAmount(resource, quantity))
  }
  return demand
}

/**
 * Reports whether nodes offer the resource: cpu, memory, ephemeral-storage, and scalar resources (extended, huge pages,
 * attachable volumes, prefixed native).
 */
export function isNodeResource(name: string): boolean {
  if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage') return true
  if (name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')) return true
  if (name.includes('kubernetes.io/')) return true
  return name.includes('/') && !name.startsWith('requests.')
}

/**
 * Returns the amount by which component sets are compared. Decimal quantities count in thousandths and binary ones in
 * units, each by its own format. As upstream, comparing `16G` with `1Gi` therefore compares different units.
 */
export function amountByFormat(quantity: Quantity): bigint {
  return quantity.format === 'BinarySI' ? quantityValue(quantity) : quantityMilli(quantity)
}
