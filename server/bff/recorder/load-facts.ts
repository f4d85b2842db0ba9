/**
 * Decides which loads of clusters are written to the journal: it must stay small, and the load changes with every pod.
 */
import type { EpochMs } from '@/lib/std/clock'
import type { Amount, LoadFact } from '@/lib/view/journal'

const EVERY_MS = 5 * 60_000
/** A change of this share of the capacity is written earlier. */
const LARGE = 0.05
const SMALL = 0.005

/** Reports whether `after` is written, `ageMs` after the last written load. */
export function isLoadNoted(before: LoadFact | undefined, after: LoadFact, ageMs: EpochMs): boolean {
  if (before === undefined) return true
  const change = Math.max(
    ...(['cpu', 'memory', 'pods'] as const).map((resource) => changeOf(before[resource], after[resource])),
  )
  return change >= LARGE || (change >= SMALL && ageMs >= EVERY_MS)
}

function changeOf(before: Amount | undefined, after: Amount | undefined): number {
  if (!before || !after) return before || after ? 1 : 0
  if (before.allocatable !== after.allocatable) return 1
  return after.allocatable > 0 ? Math.abs(after.allocated - before.allocated) / after.allocatable : 0
}
