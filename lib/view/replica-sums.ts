/** Sums replica counts for rows, groups, clusters and selections. */
import type { ReplicaCounts } from './model'

/** Omits optional counts that are 0, because most are and every field is sent to every browser. */
export function withoutZeros(all: ReplicaCounts): ReplicaCounts {
  const { desired, current, ready } = all
  const counts: ReplicaCounts = { desired, current, ready }
  if (all.unknown) counts.unknown = all.unknown
  if (all.old) counts.old = all.old
  if (all.oldReady) counts.oldReady = all.oldReady
  if (all.oldUnknown) counts.oldUnknown = all.oldUnknown
  return counts
}

/** A sum from which parts can be removed again. */
export class ReplicaSum {
  readonly #sum = { desired: 0, current: 0, ready: 0, unknown: 0, old: 0, oldReady: 0, oldUnknown: 0 }

  add(part: ReplicaCounts, times = 1): void {
    const sum = this.#sum
    sum.desired += times * part.desired
    sum.current += times * part.current
    sum.ready += times * part.ready
    sum.unknown += times * (part.unknown ?? 0)
    sum.old += times * (part.old ?? 0)
    sum.oldReady += times * (part.oldReady ?? 0)
    sum.oldUnknown += times * (part.oldUnknown ?? 0)
  }

  get counts(): ReplicaCounts {
    return withoutZeros(this.#sum)
  }
}

/** Sums all counts, including the desired ones. */
export function sumCounts(parts: readonly ReplicaCounts[]): ReplicaCounts {
  const sum = new ReplicaSum()
  for (const part of parts) sum.add(part)
  return sum.counts
}

/** Sums the counts of workloads; those without replicas count nothing. */
export function sumWorkloads(workloads: readonly (ReplicaCounts & { hasReplicas: boolean })[]): ReplicaCounts {
  return sumCounts(workloads.filter(({ hasReplicas }) => hasReplicas))
}

/**
 * Sums counts with a given desired total. If the clusters have more (the scheduler has not processed a scale-down yet),
 * the surplus is old.
 */
export function countsOf(desired: number, parts: readonly ReplicaCounts[]): ReplicaCounts {
  const { current, ready, unknown = 0, old = 0, oldReady = 0, oldUnknown = 0 } = sumCounts(parts)
  const [kept, keptReady] = [Math.min(current, desired), Math.min(ready, desired)]
  const keptUnknown = Math.min(unknown, desired - keptReady)
  return withoutZeros({
    desired,
    current: kept,
    ready: keptReady,
    unknown: keptUnknown,
    old: old + current - kept,
    oldReady: oldReady + ready - keptReady,
    oldUnknown: oldUnknown + unknown - keptUnknown,
  })
}
