'use client'
import { useQueries } from '@tanstack/react-query'
import type { MemberWorkloadView } from '@/lib/view/member-model'
import { read } from '../hooks/actions'

const REFRESH_MS = 3000
/** With more clusters each is asked less often. */
const AT_ONCE = 8

export interface InMember {
  view?: MemberWorkloadView
  /** Why it cannot be read, or not any more. */
  problem?: string
}

/** A workload and its pods in each of these clusters, read there as the user. */
export function useMemberPods(id: string, clusters: readonly string[]): ReadonlyMap<string, InMember> {
  const everyMs = REFRESH_MS * Math.max(1, Math.ceil(clusters.length / AT_ONCE))
  return useQueries({
    queries: clusters.map((cluster) => ({
      queryKey: ['member-pods', cluster, id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        read<MemberWorkloadView>(
          `/api/v1/clusters/${encodeURIComponent(cluster)}/pods?workload=${encodeURIComponent(id)}`,
          signal,
        ),
      refetchInterval: everyMs,
      retry: false,
    })),
    combine: (results) =>
      new Map(
        results.map(({ data, error }, index) => [
          clusters[index] ?? '',
          { ...(data && { view: data }), ...(error && { problem: error.message }) },
        ]),
      ),
  })
}
