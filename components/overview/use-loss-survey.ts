'use client'
import { useQuery } from '@tanstack/react-query'
import type { ClusterView } from '@/lib/view/model'
import type { LossSurveyView } from '@/lib/view/rebalance-model'
import { read } from '../hooks/actions'

export const SURVEY = '/api/v1/what-ifs/survey'
const REFRESH_MS = 20_000
/** While a survey runs, or is about clusters that failed since. */
const PROGRESS_MS = 2000

/** Clusters of the survey that failed since: it is about a fleet that is no more. */
export function lostSince(survey: LossSurveyView, clusters: readonly ClusterView[]): string[] {
  const lost = new Set(clusters.filter(({ ready }) => ready !== 'True').map(({ name }) => name))
  return survey.clusters.map(({ cluster }) => cluster).filter((name) => lost.has(name))
}

/** Which clusters could fail without loss, by the real decisions on the server: the worst first, with their age. */
export function useLossSurvey(clusters: readonly ClusterView[]) {
  return useQuery({
    queryKey: ['loss-survey'],
    queryFn: ({ signal }) => read<LossSurveyView>(SURVEY, signal),
    retry: false,
    refetchInterval: ({ state: { data } }) =>
      data?.computedAt !== undefined && (data.clusters.length < data.total || lostSince(data, clusters).length > 0)
        ? PROGRESS_MS
        : REFRESH_MS,
  }).data
}
