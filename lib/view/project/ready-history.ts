/** Missing replicas in the past, from the journal. */
import { parseTime } from '@/lib/std/clock'
import type { JournalEntry, ReplicasFact } from '../journal'
import type { ReadyHistoryView } from '../failover-model'

/** Step length for the recent part, in milliseconds. */
export const RECENT_MS = 15 * 60_000
const RECENT_STEP_MS = 2000
const STEP_MS = 3 * 60_000

interface Known {
  /** By cluster. */
  replicas: Map<string, ReplicasFact>
  /** Of a workload that is new: the most replicas that were ready so far; absent as soon as that was all of them. */
  had?: number
}

/** Kinds of entries that `readyHistory` reads. */
export const READY_FACTS = ['ready', 'replicas', 'placement', 'gap'] as const

/** What is recorded at the end of the entries. */
export interface RecordedState {
  replicas: readonly { workload: string; cluster: string; after: ReplicasFact }[]
  /** Clusters that do not answer. */
  silent: readonly string[]
}

export interface HistoryRange {
  since: number
  now: number
  /** When the journal begins. Default: `since`. */
  begunAt?: number | undefined
  /** Default: nothing. What no entry changes was so from the beginning. */
  recorded?: RecordedState
}

/**
 * Returns steps of missing replicas: desired and not ready in a responding cluster. A workload without records had all
 * its replicas, because anything else is recorded; one that is placed for the first time misses none while they start.
 * Each step has its worst value, so that short drops remain visible.
 */
export function readyHistory(
  entries: readonly JournalEntry[],
  { since, now, begunAt = since, recorded = { replicas: [], silent: [] } }: HistoryRange,
): Omit<ReadyHistoryView, 'ready'> {
  const state = new MissingReplicas(recorded)
  for (const entry of entries.toReversed()) state.before(entry)
  const steps = new Steps(now)
  const gaps: ReadyHistoryView['gaps'] = [{ from: since, to: begunAt }]
  steps.add(since, state.missing)
  entries.forEach((entry, index) => {
    state.take(entry)
    const at = parseTime(entry.at)
    if (entry.what === 'gap') gaps.push({ from: Math.max(parseTime(entry.from), since), to: at })
    // Entries of one observation are counted together, so that no workload is half counted.
    if (at >= since && entries[index + 1]?.at !== entry.at) steps.add(at, state.missing)
  })
  return { since, until: now, points: steps.points(state.missing), gaps: gaps.filter(({ from, to }) => to > from) }
}

/** State while entries are read in order. */
class MissingReplicas {
  readonly #workloads = new Map<string, Known>()
  readonly #missing = new Map<string, number>()
  readonly #silent: Set<string>
  missing = 0

  constructor({ replicas, silent }: RecordedState) {
    this.#silent = new Set(silent)
    for (const { workload, cluster, after } of replicas) this.#set(workload, cluster, after)
  }

  /** Reads entries from the latest to the first; the states before them remain as the initial ones. */
  before(entry: JournalEntry): void {
    if (entry.what === 'ready') this.#setReady(entry.cluster, (entry.before?.status ?? 'True') === 'True')
    if (entry.what === 'replicas') this.#set(entry.workload, entry.cluster, entry.before)
  }

  take(entry: JournalEntry): void {
    if (entry.what === 'ready') this.#setReady(entry.cluster, (entry.after?.status ?? 'True') === 'True')
    if (entry.what === 'replicas') this.#set(entry.workload, entry.cluster, entry.after)
    if (entry.what === 'placement' && entry.before.length === 0) this.#known(entry.workload).had = 0
  }

  #setReady(cluster: string, isReady: boolean): void {
    if (isReady === !this.#silent.has(cluster)) return
    if (isReady) this.#silent.delete(cluster)
    else this.#silent.add(cluster)
    for (const [workload, { replicas }] of this.#workloads) if (replicas.has(cluster)) this.#count(workload)
  }

  #set(workload: string, cluster: string, fact: ReplicasFact | undefined): void {
    const { replicas } = this.#known(workload)
    if (fact === undefined) replicas.delete(cluster)
    else replicas.set(cluster, fact)
    this.#count(workload)
  }

  #known(workload: string): Known {
    const known = this.#workloads.get(workload) ?? { replicas: new Map<string, ReplicasFact>() }
    this.#workloads.set(workload, known)
    return known
  }

  #count(workload: string): void {
    const known = this.#known(workload)
    const facts = [...known.replicas].filter(([, { copies }]) => !copies)
    const desired = Math.max(0, ...facts.map(([, fact]) => fact.desired))
    const ready = facts.reduce((sum, [cluster, fact]) => sum + (this.#silent.has(cluster) ? 0 : fact.ready), 0)
    if (known.had !== undefined) known.had = Math.max(known.had, ready)
    const missing = Math.max(0, Math.min(desired, known.had ?? desired) - ready)
    if (facts.length > 0 && ready >= desired) delete known.had
    this.missing += missing - (this.#missing.get(workload) ?? 0)
    this.#missing.set(workload, missing)
  }
}

/** Maximum and last value of each step. */
class Steps {
  readonly #steps = new Map<number, { most: number; last: number }>()

  constructor(private readonly now: number) {}

  add(at: number, missing: number): void {
    const step = at > this.now - RECENT_MS ? RECENT_STEP_MS : STEP_MS
    const start = Math.floor(at / step) * step
    const known = this.#steps.get(start)
    this.#steps.set(start, { most: Math.max(known?.most ?? 0, missing), last: missing })
  }

  points(missing: number): ReadyHistoryView['points'] {
    const points: ReadyHistoryView['points'] = []
    const push = (at: number, value: number) => {
      if (points.at(-1)?.missing !== value) points.push({ at, missing: value })
    }
    const starts = [...this.#steps.keys()].sort((a, b) => a - b)
    starts.forEach((start, index) => {
      const { most, last } = this.#steps.get(start)!
      push(start, most)
      // The last value of a step is valid until the next one.
      const next = starts[index + 1] ?? this.now
      const end = start > this.now - RECENT_MS ? start + RECENT_STEP_MS : start + STEP_MS
      if (last !== most) push(Math.min(end, next), last)
    })
    push(this.now, missing)
    return points
  }
}
