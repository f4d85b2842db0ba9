'use client'
import { useQuery } from '@tanstack/react-query'
import type { AboutView } from '@/lib/view/model'
import { readAbout } from './actions'

const REFRESH_MS = 10_000

/** Which control plane the server reads; refreshed while the page is visible. */
export function useAbout() {
  return useQuery({ queryKey: ['about'], queryFn: readAbout, refetchInterval: REFRESH_MS })
}

/** False once it is known that the control plane does not have the kind. */
export function useKindServed(wanted: string): boolean {
  const { data } = useQuery({ queryKey: ['about'], queryFn: readAbout, staleTime: REFRESH_MS })
  const found = data?.kinds.find(({ kind }) => kind === wanted)
  // While the API server does not answer, a kind counts as not served although nothing is known.
  return found === undefined || found.served || found.unknown === true
}

/** When the workloads of a failed cluster are evicted; undefined until that is known. */
export function useClusterFailover(): AboutView['failover'] | undefined {
  const { data } = useQuery({ queryKey: ['about'], queryFn: readAbout, staleTime: REFRESH_MS })
  return data?.failover
}

const NONE: readonly string[] = []

/** Namespaces in which the reader has rights that they do not have in all of them. */
export function useOwnNamespaces(): readonly string[] {
  const { data } = useQuery({ queryKey: ['about'], queryFn: readAbout, staleTime: REFRESH_MS })
  return data?.namespaces ?? NONE
}

/** Without RebalancePlans only WorkloadRebalancers can be made. */
export const usePlansServed = (): boolean => useKindServed('RebalancePlan')

/** Schedulers place workloads again on request since Karmada 1.11, which also brought WorkloadRebalancers. */
export const useRebalancesServed = (): boolean => useKindServed('WorkloadRebalancer')
