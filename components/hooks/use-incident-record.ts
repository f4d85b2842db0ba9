'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordQuery } from '@/lib/view/actions'
import type { IncidentRecord } from '@/lib/view/failover-model'
import { continued, isAnother, MISSING_MS, readAgainAfter } from '@/lib/view/incident/reading'
import { type Replay, replayOf } from '@/lib/view/incident/replay'
import { ActionFailure, read } from './actions'

interface Read {
  record: IncidentRecord
  replay: Replay
  /** By the clock of this browser, which may differ from the server's. */
  readAt: number
}

/** The record of an incident, read on while it runs; only what is new is fetched. */
export function useIncidentRecord(subject: Omit<RecordQuery, 'after'>) {
  const client = useQueryClient()
  const { cluster, workload, plan, since } = subject
  const queryKey = ['incident', cluster, workload, plan, since]
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Read> => {
      const known = client.getQueryData<Read>(queryKey)?.record
      const next = await read<IncidentRecord>(addressOf(subject, known), signal)
      const record =
        known && isAnother(known, next)
          ? await read<IncidentRecord>(addressOf(subject, undefined), signal)
          : known
            ? continued(known, next)
            : next
      return { record, replay: replayOf(record), readAt: Date.now() }
    },
    enabled: cluster !== undefined || plan !== undefined,
    refetchInterval: ({ state: { data, error } }) =>
      isGone(error) ? MISSING_MS : readAgainAfter(data?.replay, subject),
    placeholderData: keepPreviousData,
    structuralSharing: false,
    retry: false,
  })
  const { data, error } = query
  return { replay: data?.replay, readAt: data?.readAt ?? 0, isGone: isGone(error), error: error as Error | null }
}

const isGone = (error: unknown): boolean => error instanceof ActionFailure && error.code === 404

function addressOf({ cluster, workload, plan, since }: RecordQuery, known: IncidentRecord | undefined): string {
  const after = known?.entries.at(-1)?.seq
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ cluster, workload, plan, since, after })) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return `/api/v1/failovers/record?${parameters.toString()}`
}
