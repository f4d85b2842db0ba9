/**
 * The journal of observed changes, kept in a storage that may outlive the process. The API holds only the present; the
 * past is only here.
 */
import type { IgnoredTrigger } from '@/lib/domain/rebalance'
import { isoTime, type Clock, type EpochMs, parseTime } from '@/lib/std/clock'
import { omit } from '@/lib/std/omit'
import { forgetOldest } from '@/lib/std/recent-map'
import {
  isOfFleet,
  answersQuery,
  type JournalEntry,
  type JournalFact,
  type JournalQuery,
  parseJournalLine,
  type ReadyFact,
  type ReplicasFact,
} from '@/lib/view/journal'
import type { ReplicasInCluster } from '@/lib/view/model'
import type { PastFailoverView } from '@/lib/view/failover-model'
import type { PlanAccuracy } from '@/lib/view/plan-flow/accuracy'
import { type Facts, factNameOf, subjectOf, workloadSubject } from '@/lib/view/project/journal-facts'
import { type OpenFailover, FailoverHistory } from '@/lib/view/project/past-failovers'
import { clusterOfReplicas } from '@/lib/view/project/recorded-replicas'
import { PredictionHistory } from '@/lib/view/project/prediction-history'
import { StayHistory } from '@/lib/view/project/stay-history'
import type { PlacementChange } from '@/lib/view/project/timeline'
import { Signal } from '../cache/signal'
import type { JournalStorage } from './journal-files'
import { journalInMemory } from './journal-memory'

export interface JournalLimits {
  /** Workloads whose placements are in memory; the least recently changed one is dropped from memory. */
  workloads: number
  /** Placements in memory for one workload. */
  changes: number
}

export interface JournalOptions {
  clock: Clock
  /** Default: in memory. */
  storage?: JournalStorage
  limits?: JournalLimits
  /** Called with the number of unreadable lines. */
  onDamage?: (lines: number) => void
}

/** The state of a recorded workload in one cluster. */
export type ReplicasRecord = Extract<JournalFact, { what: 'replicas' }> & { after: ReplicasFact }

/** The score of the fleet from that time on. */
export interface ScoreAt {
  at: string
  score: number
}

/** Scores in memory. */
const MAX_SCORES = 500
const MAX_ACCURACIES = 500

const DEFAULT_LIMITS: JournalLimits = { workloads: 5000, changes: 50 }
/** Entries that belong to answers although they do not contain the requested name; see `answersQuery`. */
const ALWAYS = /"what":"(gap|ready)"/
/** Entries are written with their number first. */
const SEQ = /^\{"seq":(\d+)/
const NONE: readonly PlacementChange[] = []

/** Opens a journal and loads its storage. Rejects when it cannot be read. */
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
  /** Emits the id of each workload, or `cluster NAME`, with a new entry. */
  readonly touched = new Signal()
  readonly #clock: Clock
  readonly #storage: JournalStorage
  readonly #limits: JournalLimits
  readonly #onDamage: (lines: number) => void
  readonly #history = new FailoverHistory((id) => this.failoverEnded.emit(id))
  readonly #stays = new StayHistory()
  /** Predictions of incidents. */
  readonly predictions = new PredictionHistory()
  /** By subject: the facts of the latest entry or observation. */
  readonly #known = new Map<string, Map<string, unknown>>()
  /** In order of the last change. */
  readonly #placements = new Map<string, readonly PlacementChange[]>()
  #scores: readonly ScoreAt[] = []
  #accuracies: readonly PlanAccuracy[] = []
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

  /** Returns when the oldest stored entry was observed; undefined without any. */
  get begunAt(): EpochMs | undefined {
    return this.#storage.begunAt()
  }

  /** The number of the latest entry. */
  get position(): number {
    return this.#seq
  }

  /** Loads the entries from the storage. */
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

  /** Writes facts that were observed now; `late`: they may have become true at any time before. */
  note(facts: readonly JournalFact[], late: boolean): void {
    if (facts.length === 0) return
    const at = isoTime(this.#clock.now())
    for (const fact of facts) this.#write({ seq: this.#seq + 1, at, ...fact, ...(late && { late }) })
  }

  /** Returns the time for new entries. */
  now(): EpochMs {
    return this.#clock.now()
  }

  /** Notes that nothing was observed from then until now. */
  noteGap(from: string, why: 'stopped' | 'unreachable'): void {
    this.note([{ what: 'gap', from, why }], false)
  }

  /** Returns the last known facts of a subject. */
  known(subject: string): Facts | undefined {
    return this.#known.get(subject) as Facts | undefined
  }

  /** Returns the replicas of all workloads that are recorded, as their latest entries have them. */
  recordedReplicas(): ReplicasRecord[] {
    return [...this.#known].flatMap(([subject, facts]) => {
      const about = subjectOf(subject)
      if (!('workload' in about)) return []
      return [...facts].flatMap(([name, fact]): ReplicasRecord[] => {
        const cluster = clusterOfReplicas(name)
        return cluster === undefined ? [] : [{ what: 'replicas', ...about, cluster, after: fact as ReplicasFact }]
      })
    })
  }

  /** Returns the clusters that were not ready when they were last observed. */
  silentClusters(): string[] {
    return [...this.#known].flatMap(([subject, facts]) => {
      const about = subjectOf(subject)
      const ready = facts.get('ready') as ReadyFact | undefined
      return 'cluster' in about && ready && ready.status !== 'True' ? [about.cluster] : []
    })
  }

  /** Sets the current facts of a subject, including those without an entry. */
  learn(subject: string, facts: Facts): void {
    this.#known.set(subject, facts as Map<string, unknown>)
  }

  /** Returns all subjects with known facts. */
  subjects(): string[] {
    return [...this.#known.keys()]
  }

  forget(subject: string): void {
    this.#known.delete(subject)
  }

  /** Returns the latest placements of a workload, oldest first; the same array until the next change. */
  changesOf(id: string): readonly PlacementChange[] {
    return this.#placements.get(id) ?? NONE
  }

  /**
   * Returns the placement of a workload when a rebalancer was created, and its result; undefined when it was not
   * observed. Times have whole seconds, so a change in the same second counts as later. If the placement has changed
   * since for another reason only, the rebalance did not move the workload.
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

  /** Returns the trigger of a workload that the scheduler ignored. */
  ignoredTrigger(id: string): IgnoredTrigger | undefined {
    return this.known(workloadSubject(id))?.get('ignored') as IgnoredTrigger | undefined
  }

  /** Returns what is known about a running failover. */
  openFailover(workload: string, cluster: string): OpenFailover | undefined {
    return this.#history.open(workload, cluster)
  }

  /** Returns since when a workload is unhealthy in a cluster (RFC 3339). */
  unhealthySince(workload: string, cluster: string): string | undefined {
    return this.#history.unhealthySince(workload, cluster)
  }

  /** Reports whether a workload is unhealthy in a cluster where it was never healthy: it is starting. */
  isStarting(workload: string, cluster: string): boolean {
    return this.#history.isStarting(workload, cluster)
  }

  /** Returns since when a cluster is not ready (RFC 3339). */
  outageSince(cluster: string): string | undefined {
    return this.#history.outageSince(cluster)
  }

  /** Returns the failovers that ended since then, latest first. */
  pastFailovers(since: EpochMs): PastFailoverView[] {
    return this.#history.past(since)
  }

  /** Returns an ended failover by its id. */
  pastFailover(id: string): PastFailoverView | undefined {
    return this.#history.pastFailover(id)
  }

  /** Returns how long deleted workloads of these namespaces existed, in milliseconds. */
  staysIn(namespaces: readonly string[]): number[] {
    return this.#stays.staysIn(namespaces)
  }

  /** Prediction accuracy of the latest finished plans, oldest first, deleted ones included. */
  get accuracies(): readonly PlanAccuracy[] {
    return this.#accuracies
  }

  /** Scores of the fleet, oldest first. */
  get scores(): readonly ScoreAt[] {
    return this.#scores
  }

  /** Reads the entries that match a query, oldest first, from the whole storage, except those up to number `after`. */
  async *read(query: JournalQuery, after = 0): AsyncIterable<JournalEntry> {
    const named = query.workload ?? query.cluster ?? ''
    const since = query.since === undefined ? undefined : parseTime(query.since)
    for await (const line of this.#storage.read(since)) {
      // Most lines concern other subjects; a text search is cheaper than parsing them.
      if (query.whats !== undefined && !query.whats.some((what) => line.includes(`"what":"${what}"`))) continue
      if (!line.includes(named) && !ALWAYS.test(line)) continue
      if (after > 0 && Number(SEQ.exec(line)?.[1] ?? Infinity) <= after) continue
      const entry = parseJournalLine(line)
      if (entry && answersQuery(entry, query)) yield entry
    }
  }

  /** Flushes pending lines and closes. */
  close(): Promise<void> {
    return this.#storage.close()
  }

  #write(entry: JournalEntry): void {
    this.#storage.append(JSON.stringify(entry))
    this.#take(entry)
    this.#emit(entry)
  }

  #emit(entry: JournalEntry): void {
    if (entry.what === 'gap' || isOfFleet(entry)) return
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
      this.#scores = [...this.#scores, { at: entry.at, score: entry.after }].slice(-MAX_SCORES)
    if (entry.what === 'accuracy') this.#keepAccuracy(entry)
  }

  #keepAccuracy(entry: AccuracyEntry): void {
    const accuracy = omit(entry, 'seq', 'at', 'what', 'late')
    this.#accuracies = [...this.#accuracies, accuracy].slice(-MAX_ACCURACIES)
  }

  #remember(entry: JournalEntry): void {
    const fact = factNameOf(entry)
    if (!fact || entry.what === 'gap' || isOfFleet(entry)) return
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
    forgetOldest(this.#placements, this.#limits.workloads)
  }
}

type AccuracyEntry = Extract<JournalEntry, { what: 'accuracy' }>

/** Entries of older versions do not name the rebalancer. */
const isRebalanceOf = (name: string, { trigger, causes }: PlacementChange): boolean =>
  causes
    ? causes.some(({ code, object }) => code === 'rebalance' && (object === undefined || object.name === name))
    : trigger === 'rebalance'

/** Reports whether the cause was observed, even if it is unknown. */
const isWatched = ({ trigger }: PlacementChange): boolean => trigger !== 'unseen'
