/** Replicas of a mark by what became of them: one cell, one cluster of a group, or one region of a row. */
import type { CellView, ReplicaCounts } from '@/lib/view/model'

export interface Amounts {
  desired: number
  ready: number
  /** Desired, not ready yet, and in progress. */
  starting: number
  /** Desired and not ready, and nothing is in progress. */
  short: number
  held: number
  /** The manifest was rejected, or the Job failed. */
  failed: number
  /** In a cluster that does not answer. */
  lost: number
  /** Without a usable report from a cluster that answers. */
  unknown: number
  /** Old replicas, which leave. */
  leaving: number
}

/** What can become of a replica, the worst first: where there is room for one mark, it is the first that is there. */
export const FATES = ['lost', 'failed', 'short', 'starting', 'unknown', 'held', 'leaving', 'ready'] as const
export type Fate = (typeof FATES)[number]

export const NO_AMOUNTS: Amounts = {
  desired: 0,
  ready: 0,
  starting: 0,
  short: 0,
  held: 0,
  failed: 0,
  lost: 0,
  unknown: 0,
  leaving: 0,
}

/** `isSilent`: the cluster does not answer, so what it had is lost until it does. */
export function amountsOf(cell: CellView, isSilent: boolean): Amounts {
  const { desired, ready, unknown = 0, old = 0, oldUnknown = 0 } = cell
  const amounts = { ...NO_AMOUNTS, desired, ready, leaving: old }
  amounts[isSilent ? 'lost' : 'unknown'] += unknown + oldUnknown
  amounts[fateOfRest(cell)] += Math.max(0, desired - ready - unknown)
  return amounts
}

/** What became of replicas that are desired, known of and not ready. */
function fateOfRest({ state: { state } }: CellView): 'starting' | 'held' | 'failed' | 'short' {
  if (state === 'active') return 'starting'
  if (state === 'held') return 'held'
  return state === 'fail' ? 'failed' : 'short'
}

export function addAmounts(parts: Iterable<Amounts>): Amounts {
  const sum = { ...NO_AMOUNTS }
  for (const part of parts) {
    sum.desired += part.desired
    for (const fate of FATES) sum[fate] += part[fate]
  }
  return sum
}

/** The one mark of a cell that has room for no more; undefined where nothing is or should be. */
export function worstFate(amounts: Amounts): Fate | undefined {
  return FATES.find((fate) => amounts[fate] > 0)
}

/** How many replicas a mark stands for. */
export const sizeOf = (amounts: Amounts): number => FATES.reduce((sum, fate) => sum + amounts[fate], 0)

export interface Spread {
  /** Clusters that hold something of it. */
  clusters: number
  /** Desired replicas of the cluster with the fewest and the most, among those that hold some. */
  least: number
  most: number
}

/** How evenly replicas are distributed over clusters. */
export function spreadOf(parts: Iterable<Pick<ReplicaCounts, 'desired'>>): Spread {
  const held = [...parts].map(({ desired }) => desired).filter((desired) => desired > 0)
  return held.length === 0
    ? { clusters: 0, least: 0, most: 0 }
    : { clusters: held.length, least: Math.min(...held), most: Math.max(...held) }
}
