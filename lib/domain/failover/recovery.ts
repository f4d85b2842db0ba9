/** Estimates the remaining time until the workloads of a lost cluster have recovered. */

import type { EpochMs } from '@/lib/std/clock'

/** Number of recovered workloads at a time. */
export interface RecoverySample {
  at: EpochMs
  recovered: number
}

export interface RecoveryFacts {
  /** Workloads that will still recover automatically, without those that lack a policy or capacity. */
  remaining: number
  /** Those of them that are not evicted yet. */
  waiting: number
  /** The latest samples, oldest first. */
  samples: readonly RecoverySample[]
  /** Evictions per second, if known. */
  evictionsPerSecond?: number
}

/** Samples over a shorter time give no reliable rate. */
const MIN_SPAN_MS = 2_000

/**
 * Returns the seconds until all recoverable workloads have recovered: by the observed rate, and at least the time of
 * the remaining evictions. Undefined before any recovery was observed; 0 when nothing remains.
 */
export function recoverySecondsLeft(facts: RecoveryFacts): number | undefined {
  const { remaining, waiting, samples, evictionsPerSecond = Infinity } = facts
  if (remaining <= 0) return 0
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < MIN_SPAN_MS || last.recovered <= first.recovered) return undefined
  const perSecond = ((last.recovered - first.recovered) * 1000) / (last.at - first.at)
  return Math.ceil(Math.max(remaining / perSecond, evictionsPerSecond > 0 ? waiting / evictionsPerSecond : 0))
}
