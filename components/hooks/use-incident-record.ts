'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordQuery } from '@/lib/view/actions'
import type { IncidentRecord } from '@/lib/view/failover-model'
import { isSettled } from '@/lib/view/incident/layout'
import { type Replay, replayOf } from '@/lib/view/incident/replay'
import { ActionFailure, read } from './actions'

/** How often the record of an incident that runs is read on. */
const REFRESH_MS = 1000

/** For so long after the end entries may still come; the server sends none after that. */
const AFTERMATH_MS = 600_000

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
      const record = known ? continued(known, next) : next
      return { record, replay: replayOf(record), readAt: Date.now() }
    },
    enabled: cluster !== undefined || plan !== undefined,
    refetchInterval: ({ state: { data, error } }) =>
      isGone(error) || (data && isOver(data.replay)) ? false : REFRESH_MS,
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

/** The former record with what came since; another incident of the same cluster, and an answer to the whole question, begin anew. */
function continued(known: IncidentRecord, next: IncidentRecord): IncidentRecord {
  const wasWhole = (known.entries.at(-1)?.seq ?? 0) === 0
  if (known.since !== next.since || wasWhole) return next
  return {
    ...next,
    readiness: { ...next.readiness, ...known.readiness },
    truncated: known.truncated || next.truncated,
    entries: next.entries.length === 0 ? known.entries : [...known.entries, ...next.entries],
  }
}

/** Nothing more will be recorded of it. */
const isOver = (replay: Replay): boolean =>
  replay.endedAt !== undefined && (isSettled(replay) || replay.now > replay.endedAt + AFTERMATH_MS)
