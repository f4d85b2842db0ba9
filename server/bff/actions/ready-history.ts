/** Returns the ready replicas of the last 24 hours, from the journal. */
import type { JournalEntry } from '@/lib/view/journal'
import type { ReadyHistoryView } from '@/lib/view/failover-model'
import { sumWorkloads } from '@/lib/view/replica-sums'
import { READY_FACTS, readyHistory, type RecordedState } from '@/lib/view/project/ready-history'
import { isoTime } from '@/lib/std/clock'
import type { Scope } from '../access/access'
import { CLUSTERS } from '../access/resources'
import type { ApiDeps } from './api-deps'
import { seesEntry } from './read-journal'

const DAY_MS = 86_400_000
/** Reading a day of the journal takes up to some hundred milliseconds: users with the same rights share an answer. */
const MAX_AGE_MS = 10_000
/** An answer is kept this many times as long as it took to read, so that reading costs at most a twentieth of a core. */
const KEPT_FOR_READS = 20
/** Limit of the cached answers, one for each set of rights. */
const MAX_KEPT = 32

interface Kept {
  /** In milliseconds of the monotonic clock; infinite while it is read. */
  until: number
  view: Promise<ReadyHistoryView>
}

type Deps = Pick<ApiDeps, 'journal' | 'clock'> & { views: Pick<ApiDeps['views'], 'workloads'> }

export class ReadyHistory {
  readonly #kept = new Map<string, Kept>()

  constructor(private readonly deps: Deps) {}

  view(scope: Scope): Promise<ReadyHistoryView> {
    const began = performance.now()
    const known = this.#kept.get(scope.key)
    if (known && began < known.until) return known.view
    const kept: Kept = { until: Infinity, view: this.#read(scope) }
    this.#kept.delete(scope.key)
    this.#kept.set(scope.key, kept)
    kept.view.then(
      () => (kept.until = began + Math.min(MAX_AGE_MS, KEPT_FOR_READS * (performance.now() - began))),
      () => this.#kept.delete(scope.key),
    )
    for (const oldest of [...this.#kept.keys()].slice(0, -MAX_KEPT)) this.#kept.delete(oldest)
    return kept.view
  }

  /** What is ready and what is missing are from the same moment: entries that are written while it reads do not count. */
  async #read(scope: Scope): Promise<ReadyHistoryView> {
    const { journal, clock, views } = this.deps
    const now = clock.now()
    const since = now - DAY_MS
    const { position } = journal
    const recorded = this.#recorded(scope, isoTime(now))
    const { ready } = sumWorkloads(views.workloads.ids().flatMap((id) => views.workloads.row(id, scope) ?? []))
    const entries: JournalEntry[] = []
    for await (const entry of journal.read({ since: isoTime(since), whats: READY_FACTS }))
      if (entry.seq <= position && seesEntry(scope, entry)) entries.push(entry)
    return { ...readyHistory(entries, { since, now, begunAt: journal.begunAt, recorded }), ready }
  }

  #recorded(scope: Scope, at: string): RecordedState {
    const { journal } = this.deps
    const replicas = journal.recordedReplicas().filter((record) => seesEntry(scope, { seq: 0, at, ...record }))
    return { replicas, silent: scope.sees(CLUSTERS) ? journal.silentClusters() : [] }
  }
}
