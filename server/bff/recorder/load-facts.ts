/** Which loads of clusters go into the journal: it must stay small, and a load changes with every pod. */
import type { EpochMs } from '@/lib/std/clock'
import type { Amount, LoadFact } from '@/lib/view/journal'

const EVERY_MS = 5 * 60_000
/** A change of that share of what there is does not wait so long. */
const LARGE = 0.05
const SMALL = 0.005

/** Reports whether `after` is noted, `ageMs` after the load that was noted last. */
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
