/**
 * Follows the Lease of Karmada's scheduler. A scheduler that starts, or takes over, has forgotten what the one before
 * placed; without the Lease, nothing that can be read tells so.
 */
import { ASSUMED_FOR_MS } from '@/lib/domain/placement'
import type { Lease } from '@/lib/kube/kinds/lease'
import { type Clock, type EpochMs, parseTime, type Stop } from '@/lib/std/clock'

const EVERY_MS = 5000
/** An older answer is no knowledge; the Lease of a scheduler that stops lasts 15 s. */
const STALE_MS = 3 * EVERY_MS

export class SchedulerTerm {
  #term: string | undefined
  /** When the term was last seen. */
  #seen: { at: EpochMs; elapsed: number } | undefined
  /** No later restart went unnoticed. */
  #knownSince: EpochMs | undefined
  #timer: Stop | undefined
  #isStopped = true

  constructor(
    /** Rejects where the Lease cannot be read. */
    private readonly read: () => Promise<Lease>,
    private readonly clock: Clock,
    /** Called with the last time at which the term before was seen. */
    private readonly onRestart: (before: EpochMs) => void,
  ) {}

  start(): void {
    this.#isStopped = false
    void this.#look()
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.()
  }

  /** Reports whether every restart in the time in which a scheduler counts what it placed was noticed. */
  get isKnown(): boolean {
    const { clock } = this
    if (!this.#seen || this.#knownSince === undefined) return false
    return clock.elapsed() - this.#seen.elapsed <= STALE_MS && clock.now() - this.#knownSince >= ASSUMED_FOR_MS
  }

  async #look(): Promise<void> {
    try {
      this.#note(await this.read())
    } catch {
      // Not served, not permitted, or not reachable: what is not read again becomes stale.
    }
    if (!this.#isStopped) this.#timer = this.clock.after(EVERY_MS, () => void this.#look())
  }

  #note({ spec = {} }: Lease): void {
    const { holderIdentity = '', acquireTime = '', leaseTransitions = 0 } = spec
    // Between two leaders the Lease has no holder.
    if (holderIdentity === '') return
    const term = JSON.stringify([holderIdentity, acquireTime, leaseTransitions])
    const now = { at: this.clock.now(), elapsed: this.clock.elapsed() }
    if (this.#seen && this.#term !== term) this.onRestart(this.#seen.at)
    if (!this.#seen || now.elapsed - this.#seen.elapsed > STALE_MS) this.#knownSince = startOf(acquireTime, now.at)
    this.#term = term
    this.#seen = now
  }
}

/** A scheduler that began before is known from its begin on. */
const startOf = (acquireTime: string, now: EpochMs): EpochMs => {
  const acquired = parseTime(acquireTime)
  return Number.isNaN(acquired) ? now : Math.min(now, acquired)
}
