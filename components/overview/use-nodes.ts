'use client'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MemberNodesView } from '@/lib/view/member-model'
import type { ClusterView } from '@/lib/view/model'
import { read } from '../hooks/actions'
import { MAX_FOR_BLOCKS } from './federation'
import { hasFewNodes } from './node-columns'

const REFRESH_MS = 4000
/** While replicas start. */
const BUSY_MS = 1000
/** Of a cluster that does not list its nodes, or not to this user. */
const RETRY_MS = 60_000

/** The nodes of small clusters in a small federation, as they were last read: those of a lost cluster stay. */
export function useNodes(clusters: readonly ClusterView[]): ReadonlyMap<string, MemberNodesView> {
  const asked = clusters.length <= MAX_FOR_BLOCKS ? clusters : NONE
  const views = useQueries({
    queries: asked.map((cluster) => ({
      queryKey: ['cluster-nodes', cluster.name],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        read<MemberNodesView>(`/api/v1/clusters/${encodeURIComponent(cluster.name)}/nodes`, signal),
      enabled: hasFewNodes(cluster),
      refetchInterval: ({ state }: { state: { error: unknown } }) =>
        state.error ? RETRY_MS : cluster.replicas.ready < cluster.replicas.desired ? BUSY_MS : REFRESH_MS,
      retry: false,
    })),
    combine: dataOf,
  })
  return useMemo(() => new Map(asked.flatMap(({ name }, at) => (views[at] ? [[name, views[at]]] : []))), [asked, views])
}

const NONE: readonly ClusterView[] = []
const dataOf = <T>(answers: readonly { data: T }[]): T[] => answers.map(({ data }) => data)
