'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Message } from '@/lib/messages'
import type { PlanRunView, RebalanceLoadView } from '@/lib/view/rebalance-model'
import { read } from '../hooks/actions'
import { canRetry } from '../ui/retry-button'

/** Clusters report about as often. */
const REFRESH_MS = 10_000
/** The reports of the clusters follow the last move: until then replicas that are gone still count. */
const READS_AT_THE_END = 3

/** What is known of the load: the figures, or why there are none. */
export interface KnownLoad {
  view?: RebalanceLoadView | undefined
  refused?: Message | string | undefined
}

/**
 * The load of the clusters of a plan, read again whenever a workload has arrived, and from time to time while it runs and for a
 * while after its end.
 */
export function usePlanLoad({ name, finishedAt, counts: { pending, moving, done } }: PlanRunView): KnownLoad {
  const { data, error } = useQuery({
    queryKey: ['plan-load', name, pending, moving, done],
    queryFn: ({ signal }) =>
      read<RebalanceLoadView>(`/api/v1/rebalance-plans/${encodeURIComponent(name)}/load`, signal),
    refetchInterval: ({ state: { error, dataUpdateCount } }) => {
      const mayChange = finishedAt === undefined || dataUpdateCount < READS_AT_THE_END
      return mayChange && (!error || canRetry(error)) ? REFRESH_MS : false
    },
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { view: data, refused: error?.message }
}
