/** How many replicas the ResourceQuotas of a member leave room for. */
import type { ResourceQuota } from '@/lib/kube/kinds'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { countedAmount } from './capacity'
import type { Estimator } from './estimator'
import { readRequests, type Request, unreadable } from './requests'

/** The ResourceQuotas of a namespace in a cluster, as far as they are known. */
export type QuotasOf = (cluster: string, namespace: string) => readonly ResourceQuota[]

/**
 * Judges by what the quotas of the workload's namespace leave in each cluster. Quotas with scopes are left out, and so
 * are workloads of several templates and those whose binding does not say the namespace.
 */
export function quotaEstimator(quotasOf: QuotasOf): Estimator {
  return {
    name: 'quota-estimator',
    compile: ({ replicaRequirements }) => {
      const namespace = replicaRequirements?.namespace
      const requests = readRequests(replicaRequirements?.resourceRequest)
      if (!namespace || requests === unreadable || requests.length === 0) return () => undefined
      return ({ cluster }) => {
        const rooms = quotasOf(cluster.metadata.name, namespace).flatMap((quota) => roomsIn(quota, requests))
        return rooms.length > 0 ? Math.min(...rooms) : undefined
      }
    },
  }
}

/** One for each request that the quota limits. */
function roomsIn({ spec, status }: ResourceQuota, requests: readonly Request[]): number[] {
  if (spec.scopes?.length || spec.scopeSelector) return []
  const { hard = {}, used = {} } = status ?? {}
  return requests.flatMap(({ resource, counted }) =>
    [resource, `requests.${resource}`].flatMap((name) => {
      const limit = amountOf(hard, name, resource)
      if (limit === undefined) return []
      const free = limit - (amountOf(used, name, resource) ?? 0n)
      return [free > 0n ? Number(free / counted) : 0]
    }),
  )
}

function amountOf(list: Readonly<Record<string, string | number>>, name: string, resource: string): bigint | undefined {
  const text = list[name]
  const quantity = text === undefined ? undefined : tryParseQuantity(text)
  return quantity && countedAmount(resource, quantity)
}
