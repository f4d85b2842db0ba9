/**
 * Changes of placements that the clusters may not have reported yet: replicas start and end after the decision, and each
 * cluster reports its capacity every few seconds (10 s by Karmada's default).
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { EpochMs } from '@/lib/std/clock'
import type { Binding } from '../placement'

/** Longer than Works need to be applied and two reports to be collected, which takes seconds in large clusters. */
const UNREPORTED_FOR_MS = 60_000
/** Of more, the latest count: the states that clusters may report are computed from each. */
const MAX_MOVES = 500

export interface RecentMove {
  /** With the placement before the move. */
  binding: Binding
  after: readonly TargetCluster[]
}

export class RecentMoves {
  readonly #moves: (RecentMove & { at: EpochMs })[] = []

  /** `after` is empty for a workload that was deleted. Times do not decrease. */
  record(binding: Binding, after: readonly TargetCluster[], at: EpochMs): void {
    this.#dropUntil(at - UNREPORTED_FOR_MS)
    this.#moves.push({ binding, after, at })
    if (this.#moves.length > MAX_MOVES) this.#moves.shift()
  }

  /** In the order in which they happened. */
  at(now: EpochMs): readonly RecentMove[] {
    this.#dropUntil(now - UNREPORTED_FOR_MS)
    return this.#moves
  }

  #dropUntil(time: EpochMs): void {
    const first = this.#moves.findIndex(({ at }) => at > time)
    this.#moves.splice(0, first === -1 ? this.#moves.length : first)
  }
}
