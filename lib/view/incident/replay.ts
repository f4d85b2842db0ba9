/** Folds the journal entries of an incident into values over time, so that the view of any time is a lookup. */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { IncidentRecord } from '../failover-model'
import type { JournalEntry } from '../journal'
import {
  answersAfter,
  type LaneCounts,
  lanesOf,
  NO_WORKLOAD,
  type RecordedWorkload,
  silentBefore,
  statusOf,
  takeEntry,
  type WorkloadPhase,
  type WorkloadStatus,
} from './state'
import { Steps } from './steps'

/** Workloads by phase, and their total replicas. */
export interface IncidentCounts extends Record<WorkloadPhase, number> {
  affected: number
  ready: number
  desired: number
}

export type MilestoneKind = 'notReady' | 'tainted' | 'evicting' | 'evicted' | 'firstReady' | 'recovered' | 'readyAgain'

export interface Milestone {
  kind: MilestoneKind
  at: EpochMs
}

export interface Replay {
  record: IncidentRecord
  since: EpochMs
  /** When the cluster was ready again, or the failover ended. */
  endedAt: EpochMs | undefined
  /** Server time when the record was read. */
  now: EpochMs
  lanes: ReadonlyMap<string, Steps<LaneCounts>>
  /** Ready replicas by cluster, as last reported before the start. */
  before: ReadonlyMap<string, number>
  counts: Steps<IncidentCounts>
  workloads: ReadonlyMap<string, Steps<WorkloadStatus>>
  refusals: ReadonlyMap<string, string>
  milestones: readonly Milestone[]
  /** Times without observation. */
  gaps: readonly { from: EpochMs; to: EpochMs }[]
  /** When the last workload changed. */
  lastChange: EpochMs
}

const NO_COUNTS: IncidentCounts = {
  affected: 0,
  waiting: 0,
  starting: 0,
  recovered: 0,
  unplaced: 0,
  kept: 0,
  ready: 0,
  desired: 0,
}
const NO_LANE: LaneCounts = { ready: 0, starting: 0, lost: 0 }

/** Returns the replay of all recorded entries. */
export function replayOf(record: IncidentRecord): Replay {
  const fold = new Fold(record)
  for (const entry of record.entries) fold.take(entry)
  return fold.replay()
}

class Fold {
  readonly #record: IncidentRecord
  readonly #silent: Set<string>
  readonly #known = new Map<string, RecordedWorkload>()
  readonly #status = new Map<string, WorkloadStatus>()
  readonly #lanes = new Map<string, Steps<LaneCounts>>()
  readonly #counts = new Steps<IncidentCounts>()
  readonly #workloads = new Map<string, Steps<WorkloadStatus>>()
  readonly #milestones = new Map<MilestoneKind, EpochMs>()
  /** By workload: time of its first entry, and the ready replicas of its clusters at that time. */
  readonly #first = new Map<string, { at: EpochMs; ready: Map<string, number> }>()
  readonly #gaps: { from: EpochMs; to: EpochMs }[] = []
  #at: EpochMs
  #lastChange: EpochMs

  constructor(record: IncidentRecord) {
    this.#record = record
    this.#silent = silentBefore(record)
    this.#at = parseTime(record.since)
    this.#lastChange = this.#at
    this.#counts.push(this.#at, NO_COUNTS)
    if (record.cluster !== undefined && record.workload === undefined) this.#milestones.set('notReady', this.#at)
  }

  take(entry: JournalEntry): void {
    // A clock that was set back must not reverse the order of observations.
    this.#at = Math.max(this.#at, parseTime(entry.at))
    if (entry.what === 'gap') {
      this.#gaps.push({ from: Math.min(parseTime(entry.from), this.#at), to: this.#at })
      return
    }
    if (entry.what === 'ready') return this.#takeReady(entry)
    if (entry.what === 'taint') return this.#takeTaint(entry)
    if (!('workload' in entry)) return
    const before = this.#known.get(entry.workload) ?? NO_WORKLOAD
    const after = takeEntry(before, entry, this.#record)
    if (after === before) return
    const contribution = this.#contributionOf(before)
    if (entry.what === 'replicas' && entry.after && !entry.after.copies) this.#noteFirst(entry, entry.after.ready)
    this.#known.set(entry.workload, after)
    this.#change(entry.workload, contribution, this.#contributionOf(after))
    if (entry.what === 'task' && entry.cluster === this.#record.cluster) this.#reach('evicting')
  }

  /** Records what was ready before; clusters that are added later had nothing. */
  #noteFirst({ workload, cluster }: Extract<JournalEntry, { what: 'replicas' }>, ready: number): void {
    const first = this.#first.get(workload) ?? { at: this.#at, ready: new Map<string, number>() }
    this.#first.set(workload, first)
    if (first.at === this.#at && !first.ready.has(cluster)) first.ready.set(cluster, ready)
  }

  #takeReady(entry: Extract<JournalEntry, { what: 'ready' }>): void {
    const { cluster } = entry
    const answers = answersAfter(entry)
    if (answers !== this.#silent.has(cluster)) return
    const concerned = [...this.#known].filter(([, { replicas }]) => replicas.has(cluster))
    const before = concerned.map(([, workload]) => this.#contributionOf(workload))
    if (answers) this.#silent.delete(cluster)
    else this.#silent.add(cluster)
    for (const [index, [id, workload]] of concerned.entries()) {
      this.#change(id, before[index], this.#contributionOf(workload))
    }
    if (answers && cluster === this.#record.cluster && this.#record.workload === undefined) this.#reach('readyAgain')
  }

  #takeTaint({ after }: Extract<JournalEntry, { what: 'taint' }>): void {
    if (after?.effect === 'NoExecute') this.#reach('tainted')
  }

  #reach(kind: MilestoneKind): void {
    if (!this.#milestones.has(kind)) this.#milestones.set(kind, this.#at)
  }

  /** Returns what a workload adds to the totals; nothing while it is not affected. */
  #contributionOf(workload: RecordedWorkload) {
    if (!workload.isAffected || workload.isDeleted || workload.replicas.size === 0) return undefined
    return { status: statusOf(workload, this.#silent, this.#record.cluster), lanes: lanesOf(workload, this.#silent) }
  }

  #change(id: string, before: Contribution, after: Contribution): void {
    this.#count(before, after)
    for (const [cluster, counts] of before?.lanes ?? []) this.#addTo(cluster, counts, -1)
    for (const [cluster, counts] of after?.lanes ?? []) this.#addTo(cluster, counts, 1)
    const known = this.#status.get(id)
    if (!after || (known && isSame(known, after.status))) return
    if (known?.phase !== after.status.phase) this.#lastChange = this.#at
    this.#status.set(id, after.status)
    const steps = this.#workloads.get(id) ?? new Steps<WorkloadStatus>()
    this.#workloads.set(id, steps)
    steps.push(this.#at, after.status)
    this.#markProgress(steps)
  }

  #count(before: Contribution, after: Contribution): void {
    const counts = { ...(this.#counts.last() ?? NO_COUNTS) }
    for (const [contribution, sign] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (!contribution) continue
      const { status, lanes } = contribution
      counts.affected += sign
      counts[status.phase] += sign
      // Workloads without replicas have no lanes.
      if (lanes.length === 0) continue
      counts.ready += sign * status.ready
      counts.desired += sign * status.desired
    }
    this.#counts.push(this.#at, counts)
  }

  #addTo(cluster: string, { ready, starting, lost }: LaneCounts, sign: number): void {
    const steps = this.#lanes.get(cluster) ?? new Steps<LaneCounts>()
    this.#lanes.set(cluster, steps)
    const last = steps.last() ?? NO_LANE
    steps.push(this.#at, {
      ready: last.ready + sign * ready,
      starting: last.starting + sign * starting,
      lost: last.lost + sign * lost,
    })
  }

  #markProgress({ values }: Steps<WorkloadStatus>): void {
    const counts = this.#counts.last()!
    // The status of an earlier moment: a state that is recorded cluster by cluster falls short for no time at all.
    const earlier = values.at(-2)?.phase ?? 'recovered'
    if (earlier !== 'recovered' && values.at(-1)?.phase === 'recovered') this.#reach('firstReady')
    if (!this.#milestones.has('evicting')) return
    if (counts.waiting === 0) this.#reach('evicted')
    else this.#milestones.delete('evicted')
    if (counts.recovered === counts.affected) this.#reach('recovered')
    else this.#milestones.delete('recovered')
  }

  #before(): Map<string, number> {
    const sums = new Map<string, number>()
    for (const [id, { ready }] of this.#first) {
      if (!this.#workloads.has(id)) continue
      for (const [cluster, count] of ready) sums.set(cluster, (sums.get(cluster) ?? 0) + count)
    }
    return sums
  }

  replay(): Replay {
    const { since, endedAt, now } = this.#record
    return {
      record: this.#record,
      since: parseTime(since),
      endedAt: endedAt === undefined ? undefined : parseTime(endedAt),
      now: Math.max(parseTime(now), this.#at),
      lanes: this.#lanes,
      before: this.#before(),
      counts: this.#counts,
      workloads: this.#workloads,
      refusals: new Map(
        [...this.#known].flatMap(([id, { refusal }]) => (refusal === undefined ? [] : [[id, refusal]])),
      ),
      milestones: [...this.#milestones].map(([kind, at]) => ({ kind, at })).sort((a, b) => a.at - b.at),
      gaps: this.#gaps,
      lastChange: this.#lastChange,
    }
  }
}

type Contribution = { status: WorkloadStatus; lanes: [string, LaneCounts][] } | undefined

const isSame = (a: WorkloadStatus, b: WorkloadStatus): boolean =>
  a.phase === b.phase && a.ready === b.ready && a.desired === b.desired
