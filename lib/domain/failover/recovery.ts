/** How far the workloads of a lost cluster have recovered, and how long the rest will take. */

/** How many had recovered at a moment, in elapsed milliseconds. */
export interface RecoverySample {
  at: number
  recovered: number
}

export interface RecoveryFacts {
  /** Workloads that are still to recover by themselves; what stays for want of a policy or room is not among them. */
  remaining: number
  /** Those of them that were not evicted yet. */
  waiting: number
  /** The latest samples, the oldest first. */
  samples: readonly RecoverySample[]
  /** Evictions a second, where that is known. */
  evictionsPerSecond?: number
}

/** Samples from a shorter time tell nothing about a rate. */
const LEAST_SPAN_MS = 2_000

/**
 * Seconds until everything that can recover has: by the rate that was seen, and never less than the evictions still to
 * come take. Undefined while no recovery was seen; 0 when nothing remains.
 */
export function recoverySecondsLeft(facts: RecoveryFacts): number | undefined {
  const { remaining, waiting, samples, evictionsPerSecond = Infinity } = facts
  if (remaining <= 0) return 0
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < LEAST_SPAN_MS || last.recovered <= first.recovered) return undefined
  const perSecond = ((last.recovered - first.recovered) * 1000) / (last.at - first.at)
  return Math.ceil(Math.max(remaining / perSecond, evictionsPerSecond > 0 ? waiting / evictionsPerSecond : 0))
}
