/** Ready replicas of a plan's workloads over time: as recorded or, before it begins, as they are now. */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { IncidentRecord } from '../failover-model'
import { answersAfter, silentBefore } from '../incident/state'
import { Steps } from '../incident/steps'
import type { JournalEntry, ReplicasFact } from '../journal'
import type { PlanRunView } from '../rebalance-model'

export interface ReadyOver {
  /** Old replicas count while they are ready. */
  measured: Steps<number>
  /** Ready replicas before the first wave. */
  before: number
  lowest: number
  /** Sum of the budgets of the moving workloads. */
  floor: number
  waves: BegunWave[]
  /** Initial ready replicas of each moving workload. */
  initial: ReadonlyMap<string, number>
  from: EpochMs
  to: EpochMs
}

export interface BegunWave {
  number: number
  workloads: number
  from: EpochMs
  /** Now, while it runs. */
  to: EpochMs
  isOver: boolean
}

/**
 * Returns undefined before a plan begins, and if nothing was recorded. `readyNow`: for workloads that have not moved
 * yet.
 */
export function readyOver(
  record: IncidentRecord,
  plan: PlanRunView,
  readyNow: (id: string) => number | undefined,
): ReadyOver | undefined {
  const first = firstReady(record)
  const start = startOf(plan, (id) => first.get(id) ?? readyNow(id))
  if (first.size === 0 || start === undefined) return undefined
  const { before, initial } = start
  const from = parseTime(record.since)
  const to = record.endedAt === undefined ? parseTime(record.now) : parseTime(record.endedAt)
  const measured = measure(record, { before, members: new Set(initial.keys()) })
  return {
    ...start,
    measured,
    lowest: measured.values.reduce((least, each) => Math.min(least, each), before),
    waves: wavesOf(plan, to),
    from,
    to: Math.max(to, measured.times.at(-1) ?? to),
  }
}

/** For plans that have not begun: times count from the approval. Undefined while a moving workload is unknown. */
export function readyAhead(plan: PlanRunView, readyNow: (id: string) => number | undefined): ReadyOver | undefined {
  const start = startOf(plan, readyNow)
  return start && { ...start, measured: new Steps<number>(), lowest: start.before, waves: [], from: 0, to: 0 }
}

/** Returns the initial ready replicas; undefined while they are unknown for a workload. */
function startOf(
  { targets }: PlanRunView,
  readyAtFirst: (id: string) => number | undefined,
): Pick<ReadyOver, 'before' | 'floor' | 'initial'> | undefined {
  const moving = targets.filter(({ stage }) => stage !== 'Skipped')
  const known = moving.flatMap(({ id }): [string, number][] => {
    const ready = readyAtFirst(id)
    return ready === undefined ? [] : [[id, ready]]
  })
  if (known.length < moving.length) return undefined
  const initial = new Map(known)
  return {
    initial,
    before: known.reduce((sum, [, ready]) => sum + ready, 0),
    floor: moving.reduce((sum, { id, ready }) => sum + (ready.floor ?? initial.get(id) ?? 0), 0),
  }
}

const readyIn = ({ ready, old = 0 }: ReplicasFact): number => ready + old

/** Returns the ready replicas in the first records of each workload, that is, before it moved. */
function firstReady({ entries }: IncidentRecord): Map<string, number> {
  const first = new Map<string, { at: string; clusters: Map<string, number> }>()
  for (const entry of entries) {
    if (entry.what !== 'replicas' || !entry.after) continue
    const known = first.get(entry.workload) ?? { at: entry.at, clusters: new Map<string, number>() }
    first.set(entry.workload, known)
    if (known.at === entry.at && !known.clusters.has(entry.cluster))
      known.clusters.set(entry.cluster, readyIn(entry.after))
  }
  return new Map(
    [...first].map(([id, { clusters }]) => [id, [...clusters.values()].reduce((sum, each) => sum + each, 0)]),
  )
}

function measure(
  record: IncidentRecord,
  { before, members }: { before: number; members: ReadonlySet<string> },
): Steps<number> {
  const steps = new Steps<number>()
  const silent = silentBefore(record)
  const facts = new Map<string, Map<string, ReplicasFact>>()
  const first = firstReady(record)
  const sums = new Map(first)
  let [total, at] = [before, parseTime(record.since)]
  const recount = (id: string): void => {
    const now = [...(facts.get(id) ?? [])].reduce(
      (sum, [name, fact]) => sum + (silent.has(name) ? 0 : readyIn(fact)),
      0,
    )
    total += now - (sums.get(id) ?? 0)
    sums.set(id, now)
  }
  const take = (entry: JournalEntry): void => {
    if (entry.what === 'ready') {
      if (answersAfter(entry)) silent.delete(entry.cluster)
      else silent.add(entry.cluster)
      for (const [id, clusters] of facts) if (clusters.has(entry.cluster)) recount(id)
    } else if (entry.what === 'replicas' && entry.after && members.has(entry.workload)) {
      facts.set(
        entry.workload,
        (facts.get(entry.workload) ?? new Map<string, ReplicasFact>()).set(entry.cluster, entry.after),
      )
      recount(entry.workload)
    }
  }
  for (const [index, entry] of record.entries.entries()) {
    at = Math.max(at, parseTime(entry.at))
    take(entry)
    // Clusters of a workload are recorded one after the other, so its sum is incomplete until the last one.
    if (!isContinued(entry, record.entries[index + 1])) steps.push(at, total)
  }
  return steps
}

const isContinued = (entry: JournalEntry, next: JournalEntry | undefined): boolean =>
  entry.what === 'replicas' && next?.what === 'replicas' && next.workload === entry.workload && next.at === entry.at

function wavesOf({ waves }: PlanRunView, now: EpochMs): BegunWave[] {
  return waves.map(({ number, workloads, startedAt, finishedAt }) => ({
    number,
    workloads,
    from: parseTime(startedAt),
    to: finishedAt === undefined ? now : parseTime(finishedAt),
    isOver: finishedAt !== undefined,
  }))
}
