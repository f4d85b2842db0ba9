'use client'
import { useQuery } from '@tanstack/react-query'
import type { LossSurveyView } from '@/lib/view/rebalance-model'
import { read } from '../hooks/actions'

export const SURVEY = '/api/v1/what-ifs/survey'
const REFRESH_MS = 20_000
/** While a survey runs, its progress is shown. */
const PROGRESS_MS = 2000

/** Which clusters could fail without loss, by the real decisions on the server: the worst first, with their age. */
export function useLossSurvey() {
  return useQuery({
    queryKey: ['loss-survey'],
    queryFn: ({ signal }) => read<LossSurveyView>(SURVEY, signal),
    retry: false,
    refetchInterval: ({ state: { data } }) =>
      data?.computedAt !== undefined && data.clusters.length < data.total ? PROGRESS_MS : REFRESH_MS,
  }).data
}
