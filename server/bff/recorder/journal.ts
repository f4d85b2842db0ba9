/**
 * The journal of what was observed, kept in a storage that may outlive the process. The API holds only the present; this
 * is the only place where the past can be seen.
 */
import type { IgnoredTrigger } from '@/lib/domain/rebalance'
import { isoTime, type Clock, type EpochMs, parseTime } from '@/lib/std/clock'
import {
  answersQuery,
  type JournalEntry,
  type JournalFact,
  type JournalQuery,
  parseJournalLine,
} from '@/lib/view/journal'
import type { ReplicasInCluster } from '@/lib/view/model'
import type { PastFailoverView } from '@/lib/view/failover-model'
import { type Facts, factNameOf, workloadSubject } from '@/lib/view/project/journal-facts'
import { type OpenFailover, FailoverHistory } from '@/lib/view/project/past-failovers'
import { PredictionHistory } from '@/lib/view/project/prediction-history'
import { StayHistory } from '@/lib/view/project/stay-history'
import type { PlacementChange } from '@/lib/view/project/timeline'
import { Signal } from '../cache/signal'
import type { JournalStorage } from './journal-files'
import { journalInMemory } from './journal-memory'

export interface JournalLimits {
  /** Workloads whose placements are at hand; the one that changed longest ago is left to the storage. */
  workloads: number
  /** Placements at hand of one workload. */
  changes: number
}

export interface JournalOptions {
  clock: Clock
  /** Default: in memory. */
  storage?: JournalStorage
  limits?: JournalLimits
  /** Told how many lines could not be read. */
  onDamage?: (lines: number) => void
}

/** The score of the fleet from then on. */
export interface ScoreAt {
  at: string
  score: number
}

/** Scores at hand. */
const MOST_SCORES = 500

const DEFAULT_LIMITS: JournalLimits = { workloads: 5000, changes: 50 }
/** Entries that belong to answers though they do not name who is asked for; see `answersQuery`. */
const ALWAYS = /"what":"(gap|ready)"/
/** Entries are written with their number first. */
const SEQ = /^\{"seq":(\d+)/
const NONE: readonly PlacementChange[] = []

/** A journal that knows what its storage holds. Rejects when that cannot be read. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const journal = new Journal(options)
  await journal.recall()
  return journal
}

export class Journal {
  /** Emits the id of each workload whose placement changed. */
  readonly placementTouched = new Signal()
  /** Emits the id of each failover that ended; see `pastFailover`. */
  readonly failoverEnded = new Signal()
  /** Emits the id of each workload, or `cluster NAME`, of which something was noted. */
  readonly touched = new Signal()
  readonly #clock: Clock
  readonly #storage: JournalStorage
  readonly #limits: JournalLimits
  readonly #onDamage: (lines: number) => void
  readonly #history = new FailoverHistory((id) => this.failoverEnded.emit(id))
  readonly #stays = new StayHistory()
  /** What was foretold of incidents. */
  readonly predictions = new PredictionHistory()
  /** By subject, as of the latest entry or sight. */
  readonly #known = new Map<string, Map<string, unknown>>()
  /** In order of the last change. */
  readonly #placements = new Map<string, readonly PlacementChange[]>()
  #scores: readonly ScoreAt[] = []
  #seq = 0

  constructor({
    clock,
    storage = journalInMemory(),
    limits = DEFAULT_LIMITS,
    onDamage = () => undefined,
  }: JournalOptions) {
    this.#clock = clock
    this.#storage = storage
    this.#limits = limits
    this.#onDamage = onDamage
  }

  /** When the oldest entry that is still there was seen; undefined without any. */
  get begunAt(): EpochMs | undefined {
    return this.#storage.begunAt()
  }

  /** Reads back what the storage holds. */
  async recall(): Promise<void> {
    let damaged = 0
    for await (const line of this.#storage.read()) {
      const entry = parseJournalLine(line)
      if (entry) this.#take(entry)
      else damaged += line === '' ? 0 : 1
    }
    if (damaged > 0) this.#onDamage(damaged)
  }

  /** Notes the gap since the last process stopped. */
  resume(): void {
    const { lastAlive } = this.#storage
    if (lastAlive !== undefined && this.#seq > 0) this.noteGap(isoTime(lastAlive), 'stopped')
  }

  /** Writes down facts that were seen now; `late`: they may have become so at any time before. */
  note(facts: readonly JournalFact[], late: boolean): void {
    const at = isoTime(this.#clock.now())
    for (const fact of facts) this.#write({ seq: this.#seq + 1, at, ...fact, ...(late && { late }) })
  }

  /** The time of what is noted now. */
  now(): EpochMs {
    return this.#clock.now()
  }

  /** Nothing was observed from then until now. */
  noteGap(from: string, why: 'stopped' | 'unreachable'): void {
    this.note([{ what: 'gap', from, why }], false)
  }

  /** What was last known of a subject. */
  known(subject: string): Facts | undefined {
    return this.#known.get(subject) as Facts | undefined
  }

  /** The facts of a subject as they are now, those included that were not worth an entry. */
  learn(subject: string, facts: Facts): void {
    this.#known.set(subject, facts as Map<string, unknown>)
  }

  /** Everything that something is known of. */
  subjects(): string[] {
    return [...this.#known.keys()]
  }

  forget(subject: string): void {
    this.#known.delete(subject)
  }

  /** The latest placements of a workload, oldest first; the same array until the next change. */
  changesOf(id: string): readonly PlacementChange[] {
    return this.#placements.get(id) ?? NONE
  }

  /**
   * Where a workload was when a rebalancer was created, and where that put it; undefined when it was not
   * seen. Times have whole seconds, so a change in the very second counts as later. If what changed the placement since
   * was something else, the rebalance left it where it was.
   */
  rebalanceSince(
    id: string,
    { name, creationTimestamp: time }: { name: string; creationTimestamp: string },
  ): { before: ReplicasInCluster[]; after: ReplicasInCluster[] } | undefined {
    const at = parseTime(time)
    const since = this.changesOf(id).filter((change) => parseTime(change.at) >= at)
    const own = since.find((change) => isRebalanceOf(name, change))
    if (own) return own
    const first = since.find((change) => parseTime(change.at) >= at + 1000)
    return first && since.every(isWatched) ? { before: first.before, after: first.before } : undefined
  }

  /** The trigger of a workload, if the scheduler ignored it. */
  ignoredTrigger(id: string): IgnoredTrigger | undefined {
    return this.known(workloadSubject(id))?.get('ignored') as IgnoredTrigger | undefined
  }

  /** What is known of a failover that runs. */
  openFailover(workload: string, cluster: string): OpenFailover | undefined {
    return this.#history.open(workload, cluster)
  }

  /** Since when a workload is unhealthy somewhere, RFC 3339. */
  unhealthySince(workload: string, cluster: string): string | undefined {
    return this.#history.unhealthySince(workload, cluster)
  }

  /** True while a workload is unhealthy somewhere and never was healthy there: it starts. */
  isStarting(workload: string, cluster: string): boolean {
    return this.#history.isStarting(workload, cluster)
  }

  /** Since when a cluster is not ready, RFC 3339. */
  outageSince(cluster: string): string | undefined {
    return this.#history.outageSince(cluster)
  }

  /** Failovers that ended since then, the latest first. */
  pastFailovers(since: EpochMs): PastFailoverView[] {
    return this.#history.past(since)
  }

  /** A failover that ended, by its id. */
  pastFailover(id: string): PastFailoverView | undefined {
    return this.#history.pastFailover(id)
  }

  /** How long workloads of these namespaces stayed that were deleted, in milliseconds. */
  staysIn(namespaces: readonly string[]): number[] {
    return this.#stays.staysIn(namespaces)
  }

  /** Scores of the fleet, oldest first. */
  get scores(): readonly ScoreAt[] {
    return this.#scores
  }

  /** The entries that answer a question, oldest first, from the whole storage; those up to number `after` are left out. */
  async *read(query: JournalQuery, after = 0): AsyncIterable<JournalEntry> {
    const named = query.workload ?? query.cluster ?? ''
    const since = query.since === undefined ? undefined : parseTime(query.since)
    for await (const line of this.#storage.read(since)) {
      // Most lines are about others; finding that out is cheaper than reading them.
      if (query.whats !== undefined && !query.whats.some((what) => line.includes(`"what":"${what}"`))) continue
      if (!line.includes(named) && !ALWAYS.test(line)) continue
      if (after > 0 && Number(SEQ.exec(line)?.[1] ?? Infinity) <= after) continue
      const entry = parseJournalLine(line)
      if (entry && answersQuery(entry, query)) yield entry
    }
  }

  /** Writes what waits. */
  close(): Promise<void> {
    return this.#storage.close()
  }

  #write(entry: JournalEntry): void {
    this.#storage.append(JSON.stringify(entry))
    this.#take(entry)
    this.#emit(entry)
  }

  #emit(entry: JournalEntry): void {
    if (entry.what === 'gap' || entry.what === 'resilience') return
    if ('workload' in entry) this.touched.emit(entry.workload)
    else this.touched.emit(`cluster ${entry.cluster}`)
    if (entry.what === 'placement') this.placementTouched.emit(entry.workload)
  }

  #take(entry: JournalEntry): void {
    this.#seq = Math.max(this.#seq, entry.seq)
    this.#history.note(entry)
    this.#stays.note(entry)
    this.predictions.note(entry)
    this.#remember(entry)
    if (entry.what === 'placement') this.#keepPlacement(entry)
    if (entry.what === 'resilience')
      this.#scores = [...this.#scores, { at: entry.at, score: entry.after }].slice(-MOST_SCORES)
  }

  #remember(entry: JournalEntry): void {
    const fact = factNameOf(entry)
    if (!fact || entry.what === 'gap' || entry.what === 'resilience') return
    const facts = this.#known.get(fact.subject) ?? new Map<string, unknown>()
    if (entry.after === undefined) facts.delete(fact.name)
    else facts.set(fact.name, entry.after)
    if (facts.size > 0) this.#known.set(fact.subject, facts)
    else this.#known.delete(fact.subject)
  }

  #keepPlacement({ workload, at, before, after, trigger, causes }: Extract<JournalEntry, { what: 'placement' }>): void {
    const changes = [...this.changesOf(workload), { at, before, after, trigger, ...(causes && { causes }) }].slice(
      -this.#limits.changes,
    )
    this.#placements.delete(workload)
    this.#placements.set(workload, changes)
    const [oldest] = this.#placements.keys()
    if (this.#placements.size > this.#limits.workloads && oldest !== undefined) this.#placements.delete(oldest)
  }
}

/** Entries of older versions do not name the rebalancer. */
const isRebalanceOf = (name: string, { trigger, causes }: PlacementChange): boolean =>
  causes
    ? causes.some(({ code, object }) => code === 'rebalance' && (object === undefined || object.name === name))
    : trigger === 'rebalance'

/** Its cause was observed, or was observed to be none that is known. */
const isWatched = ({ trigger }: PlacementChange): boolean => trigger !== 'unseen'
