/** What one replica asks for. */
import { type Quantity, quantityMilli, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import { type ResourceList, countedAmount, exactNumber } from './capacity'

/** A requested resource, in the unit in which it is counted. */
export interface Request {
  resource: string
  counted: bigint
  /** `counted` as a number; NaN when it is too large to be exact. */
  fast: number
}

/** A text that is no quantity: no cluster can promise it. */
export const unreadable = 'unreadable'

/** Resources of which at least something is requested, as the summary counts them. */
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

/** What a replica takes of a virtual node, by resource. Names that nodes do not offer are left out. */
export function nodeDemand(list: ResourceList | undefined): Map<string, bigint> {
  const demand = new Map<string, bigint>()
  for (const [resource, text] of Object.entries(list ?? {})) {
    const quantity = tryParseQuantity(text)
    if (quantity && isNodeResource(resource)) demand.set(resource, countedAmount(resource, quantity))
  }
  return demand
}

/** cpu, memory, ephemeral-storage, and the scalar ones: extended, huge pages, attachable volumes, prefixed native. */
export function isNodeResource(name: string): boolean {
  if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage') return true
  if (name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')) return true
  if (name.includes('kubernetes.io/')) return true
  return name.includes('/') && !name.startsWith('requests.')
}

/**
 * The amount by which component sets are compared. Decimal texts count in thousandths and binary ones in units, each
 * side by its own writing: `16G` against `1Gi` compares different units, as upstream does.
 */
export function amountByFormat(quantity: Quantity): bigint {
  return quantity.format === 'BinarySI' ? quantityValue(quantity) : quantityMilli(quantity)
}
