/** Serves the journal. */
import type { z } from 'zod'
import type { journalQuery } from '@/lib/view/actions'
import { isoTime, parseTime } from '@/lib/std/clock'
import type { JournalEntry, JournalQuery } from '@/lib/view/journal'
import type { Scope } from '../access/access'
import { CLUSTERS, PLANS, seesAllWorkloads, seesWorkloadThen } from '../access/resources'
import type { Streamed } from '../http/endpoint'
import type { Journal } from '../recorder/journal'

/** Entries are combined into chunks of about this many characters. */
const CHUNK = 32_768

/** Streams the entries that match the query and that the scope sees, oldest first, while they are read. */
export function readJournal(
  { journal }: { journal: Journal },
  { download, ...query }: z.infer<typeof journalQuery>,
  scope: Scope,
): Streamed {
  return {
    chunks: listOf(withBeginning(journal, query), scope),
    ...(download && { fileName: 'evenkeel-journal.json' }),
  }
}

/** Nothing is known before the oldest entry, so a query that starts earlier gets a gap first. */
async function* withBeginning(journal: Journal, query: JournalQuery): AsyncIterable<JournalEntry> {
  const { begunAt } = journal
  if (query.since !== undefined && begunAt !== undefined && parseTime(query.since) < begunAt)
    yield { seq: 0, at: isoTime(begunAt), what: 'gap', from: query.since, why: 'unrecorded' }
  yield* journal.read(query)
}

async function* listOf(entries: AsyncIterable<JournalEntry>, scope: Scope): AsyncIterable<string> {
  let text = '['
  let isFirst = true
  for await (const entry of entries) {
    if (!seesEntry(scope, entry)) continue
    text += `${isFirst ? '' : ','}\n${JSON.stringify(entry)}`
    isFirst = false
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  yield `${text}\n]\n`
}

/** Reports whether the scope sees an entry. Gaps belong to every answer. Scores cover all workloads. */
export function seesEntry(scope: Scope, entry: JournalEntry): boolean {
  if (entry.what === 'resilience') return seesAllWorkloads(scope)
  if (entry.what === 'accuracy') return scope.sees(PLANS)
  if ('workload' in entry) return seesWorkloadThen(scope, entry.workload, entry.at)
  return entry.what === 'gap' || scope.sees(CLUSTERS)
}
