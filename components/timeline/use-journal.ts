'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { JournalEntry, JournalQuery } from '@/lib/view/journal'
import { readJournal } from '../hooks/actions'
import { useNow } from '../hooks/use-now'

const REFRESH_MS = 5000

interface Recorded {
  entries: readonly JournalEntry[]
  /** Requested range, which ends at the time of the response. */
  from: number
  to: number
}

/** The last `hours` of the journal about a workload or a cluster; undefined until it is there. */
export function useJournal(subject: Omit<JournalQuery, 'since'>, hours: number) {
  const { workload, cluster } = subject
  const query = useQuery({
    queryKey: ['journal', workload, cluster, hours],
    queryFn: async ({ signal }): Promise<Recorded> => {
      const from = Date.now() - hours * 3_600_000
      const entries = await readJournal({ workload, cluster, since: new Date(from).toISOString() }, signal)
      return { entries, from, to: Date.now() }
    },
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const now = useNow()
  const to = Math.max(query.data?.to ?? 0, now)
  return useMemo(
    () => ({ recorded: query.data && { ...query.data, to }, error: query.error }),
    [query.data, query.error, to],
  )
}
