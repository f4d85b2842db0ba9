/** Usage of a binding in the quotas of its namespace, and its check. */
import { ownField } from '@/lib/std/fields'
import { kubeError, type KubeError } from '../errors'
import type { BindingSpec, FederatedResourceQuota } from '../kinds'
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  type Quantity,
  subQuantity,
  tryParseQuantity,
  ZERO,
} from '../quantity'
import { denied } from './webhook'

/** Amounts by resource, without zeros. */
export type Amounts = ReadonlyMap<string, Quantity>
/** Amounts as objects carry them. */
export type ResourceList = Record<string, string | number>
type BindingUsage = Pick<BindingSpec, 'clusters' | 'components' | 'replicaRequirements'>

/**
 * Usage of the scheduled replicas of a binding. A workload with several components counts one set per cluster; any
 * other its request per replica in `spec.clusters`. Unscheduled bindings use nothing.
 */
export function usageOf({ clusters = [], components = [], replicaRequirements }: BindingUsage): Amounts {
  if (components.length > 0) {
    const set = components.map(({ replicas, replicaRequirements: one }) => timesList(one?.resourceRequest, replicas))
    return timesList(listOf(sumOf(set)), clusters.length)
  }
  const replicas = clusters.reduce((sum, cluster) => sum + (cluster.replicas ?? 0), 0)
  return timesList(replicaRequirements?.resourceRequest, replicas)
}

/** Usage of all bindings for the resources in `overall`, as in `status.overallUsed`. */
export function totalUsage(bindings: readonly BindingUsage[], overall: ResourceList): ResourceList {
  const sum = [...sumOf(bindings.map(usageOf))]
  return listOf(new Map(sum.filter(([name]) => Object.hasOwn(overall, name))))
}

/** The write of a binding, and the quotas of its namespace. */
export interface QuotaSnapshot {
  /** Absent when the binding is created. */
  old?: BindingUsage | undefined
  next: BindingUsage
  quotas: readonly FederatedResourceQuota[]
}

/** The use of a quota once the write has happened. */
export interface QuotaUpdate {
  quota: FederatedResourceQuota
  overallUsed: ResourceList
}

export type QuotaVerdict = { allowed: true; updates: readonly QuotaUpdate[] } | { allowed: false; refusal: KubeError }

/**
 * Judges a write by the difference that it makes to `status.overallUsed`, for each quota and resource in the order of
 * their names. A write is refused if it increases the use of a resource beyond the limit. A write that does not
 * increase the use is allowed even above the limit, because evictions and smaller workloads must pass a lowered quota.
 */
export function reviewQuota({ old, next, quotas }: QuotaSnapshot): QuotaVerdict {
  const difference = differenceOf(usageOf(next), old ? usageOf(old) : new Map())
  const updates: QuotaUpdate[] = []
  for (const quota of quotas) {
    const change = [...difference].filter(([name]) => Object.hasOwn(quota.spec.overall, name))
    if (change.length === 0) continue
    const used = sumOf([amountsOf(quota.status?.overallUsed), new Map(change)])
    const exceeded = change.find(
      ([name, { nano }]) => nano > 0n && isAbove(used.get(name), ownField(quota.spec.overall, name)),
    )
    if (exceeded) return { allowed: false, refusal: quotaExceeded(quota, exceeded[0], used.get(exceeded[0])!) }
    updates.push({ quota, overallUsed: listOf(used) })
  }
  return { allowed: true, updates }
}

function quotaExceeded({ metadata, spec }: FederatedResourceQuota, resource: string, used: Quantity): KubeError {
  const sum = formatQuantity(used)
  const limit = formatQuantity(tryParseQuantity(ownField(spec.overall, resource)!) ?? ZERO)
  const text =
    `FederatedResourceQuota(${metadata.namespace}/${metadata.name}) exceeded for resource ${resource}: `
    + `requested sum ${sum}, limit ${limit}.`
  return kubeError(403, 'QuotaExceeded', denied('resourcebinding.karmada.io', text).message)
}

/** True when a quota leaves more of some resource than before, so that refused bindings may fit. */
export function increasesHeadroom(before: FederatedResourceQuota, after: FederatedResourceQuota): boolean {
  return Object.keys(before.spec.overall).some((name) => {
    const left = roomIn(after, name)
    return left === undefined || compareQuantity(left, roomIn(before, name) ?? ZERO) > 0
  })
}

/** Undefined where there is no limit. */
function roomIn({ spec, status }: FederatedResourceQuota, name: string): Quantity | undefined {
  const limit = ownField(spec.overall, name)
  if (limit === undefined) return undefined
  const used = ownField(status?.overallUsed ?? {}, name) ?? 0
  return subQuantity(tryParseQuantity(limit) ?? ZERO, tryParseQuantity(used) ?? ZERO)
}

function isAbove(used: Quantity = ZERO, limit: string | number = 0): boolean {
  return compareQuantity(used, tryParseQuantity(limit) ?? ZERO) > 0
}

function timesList(list: ResourceList = {}, count: number): Amounts {
  if (count <= 0) return new Map()
  const entries = [...amountsOf(list)].map(
    ([name, { nano, format }]) => [name, { nano: nano * BigInt(count), format }] as const,
  )
  return new Map(entries)
}

/** Sorted by name, without zeros and invalid quantities. */
function amountsOf(list: ResourceList = {}): Amounts {
  const entries = Object.entries(list).map(([name, amount]) => [name, tryParseQuantity(amount) ?? ZERO] as const)
  return inOrder(entries)
}

function sumOf(lists: readonly Amounts[]): Amounts {
  const sum = new Map<string, Quantity>()
  for (const list of lists) {
    for (const [name, amount] of list) sum.set(name, addQuantity(sum.get(name) ?? ZERO, amount))
  }
  return inOrder(sum)
}

function differenceOf(next: Amounts, old: Amounts): Amounts {
  const names = [...new Set([...next.keys(), ...old.keys()])]
  return inOrder(names.map((name) => [name, subQuantity(next.get(name) ?? ZERO, old.get(name) ?? ZERO)]))
}

function inOrder(entries: Iterable<readonly [string, Quantity]>): Amounts {
  return new Map([...entries].filter(([, { nano }]) => nano !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** As in a status: exact, without unused resources, each in the notation of its first request. */
function listOf(amounts: Amounts): ResourceList {
  const present = [...amounts].filter(([, { nano }]) => nano > 0n)
  return Object.fromEntries(present.map(([name, amount]) => [name, formatQuantity(amount)]))
}
