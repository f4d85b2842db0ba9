/**
 * When the pending workloads of a queue are likely to be admitted: running workloads are taken to end as those did that
 * ended before, and their quota goes to the pending ones by the rules of the queue. Where these do not decide, nothing is
 * estimated.
 */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { Amounts } from './amounts'
import { OVERTAKING_WINDOW_MS } from './pending-list'
import type { PendingEntry, QueuePlan } from './plan-model'
import { takesQuota } from './resource-usage'
import type { QueueFacts } from './snapshot-model'
import { isBeyondLimits } from './wait-reason'

export type AdmissionEstimate =
  | { kind: 'now' }
  /** Of ten admissions, eight are expected in this time. */
  | { kind: 'between'; from: EpochMs; to: EpochMs }
  /** Not while the queue is on hold. */
  | { kind: 'held' }
  /** Not while a user or a policy suspends it. */
  | { kind: 'suspended' }
  /** Not with this quota and these clusters. */
  | { kind: 'never' }
  | { kind: 'unknown' }

export interface EstimateBasis {
  now: EpochMs
  /** How long workloads of the queue ran that have ended. */
  stays: readonly number[]
}

/** From fewer ended workloads, nothing is concluded. */
export const LEAST_STAYS = 5
/** Fewer that ran longer than one has by now do not tell when that ends. */
const LEAST_LONGER = 3
/** So much of the durations is shorter than the early end, and as much longer than the late one. */
const TAIL = 0.1
/** What is further down the queue depends on too much. */
const MOST_ESTIMATED = 100
const MOST_RUNNING = 2000

const UNKNOWN: AdmissionEstimate = { kind: 'unknown' }

/** The estimates of all pending workloads, by the key of their binding. */
export function estimateAdmissions(plan: QueuePlan, basis: EstimateBasis): ReadonlyMap<string, AdmissionEstimate> {
  const stays = basis.stays.toSorted((a, b) => a - b)
  const times = (part: number): ReadonlyMap<string, EpochMs> =>
    canEstimate(plan, stays) ? new Course(plan, basis.now, (ageMs) => lengthOf(stays, ageMs, part)).run() : new Map()
  const [early, late] = [times(TAIL), times(1 - TAIL)]
  return new Map(
    plan.pendingWorkloads.map((entry) => {
      const { key } = entry.binding
      return [key, told(entry) ?? between(early.get(key), late.get(key))]
    }),
  )
}

/** What the reason itself says. */
function told({ next, why }: PendingEntry): AdmissionEstimate | undefined {
  if (next) return { kind: 'now' }
  if (why.code === 'Held') return { kind: 'held' }
  if (why.code === 'SuspendedByOther') return { kind: 'suspended' }
  return isBeyondLimits(why) ? { kind: 'never' } : undefined
}

/** Shorter stays need not mean earlier admissions where workloads may pass each other. */
function between(early: EpochMs | undefined, late: EpochMs | undefined): AdmissionEstimate {
  if (early === undefined || late === undefined) return UNKNOWN
  return { kind: 'between', from: Math.min(early, late), to: Math.max(early, late) }
}

/** What may be borrowed, and what others may borrow, depends on the workloads of other queues. */
function canEstimate({ queue: { limits, bindings } }: QueuePlan, stays: readonly number[]): boolean {
  if (!limits || limits.borrowing !== undefined) return false
  return stays.length >= LEAST_STAYS && bindings.length <= MOST_RUNNING
}

/** How long a workload runs that has run for `ageMs`; undefined when too few ran longer. */
function lengthOf(stays: readonly number[], ageMs: number, part: number): number | undefined {
  const longer = stays.filter((stay) => stay > ageMs)
  return longer.length < LEAST_LONGER ? undefined : longer[Math.round(part * (longer.length - 1))]
}

interface End {
  at: EpochMs
  demand: Amounts
}

/** One course of events: each workload runs as long as `lengthOf` says. */
class Course {
  readonly #admittedAt = new Map<string, EpochMs>()
  readonly #queue: QueueFacts
  readonly #free: Record<string, number>
  /** In the order of time. */
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
    for (const { since, releasedAt, demand } of queue.bindings.filter(takesQuota)) {
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

  /** Only what the quota limits matters. */
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

  /** As `releaseInOrder` goes down a list without borrowing. */
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
 * The first of the queue, up to one for which something else decides than the quota: when it is admitted, it takes the room
 * of those behind it. One that can never be admitted blocks a strict queue, and nothing else.
 */
function estimable(waiting: readonly PendingEntry[], strategy: QueueFacts['strategy']): PendingEntry[] {
  const able = strategy === 'StrictFIFO' ? waiting : waiting.filter(({ why }) => !isBeyondLimits(why))
  const end = able.findIndex(({ why }) => !DECIDED_BY_QUOTA.has(why.code))
  return able.slice(0, Math.min(MOST_ESTIMATED, end < 0 ? Infinity : end))
}
