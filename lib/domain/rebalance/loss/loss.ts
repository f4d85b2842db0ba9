/** The outcome of the loss of one or more clusters, and its totals. */

/**
 * Outcome for a workload that had replicas in lost clusters. `moves`: every lost replica is placed elsewhere. `keeps`:
 * it needs no other cluster, because its policy duplicates it and other clusters remain. `fewer`: it keeps running with
 * fewer replicas. `down`: no replica runs.
 */
export const FATES = ['moves', 'keeps', 'fewer', 'down'] as const
export type Fate = (typeof FATES)[number]

/** The most utilized cluster after it took in replicas. */
export interface Peak {
  cluster: string
  resource: string
  /** Share of the allocatable amount; above 1 if more is requested. */
  share: number
}

/**
 * The outcome of a loss. Uses typed arrays, because a fleet of 100 clusters has 5,000 pairs with hundreds of workloads
 * each.
 */
export interface Loss {
  clusters: readonly string[]
  /** Indexes of the workloads in `LossSimulation.workloads`. */
  workloads: Uint32Array
  /** By workload: index of the fate, replicas that need another cluster, and those of them that get none. */
  fates: Uint8Array
  needed: Uint32Array
  missing: Uint32Array
  /** Time from the failure to the last eviction; absent if no workload is evicted. */
  evictedAfterMs?: number
  peak?: Peak
}

export interface LossTotals {
  workloads: number
  moved: number
  /** Workloads that are down or have fewer replicas, and those of them that are down. */
  losing: number
  down: number
  needed: number
  placed: number
}

/** Returns the totals over the workloads for which `sees` returns true. */
export function totalsOf(loss: Loss, sees: (workload: number) => boolean = () => true): LossTotals {
  const totals = { workloads: 0, moved: 0, losing: 0, down: 0, needed: 0, placed: 0 }
  loss.workloads.forEach((workload, at) => {
    if (!sees(workload)) return
    const fate = FATES[loss.fates[at]!]!
    const needed = loss.needed[at]!
    totals.workloads += 1
    totals.needed += needed
    totals.placed += needed - loss.missing[at]!
    if (fate === 'moves') totals.moved += 1
    if (isLoss(fate)) totals.losing += 1
    if (fate === 'down') totals.down += 1
  })
  return totals
}

/** Returns the workloads that lose replicas, those that are down first. */
export function losersOf({ workloads, fates }: Loss): number[] {
  const of = (fate: Fate): number[] => [...workloads].filter((_, at) => fates[at] === FATES.indexOf(fate))
  return [...of('down'), ...of('fewer')]
}

export const isLoss = (fate: Fate): boolean => fate === 'fewer' || fate === 'down'
