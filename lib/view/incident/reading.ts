/** How the record of an incident is read on: what is fetched again, and when. */
import type { RecordQuery } from '../actions'
import type { IncidentRecord } from '../failover-model'
import { isSettled } from './layout'
import type { Replay } from './replay'

/** How often the record of an incident that runs is read on. */
const RUNNING_MS = 1000
/** How often it is read after an end that was seen: a cluster that answers for a moment only is lost again. */
const ENDED_MS = 10_000
/** How often it is asked for while the server has none: the page may be opened before the incident begins. */
export const MISSING_MS = 5000
/** Entries may be added this long after the end; the server sends none after that. */
const AFTERMATH_MS = 600_000

/** The time until the next read; false where nothing more can be recorded. */
export function readAgainAfter(replay: Replay | undefined, { plan, since }: RecordQuery): number | false {
  if (replay?.endedAt === undefined) return RUNNING_MS
  if (replay.now <= replay.endedAt + AFTERMATH_MS) return isSettled(replay) ? ENDED_MS : RUNNING_MS
  // Without a time the latest incident of the cluster is shown, and there may be another.
  return plan === undefined && since === undefined ? ENDED_MS : false
}

/** Another incident of the same cluster, whose record begins before what is known. */
export const isAnother = (known: IncidentRecord, next: IncidentRecord): boolean => known.since !== next.since

/** The former record with what came since; an answer to the whole question takes its place. */
export function continued(known: IncidentRecord, next: IncidentRecord): IncidentRecord {
  const wasWhole = (known.entries.at(-1)?.seq ?? 0) === 0
  if (wasWhole) return next
  return {
    ...next,
    readiness: { ...next.readiness, ...known.readiness },
    truncated: known.truncated || next.truncated,
    entries: next.entries.length === 0 ? known.entries : [...known.entries, ...next.entries],
  }
}
