/** Returns the ready replicas of the last 24 hours, from the journal. */
import type { JournalEntry } from '@/lib/view/journal'
import type { ReadyHistoryView } from '@/lib/view/failover-model'
import { READY_FACTS, readyHistory } from '@/lib/view/project/ready-history'
import { isoTime } from '@/lib/std/clock'
import type { Scope } from '../access/access'
import type { ApiDeps } from './api-deps'
import { seesEntry } from './read-journal'

const DAY_MS = 86_400_000
/**
 * Reading a day of the journal takes up to some hundred milliseconds, so users with the same rights share an answer.
 */
const FRESH_MS = 10_000
/** Limit of the cached answers, one for each set of rights. */
const MAX_KEPT = 32

interface Kept {
  at: number
  view: Promise<ReadyHistoryView>
}

export class ReadyHistory {
  readonly #kept = new Map<string, Kept>()

  constructor(private readonly deps: Pick<ApiDeps, 'journal' | 'clock'>) {}

  view(scope: Scope): Promise<ReadyHistoryView> {
    const now = this.deps.clock.now()
    const known = this.#kept.get(scope.key)
    if (known && now - known.at < FRESH_MS) return known.view
    const view = this.#read(scope, now)
    this.#kept.delete(scope.key)
    this.#kept.set(scope.key, { at: now, view })
    view.catch(() => this.#kept.delete(scope.key))
    for (const oldest of [...this.#kept.keys()].slice(0, -MAX_KEPT)) this.#kept.delete(oldest)
    return view
  }

  async #read(scope: Scope, now: number): Promise<ReadyHistoryView> {
    const since = now - DAY_MS
    const entries: JournalEntry[] = []
    const query = { since: isoTime(since), whats: READY_FACTS }
    for await (const entry of this.deps.journal.read(query)) if (seesEntry(scope, entry)) entries.push(entry)
    const { begunAt } = this.deps.journal
    return readyHistory(entries, { since, now, ...(begunAt !== undefined && { begunAt }) })
  }
}
