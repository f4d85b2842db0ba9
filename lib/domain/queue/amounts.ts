/** Amounts of resources as numbers. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { type Quantity, quantityMilli, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import { REPLICAS } from './amount-message'

/** By resource name: millicores for `cpu`, bytes, counts. All values are positive. */
export type Amounts = Readonly<Record<string, number>>

export const NOTHING: Amounts = Object.freeze({})

type ResourceList = Readonly<Record<string, string | number>>

/** Names of inherited properties. Excluding them as resource names lets sums skip the check for own properties. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Parses a resource list. Invalid quantities are dropped, as are zero and negative ones unless `keepZero`. */
export function amountsOf(list: ResourceList | undefined, keepZero = false): Amounts {
  if (!list) return NOTHING
  const amounts: Record<string, number> = {}
  for (const name of Object.keys(list).sort()) {
    const resource = plainName(name)
    if (INHERITED.has(resource)) continue
    const amount = amountOf(resource, tryParseQuantity(list[name]!))
    if (amount > 0 || keepZero) amounts[resource] = Math.max(0, amount)
  }
  return amounts
}

/** Strips `requests.`, which quotas may use as a ResourceQuota does. */
const plainName = (name: string): string => (name.startsWith('requests.') ? name.slice('requests.'.length) : name)

function amountOf(name: string, quantity: Quantity | undefined): number {
  if (!quantity) return 0
  const amount = Number(name === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity))
  // Larger numbers would lose precision in sums, and no cluster has as much.
  return Math.min(amount, Number.MAX_SAFE_INTEGER)
}

/**
 * Returns the demand of a binding before it is placed: its replicas times their request, or one set of its components.
 * A workload that is duplicated to several named clusters counts once per cluster; without named clusters it counts
 * once.
 */
export function demandOf(spec: BindingSpec): Amounts {
  return timesAll(demandOfOne(spec), copiesOf(spec))
}

/** Components are placed as one set, and replicas are duplicated unless they are divided. */
function copiesOf({ placement, replicas = 0 }: BindingSpec): number {
  const type = placement?.replicaScheduling?.replicaSchedulingType ?? 'Duplicated'
  const names = new Set(placement?.clusterAffinity?.clusterNames ?? [])
  return type === 'Duplicated' && replicas > 0 ? Math.max(1, names.size) : 1
}

function demandOfOne({ replicas = 0, replicaRequirements, components = [] }: BindingSpec): Amounts {
  if (components.length === 0) return demandOfReplicas(amountsOf(replicaRequirements?.resourceRequest), replicas)
  const sum: Record<string, number> = {}
  for (const { replicas: count, replicaRequirements: one } of components) {
    addTo(sum, demandOfReplicas(amountsOf(one?.resourceRequest), count))
  }
  return sum
}

/**
 * Returns the usage of a placed binding: its request for every replica in `spec.clusters`, or one set of components per
 * cluster.
 */
export function usageOf(spec: BindingSpec): Amounts {
  const { clusters = [], replicaRequirements, components = [] } = spec
  if (components.length > 0) return timesAll(demandOfOne(spec), clusters.length)
  const replicas = clusters.reduce((sum, cluster) => sum + Math.max(0, cluster.replicas ?? 0), 0)
  return demandOfReplicas(amountsOf(replicaRequirements?.resourceRequest), replicas)
}

function demandOfReplicas(request: Amounts, replicas: number): Amounts {
  return replicas > 0 ? { ...timesAll(request, replicas), [REPLICAS]: replicas } : NOTHING
}

function timesAll(amounts: Amounts, count: number): Amounts {
  if (count === 1) return amounts
  const entries = Object.entries(amounts).map(([name, amount]) => [name, amount * count] as const)
  return Object.fromEntries(entries.filter(([, amount]) => amount > 0))
}

const shared = new Map<string, Amounts>()
const MOST_SHARED = 1000

/** Returns the same object for equal amounts, as a rule, so that answers about them can be kept by identity. */
export function sharedAmounts(amounts: Amounts): Amounts {
  const text = JSON.stringify(amounts)
  const known = shared.get(text)
  if (known) return known
  if (shared.size >= MOST_SHARED) shared.clear()
  shared.set(text, amounts)
  return amounts
}

/** Adds in place. */
export function addTo(sum: Record<string, number>, more: Amounts, sign: 1 | -1 = 1): void {
  for (const name in more) sum[name] = (sum[name] ?? 0) + sign * more[name]!
}

/** Returns the amounts sorted by name, without zeros. */
export function tidied(amounts: Amounts): Amounts {
  const entries = Object.entries(amounts).filter(([, amount]) => amount > 0)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const
const inBytes = (resource: string): boolean =>
  resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-')

/** Formats an amount exactly: `1500m`, `2Gi`, `7`. */
export function quantityText(resource: string, amount: number): string {
  if (resource === 'cpu') return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`
  if (!inBytes(resource)) return String(amount)
  let [value, unit] = [amount, 0]
  while (value > 0 && value % 1024 === 0 && unit < BINARY.length - 1) [value, unit] = [value / 1024, unit + 1]
  return `${value}${BINARY[unit]}`
}

/** Formats amounts for a status. */
export function resourceListOf(amounts: Amounts): Record<string, string> {
  return Object.fromEntries(Object.entries(tidied(amounts)).map(([name, amount]) => [name, quantityText(name, amount)]))
}
