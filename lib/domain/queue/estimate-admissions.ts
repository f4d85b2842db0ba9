/**
 * Estimates when the pending workloads of a queue are admitted. Running workloads are assumed to run as long as those
 * that ended, and their quota goes to pending workloads by the rules of the queue. No estimate is given if anything
 * other than the quota decides.
 */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { Amounts } from './amounts'
import { rolesOf } from './binding-roles'
import { OVERTAKING_WINDOW_MS } from './pending-list'
import type { PendingEntry, QueuePlan } from './plan-model'
import type { QueueFacts } from './snapshot-model'
import { isBeyondLimits } from './wait-reason'

export type AdmissionEstimate =
  | { kind: 'now' }
  /** A range that is expected to contain eight of ten admissions. */
  | { kind: 'between'; from: EpochMs; to: EpochMs }
  /** Not admitted while the queue is on hold. */
  | { kind: 'held' }
  /** Not admitted while a user or a policy suspends the workload. */
  | { kind: 'suspended' }
  /** Never admitted with this quota and these clusters. */
  | { kind: 'never' }
  | { kind: 'unknown' }

export interface EstimateBasis {
  now: EpochMs
  /** Run times of ended workloads of the queue. */
  stays: readonly number[]
}

/** Minimum number of ended workloads for an estimate. */
export const MIN_STAYS = 5
/** Minimum number of ended workloads that ran longer than a running one, to estimate its end. */
const MIN_LONGER = 3
/**
 * Share of the run times that are shorter than the early end of a range, and of those that are longer than the late
 * end.
 */
const TAIL = 0.1
/** Maximum number of estimates per queue; those further down depend on too many others. */
const MAX_ESTIMATED = 100
const MAX_RUNNING = 2000

const UNKNOWN: AdmissionEstimate = { kind: 'unknown' }

/** Returns the estimates of all pending workloads, by the key of their binding. */
export function estimateAdmissions(plan: QueuePlan, basis: EstimateBasis): ReadonlyMap<string, AdmissionEstimate> {
  const stays = basis.stays.toSorted((a, b) => a - b)
  const times = (part: number): ReadonlyMap<string, EpochMs> =>
    canEstimate(plan, stays)
      ? new AdmissionSimulation(plan, basis.now, (ageMs) => lengthOf(stays, ageMs, part)).run()
      : new Map()
  const [early, late] = [times(TAIL), times(1 - TAIL)]
  return new Map(
    plan.pendingWorkloads.map((entry) => {
      const { key } = entry.binding
      return [key, known(entry) ?? between(early.get(key), late.get(key))]
    }),
  )
}

/** Returns the estimate that follows from the reason for waiting alone. */
function known({ next, why }: PendingEntry): AdmissionEstimate | undefined {
  if (next) return { kind: 'now' }
  if (why.code === 'Held') return { kind: 'held' }
  if (why.code === 'SuspendedByOther') return { kind: 'suspended' }
  return isBeyondLimits(why) ? { kind: 'never' } : undefined
}

/** Sorted, because shorter run times may lead to later admissions if workloads can overtake each other. */
function between(early: EpochMs | undefined, late: EpochMs | undefined): AdmissionEstimate {
  if (early === undefined || late === undefined) return UNKNOWN
  return { kind: 'between', from: Math.min(early, late), to: Math.max(early, late) }
}

/** With borrowing, admissions also depend on workloads of other queues, so there is no estimate. */
function canEstimate({ queue: { limits, bindings } }: QueuePlan, stays: readonly number[]): boolean {
  if (!limits || limits.borrowing !== undefined) return false
  return stays.length >= MIN_STAYS && bindings.length <= MAX_RUNNING
}

/** Returns the total run time of a workload that has run for `ageMs`; undefined if too few ran longer. */
function lengthOf(stays: readonly number[], ageMs: number, part: number): number | undefined {
  const longer = stays.filter((stay) => stay > ageMs)
  return longer.length < MIN_LONGER ? undefined : longer[Math.round(part * (longer.length - 1))]
}

interface End {
  at: EpochMs
  demand: Amounts
}

/** One simulation, in which each workload runs as long as `lengthOf` says. */
class AdmissionSimulation {
  readonly #admittedAt = new Map<string, EpochMs>()
  readonly #queue: QueueFacts
  readonly #free: Record<string, number>
  /** Sorted by time. */
  readonly #ends: End[] = []
  #waiting: readonly PendingEntry[]

  constructor(
    { queue, used, pendingWorkloads }: QueuePlan,
    now: EpochMs,
    private readonly lengthOf: (ageMs: number) => number | undefined,
  ) {
    this.#queue = queue
    this.#free = { ...queue.limits!.hard }
    this.#add(used, -1)
    for (const { since, releasedAt, demand } of rolesOf(queue.bindings).counted) {
      const begun = parseTime(releasedAt ?? since)
      this.#addEnd(begun, demand, now - begun)
    }
    const next = pendingWorkloads.filter((entry) => entry.next)
    for (const entry of next) this.#admit(entry, now)
    this.#waiting = estimable(pendingWorkloads.slice(next.length), queue.strategy)
  }

  run(): ReadonlyMap<string, EpochMs> {
    while (this.#waiting.length > 0) {
      const end = this.#ends.shift()
      if (!end) break
      this.#add(end.demand, 1)
      if (this.#ends[0]?.at !== end.at) this.#admitAt(end.at)
    }
    return this.#admittedAt
  }

  /** Counts only resources that the quota limits. */
  #add(amounts: Amounts, sign: 1 | -1): void {
    for (const resource in this.#free) this.#free[resource]! += sign * (amounts[resource] ?? 0)
  }

  #addEnd(begun: EpochMs, demand: Amounts, ageMs: number): void {
    const length = this.lengthOf(ageMs)
    if (length === undefined) return
    const at = begun + length
    const later = this.#ends.findIndex((end) => end.at > at)
    this.#ends.splice(later < 0 ? this.#ends.length : later, 0, { at, demand })
  }

  #admit({ binding: { key, demand } }: PendingEntry, at: EpochMs): void {
    this.#admittedAt.set(key, at)
    this.#add(demand, -1)
    this.#addEnd(at, demand, 0)
  }

  /** Same order as `releaseInOrder` without borrowing. */
  #admitAt(at: EpochMs): void {
    const isStrict = this.#queue.strategy === 'StrictFIFO'
    const left: PendingEntry[] = []
    let blocked: { sinceMs: EpochMs; lacks: string } | undefined
    for (const entry of this.#waiting) {
      const { demand, sinceMs } = entry.binding
      const lacks = this.#lackedBy(demand)
      const yields =
        blocked !== undefined
        && (isStrict || (demand[blocked.lacks] && sinceMs > blocked.sinceMs + OVERTAKING_WINDOW_MS))
      if (lacks === undefined && !yields) {
        this.#admit(entry, at)
        continue
      }
      if (lacks !== undefined) blocked ??= { sinceMs, lacks }
      left.push(entry)
    }
    this.#waiting = left
  }

  #lackedBy(demand: Amounts): string | undefined {
    return Object.keys(demand).find((resource) => (this.#free[resource] ?? Infinity) < demand[resource]!)
  }
}

const DECIDED_BY_QUOTA = new Set(['OverQuota', 'BlockedByHead', 'YieldsToHead'])

/**
 * Returns the workloads up to the first one that depends on anything other than the quota, because its admission would
 * take capacity from those behind it. A workload that can never be admitted blocks a StrictFIFO queue only.
 */
function estimable(waiting: readonly PendingEntry[], strategy: QueueFacts['strategy']): PendingEntry[] {
  const able = strategy === 'StrictFIFO' ? waiting : waiting.filter(({ why }) => !isBeyondLimits(why))
  const end = able.findIndex(({ why }) => !DECIDED_BY_QUOTA.has(why.code))
  return able.slice(0, Math.min(MAX_ESTIMATED, end < 0 ? Infinity : end))
}
