'use client'
import { useQuery } from '@tanstack/react-query'
import { readAbout } from './actions'

const REFRESH_MS = 10_000

/** What control plane the server looks at; refreshed while somebody looks. */
export function useAbout() {
  return useQuery({ queryKey: ['about'], queryFn: readAbout, refetchInterval: REFRESH_MS })
}

/** False once it is known that the control plane has no RebalancePlans; then only WorkloadRebalancers can be made. */
export function usePlansServed(): boolean {
  const { data } = useQuery({ queryKey: ['about'], queryFn: readAbout, staleTime: REFRESH_MS })
  return data?.kinds.find(({ kind }) => kind === 'RebalancePlan')?.served ?? true
}
