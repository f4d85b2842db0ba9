/** The pending workloads of one queue during planning: the next one, the assessed ones, and what blocks them. */
import { holdsBack, isInFlight } from './hold'
import type { HoldAssessment, Release, PendingEntry } from './plan-model'
import type { QueuedBinding, QueueFacts } from './snapshot-model'
import type { WaitReason } from './wait-reason'

/** Orders by priority, then by the time of queueing, then by name; deterministic. */
export function byQueueOrder(a: QueuedBinding, b: QueuedBinding): number {
  if (a.priority !== b.priority) return b.priority - a.priority
  if (a.sinceMs !== b.sinceMs) return a.sinceMs - b.sinceMs
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

/**
 * Workloads that fit may overtake a head that does not, unless they were queued later than it by this much. This limits
 * how long a large workload is overtaken.
 */
export const OVERTAKING_WINDOW_MS = 10 * 60_000

export class PendingList {
  /** In order, including those admitted since the last `rewind`. */
  #candidates: readonly QueuedBinding[]
  readonly #gone = new Set<string>()
  readonly #why = new Map<string, WaitReason>()
  readonly #released: Release[] = []
  /** Index of the next candidate. */
  at = 0
  /** Closed lists are skipped in this phase. */
  open = true
  #shut = false
  /** The first workload that may fit later but not now, and the resource that it lacks. */
  blocked: { binding: QueuedBinding; lacks: string } | undefined
  /** How many more workloads this plan may admit. */
  budget: number
  readonly #inFlight: number

  constructor(
    readonly queue: QueueFacts,
    readonly hold: HoldAssessment,
    now: number,
  ) {
    this.#candidates = queue.bindings.filter(({ state }) => state === 'Waiting').sort(byQueueOrder)
    this.#inFlight = queue.bindings.filter(isInFlight).length
    this.budget = this.#budgetOf(hold)
    const wait = reasonForAll(queue, now)
    if (wait) this.#closeWith(wait)
  }

  /** Restarts at the head. */
  rewind(): void {
    this.#candidates = this.candidates
    this.at = 0
    this.blocked = undefined
    this.reopen()
  }

  #closeWith(why: WaitReason): void {
    for (const { key } of this.#candidates) this.#why.set(key, why)
    this.open = false
    this.#shut = true
  }

  #budgetOf({ resume }: HoldAssessment): number {
    const { maxInFlight } = this.queue.spec
    const slots = maxInFlight === undefined ? Infinity : Math.max(0, maxInFlight - this.#inFlight)
    return Math.min(slots, resume ? resume.budget : Infinity)
  }

  get next(): QueuedBinding | undefined {
    return this.#candidates[this.at]
  }

  /** Reports whether one reason applies to all of these workloads. */
  get isShut(): boolean {
    return this.#shut
  }

  /** Continues where the last phase stopped. */
  reopen(): void {
    this.open = this.next !== undefined && this.budget > 0 && !this.#shut
  }

  /** Returns false for a workload that was rejected for a reason other than quota lent to other queues. */
  mayBeOwed({ key }: QueuedBinding): boolean {
    const why = this.#why.get(key)
    return why === undefined || why.code === 'QuotaLentOut'
  }

  refuse(binding: QueuedBinding, why: WaitReason): void {
    this.#why.set(binding.key, why)
  }

  /** Admits `next` and advances to the workload behind it. */
  release(release: Release): void {
    this.releaseByName(release)
    this.at += 1
    this.budget -= 1
  }

  /** Removes a workload at any position. It does not count against the queue's budget. */
  releaseByName(release: Release): void {
    this.#gone.add(release.binding.key)
    this.#released.push(release)
  }

  /** Returns false for a workload that was admitted meanwhile. */
  waits({ key }: QueuedBinding): boolean {
    return !this.#gone.has(key)
  }

  /** Workloads still to be admitted, in order. */
  get candidates(): readonly QueuedBinding[] {
    return this.#gone.size === 0 ? this.#candidates : this.#candidates.filter(({ key }) => !this.#gone.has(key))
  }

  /** Returns the list for display: workloads admitted now, then the others, then those that only a user can resume. */
  entries(): PendingEntry[] {
    const gone = this.#released.map(({ binding, borrows }): Omit<PendingEntry, 'position'> => ({
      binding,
      next: true,
      why: { code: 'Next', borrows },
    }))
    const waiting = this.candidates.map((binding, ahead) => ({
      binding,
      next: false,
      why: this.#whyOf(binding, ahead + gone.length),
    }))
    const others = this.queue.bindings
      .filter(({ state }) => state === 'SuspendedByOther')
      .sort(byQueueOrder)
      .map((binding) => ({ binding, next: false, why: suspendedWhy(binding) }))
    return [...gone, ...waiting, ...others].map((entry, at) => ({ ...entry, position: at + 1 }))
  }

  #whyOf(binding: QueuedBinding, ahead: number): WaitReason {
    const known = this.#why.get(binding.key)
    if (known) return known
    const {
      strategy,
      spec: { maxInFlight },
    } = this.queue
    const {
      blocked,
      hold: { resume },
    } = this
    if (blocked && strategy === 'StrictFIFO') return { code: 'BlockedByHead', head: blocked.binding.key, ahead }
    if (resume && this.budget <= 0) return { code: 'Resuming', step: resume.step, ahead }
    if (maxInFlight !== undefined && this.budget <= 0) {
      return { code: 'MaxInFlight', most: maxInFlight, ahead: ahead + this.#inFlight }
    }
    return { code: 'Queued', ahead }
  }
}

function suspendedWhy({ suspendedBy }: QueuedBinding): WaitReason {
  return {
    code: 'SuspendedByOther',
    who: suspendedBy?.who || undefined,
    at: suspendedBy?.at,
    reason: suspendedBy?.reason,
    ...(suspendedBy?.policy && { policy: true }),
  }
}

/** Returns the reason that applies to every workload of a queue. */
function reasonForAll(queue: QueueFacts, now: number): WaitReason | undefined {
  const {
    invalid,
    missingQuota,
    spec: { hold },
  } = queue
  if (invalid) return { code: 'QueueInvalid', cause: invalid.text }
  if (hold && holdsBack(queue, now)) return { code: 'Held', by: hold.by, reason: hold.reason, until: hold.until }
  if (missingQuota) return { code: 'QuotaNotFound', name: missingQuota }
  return undefined
}
