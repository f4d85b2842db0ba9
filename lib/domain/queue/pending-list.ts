/** The pending workloads of one queue during planning: the next one, the assessed ones, and what blocks them. */
import { type BindingRoles, rolesOf } from './binding-roles'
import { holdsBack } from './hold'
import type { HoldAssessment, Release, PendingEntry } from './plan-model'
import type { QueuedBinding, QueueFacts } from './snapshot-model'
import type { WaitReason } from './wait-reason'

/**
 * Workloads that fit may overtake a head that does not, unless they were queued later than it by this much. This limits
 * how long a large workload is overtaken.
 */
export const OVERTAKING_WINDOW_MS = 10 * 60_000

export class PendingList {
  readonly #roles: BindingRoles
  /** Workloads that this plan admits. */
  readonly #gone = new Set<QueuedBinding>()
  /** By position among the waiting workloads. */
  readonly #why: WaitReason[] = []
  /** Applies to all of them. */
  readonly #whyForAll: WaitReason | undefined
  readonly #released: Release[] = []
  /** Position of the next workload. */
  #at = 0
  /** Closed lists are skipped in this phase. */
  open = true
  /** The first workload that may fit later but not now, and the resource that it lacks. */
  blocked: { binding: QueuedBinding; lacks: string } | undefined
  /** How many more workloads this plan may admit. */
  budget: number

  constructor(
    readonly queue: QueueFacts,
    readonly hold: HoldAssessment,
    now: number,
  ) {
    this.#roles = rolesOf(queue.bindings)
    this.budget = this.#budgetOf(hold)
    this.#whyForAll = reasonForAll(queue, now)
    if (this.#whyForAll) this.open = false
  }

  /** Restarts at the head. */
  rewind(): void {
    this.#at = 0
    this.#skipGone()
    this.blocked = undefined
    this.reopen()
  }

  #budgetOf({ resume }: HoldAssessment): number {
    const { maxInFlight } = this.queue.spec
    const slots = maxInFlight === undefined ? Infinity : Math.max(0, maxInFlight - this.#roles.inFlight.length)
    return Math.min(slots, resume ? resume.budget : Infinity)
  }

  get next(): QueuedBinding | undefined {
    return this.#roles.waiting[this.#at]
  }

  /** Reports whether one reason applies to all of these workloads. */
  get isShut(): boolean {
    return this.#whyForAll !== undefined
  }

  /** Continues where the last phase stopped. */
  reopen(): void {
    this.open = this.next !== undefined && this.budget > 0 && !this.isShut
  }

  /**
   * Returns the first workload that is owed something, among those that were not refused for a reason other than quota
   * lent to other queues.
   */
  firstOwed(isOwed: (binding: QueuedBinding) => boolean): QueuedBinding | undefined {
    return this.#roles.waiting.find((binding, at) => {
      const why = this.#why[at]
      return (why === undefined || why.code === 'QuotaLentOut') && this.waits(binding) && isOwed(binding)
    })
  }

  /** Notes why `next` is not admitted. */
  refuse(why: WaitReason): void {
    this.#why[this.#at] = why
  }

  /** Advances to the workload behind `next`. */
  advance(): void {
    this.#at += 1
    this.#skipGone()
  }

  #skipGone(): void {
    if (this.#gone.size > 0) while (this.next && !this.waits(this.next)) this.#at += 1
  }

  /** Admits `next` and advances to the workload behind it. */
  release(release: Release): void {
    this.releaseByName(release)
    this.advance()
    this.budget -= 1
  }

  /** Removes a workload at any position. It does not count against the queue's budget. */
  releaseByName(release: Release): void {
    this.#gone.add(release.binding)
    this.#released.push(release)
  }

  /** Returns false for a workload that was admitted meanwhile. */
  waits(binding: QueuedBinding): boolean {
    return !this.#gone.has(binding)
  }

  /** Workloads still to be admitted, in order. */
  get candidates(): readonly QueuedBinding[] {
    const { waiting } = this.#roles
    return this.#gone.size === 0 ? waiting : waiting.filter((binding) => this.waits(binding))
  }

  /** Returns the list for display: workloads admitted now, then the others, then those that only a user can resume. */
  entries(): PendingEntry[] {
    const entries: PendingEntry[] = []
    const add = (binding: QueuedBinding, next: boolean, why: WaitReason): void => {
      entries.push({ binding, next, why, position: entries.length + 1 })
    }
    for (const { binding, borrows } of this.#released) add(binding, true, { code: 'Next', borrows })
    for (const [at, binding] of this.#roles.waiting.entries())
      if (this.waits(binding)) add(binding, false, this.#whyAt(at, entries.length))
    for (const binding of this.#roles.suspendedByOther) add(binding, false, suspendedWhy(binding))
    return entries
  }

  #whyAt(at: number, ahead: number): WaitReason {
    const known = this.#whyForAll ?? this.#why[at]
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
      return { code: 'MaxInFlight', most: maxInFlight, ahead: ahead + this.#roles.inFlight.length }
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
