/** Collects the results of one reconcile: events, and when to reconcile again. */
import type { EpochMs } from '../../std/clock'
import type { SpreadRules } from './rules'

/** An event about a spread. */
export interface SpreadEvent {
  type: 'Normal' | 'Warning'
  reason: 'CreatePodFailed' | 'DeletePodFailed' | 'RecoverSchedulable' | 'PatchPodDeletionCostFailed'
  message: string
}

/** Checks deadlines, and remembers the next one in the future. */
export class Deadlines {
  #next = Infinity

  constructor(
    private readonly now: EpochMs,
    private readonly rules: Pick<SpreadRules, 'requeuesOnTime'>,
  ) {}

  /**
   * Reports whether a time has passed. Exactly at that time, it has passed only with the rule `requeuesOnTime`; otherwise, as
   * upstream, it is not checked again.
   */
  isOver(at: EpochMs): boolean {
    if (at < this.now || (at === this.now && this.rules.requeuesOnTime)) return true
    if (at > this.now) this.#next = Math.min(this.#next, at)
    return false
  }

  /** Time from now to the next deadline; undefined without one. */
  get nextMs(): number | undefined {
    return Number.isFinite(this.#next) ? this.#next - this.now : undefined
  }
}
