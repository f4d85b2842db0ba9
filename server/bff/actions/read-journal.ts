/** Gives out the journal. */
import type { IncomingMessage } from 'node:http'
import { journalQuery } from '@/lib/view/actions'
import type { JournalEntry } from '@/lib/view/journal'
import { refuse } from '../http/refusal'
import type { Answer } from '../http/router'
import type { Journal } from '../recorder/journal'

/** Entries are put together into chunks of about this many characters. */
const CHUNK = 32_768

/** GET /api/journal?workload=&cluster=&since=&download=1: a JSON list, oldest first, sent while it is read. */
export function readJournal({ journal }: { journal: Journal }, { url = '' }: IncomingMessage): Answer {
  const { searchParams } = new URL(url, 'http://localhost')
  const { download, ...given } = Object.fromEntries(searchParams)
  const parsed = journalQuery.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw refuse(400, 'Invalid', `${issue?.path.join('.') || 'The question'}: ${issue?.message ?? 'is not valid'}`, { field: String(issue?.path[0] ?? '') })
  }
  return {
    status: 200, contentType: 'application/json; charset=utf-8', chunks: listOf(journal.read(parsed.data)),
    ...(download && { fileName: 'evenkeel-journal.json' }),
  }
}

async function* listOf(entries: AsyncIterable<JournalEntry>): AsyncIterable<string> {
  let text = '['
  let isFirst = true
  for await (const entry of entries) {
    text += `${isFirst ? '' : ','}\n${JSON.stringify(entry)}`
    isFirst = false
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  yield `${text}\n]\n`
}
