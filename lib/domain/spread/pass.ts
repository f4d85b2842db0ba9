/** What one pass of the controller keeps in mind: what to report, and when to look again. */
import type { EpochMs } from '../../std/clock'
import type { SpreadRules } from './rules'

/** An event about a spread. */
export interface SpreadEvent {
  type: 'Normal' | 'Warning'
  reason: 'CreatePodFailed' | 'DeletePodFailed' | 'RecoverSchedulable' | 'PatchPodDeletionCostFailed'
  message: string
}

/** Asks about times, and remembers the next one that has not come yet. */
export class Deadlines {
  #next = Infinity

  constructor(
    private readonly now: EpochMs,
    private readonly rules: Pick<SpreadRules, 'punctual'>,
  ) {}

  /** Whether a time has passed. At that very time only what is punctual is over; the rest is not even looked at again. */
  isOver(at: EpochMs): boolean {
    if (at < this.now || (at === this.now && this.rules.punctual)) return true
    if (at > this.now) this.#next = Math.min(this.#next, at)
    return false
  }

  /** From now until something is over; undefined when nothing is awaited. */
  get nextMs(): number | undefined {
    return Number.isFinite(this.#next) ? this.#next - this.now : undefined
  }
}
