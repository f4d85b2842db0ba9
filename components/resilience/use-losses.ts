'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LossesView, LossView } from '@/lib/view/rebalance-model'
import { read } from '../hooks/actions'

const LOSSES = '/api/v1/what-ifs/losses'
const REFRESH_MS = 5_000
const PROGRESS_MS = 1500
const KEY = ['losses']

/** All simulated losses. They are asked for more often while they are computed. */
export function useLosses() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => read<LossesView>(LOSSES, signal),
    retry: false,
    refetchInterval: ({ state: { data, error } }) => (data?.progress || error ? PROGRESS_MS : REFRESH_MS),
  })
}

/** Orders a computation. */
export function useComputeLosses() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (what: 'start' | 'pairs') => read<LossesView>(`${LOSSES}?compute=${what}`),
    onSuccess: (losses) => client.setQueryData(KEY, losses),
  })
}

/** One loss of one or two clusters. `computedAt`: of the losses that are shown. */
export function useLoss(clusters: readonly string[], computedAt: string | undefined) {
  const names = clusters.join(',')
  return useQuery({
    queryKey: ['loss', names, computedAt],
    queryFn: ({ signal }) => read<LossView>(`${LOSSES}/${encodeURIComponent(names)}`, signal),
    enabled: names !== '' && computedAt !== undefined,
    retry: false,
    staleTime: Infinity,
    // The same loss, computed again.
    placeholderData: (last) => (last && isSameSet(last.clusters, clusters) ? last : undefined),
  })
}

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name) => other.includes(name))
