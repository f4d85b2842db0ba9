/** How many replicas the ResourceQuotas of a member leave room for. */
import type { ResourceQuota } from '@/lib/kube/kinds'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { tryParseQuantity } from '@/lib/kube/quantity'
import type { AssumedIn, AssumedWorkload } from './assumed'
import { countedAmount } from './capacity'
import type { Estimator } from './estimator'
import { readRequests, requestsOfSet, unreadable } from './requests'

/** The ResourceQuotas of a namespace in a cluster, as far as they are known. */
export type QuotasOf = (cluster: string, namespace: string) => readonly ResourceQuota[]

type Amounts = ReadonlyMap<string, bigint>

/**
 * Estimates by the remaining quotas of the workload's namespace in each cluster, minus assumed workloads. Quotas with
 * scopes are ignored, and so are workloads whose binding does not name the namespace.
 */
export function quotaEstimator(quotasOf: QuotasOf, assumedIn: AssumedIn = () => []): Estimator {
  return {
    name: 'quota-estimator',
    compile: (spec, { wholeSets } = { wholeSets: false }) => {
      const namespace = wholeSets ? spec.resource.namespace : spec.replicaRequirements?.namespace
      const requests = wholeSets ? requestsOfSet(spec.components ?? []) : requestsOfReplica(spec)
      if (!namespace || requests.size === 0) return () => undefined
      return ({ cluster: { metadata } }) => {
        const quotas = quotasOf(metadata.name, namespace)
        if (quotas.length === 0) return undefined
        const assumed = assumedFor(namespace, assumedIn(metadata.name))
        const limits = quotas.flatMap((quota) => limitsIn(quota, requests, assumed))
        return limits.length > 0 ? Math.min(...limits) : undefined
      }
    },
  }
}

function requestsOfReplica({ replicaRequirements }: BindingSpec): Amounts {
  const requests = readRequests(replicaRequirements?.resourceRequest)
  return new Map(requests === unreadable ? [] : requests.map(({ resource, counted }) => [resource, counted]))
}

function assumedFor(namespace: string, assumed: readonly AssumedWorkload[]): Amounts {
  return requestsOfSet(assumed.filter((one) => one.namespace === namespace).flatMap(({ components }) => components))
}

/** One for each request that the quota limits; none is left where the workloads on their way exceed the quota. */
function limitsIn({ spec, status }: ResourceQuota, requests: Amounts, assumed: Amounts): number[] {
  if (spec.scopes?.length || spec.scopeSelector) return []
  const { hard = {}, used = {} } = status ?? {}
  const freeOf = (resource: string): bigint[] =>
    [resource, `requests.${resource}`].flatMap((name) => {
      const limit = amountOf(hard, name, resource)
      if (limit === undefined) return []
      return [limit - (amountOf(used, name, resource) ?? 0n) - (assumed.get(resource) ?? 0n)]
    })
  const limits = [...requests].flatMap(([resource, counted]) =>
    freeOf(resource).map((free) => (free > 0n ? Number(free / counted) : 0)),
  )
  const isExceeded = [...assumed.keys()].some((resource) => freeOf(resource).some((free) => free < 0n))
  return isExceeded ? [0] : limits
}

function amountOf(list: Readonly<Record<string, string | number>>, name: string, resource: string): bigint | undefined {
  const text = list[name]
  const quantity = text === undefined ? undefined : tryParseQuantity(text)
  return quantity && countedAmount(resource, quantity)
}
