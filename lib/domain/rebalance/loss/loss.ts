/** What the loss of one or more clusters costs, and its sums. */

/**
 * What becomes of a workload that had copies in lost clusters. `moves`: every lost replica is placed elsewhere. `keeps`: it
 * needs no other place, because its policy asks for a copy in each cluster and another copy remains. `fewer`: it runs on
 * with fewer replicas. `down`: nothing of it runs.
 */
export const FATES = ['moves', 'keeps', 'fewer', 'down'] as const
export type Fate = (typeof FATES)[number]

/** The cluster that is fullest after it took in replicas. */
export interface Peak {
  cluster: string
  resource: string
  /** Share of what is allocatable; above 1 when more is requested than there is. */
  share: number
}

/** The outcome of a loss. Typed arrays, for a fleet of 100 clusters has 5,000 pairs with hundreds of workloads each. */
export interface Loss {
  clusters: readonly string[]
  /** Positions of the workloads in `LossSimulation.workloads`. */
  workloads: Uint32Array
  /** Index of the fate, replicas that need another place, and those of them that get none, by workload. */
  fates: Uint8Array
  needed: Uint32Array
  missing: Uint32Array
  /** From the failure to the last eviction; absent when nothing is evicted. */
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

/** The sums over the workloads that `sees` admits. */
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

/** The workloads that lose replicas, those that are down first. */
export function losersOf({ workloads, fates }: Loss): number[] {
  const of = (fate: Fate): number[] => [...workloads].filter((_, at) => fates[at] === FATES.indexOf(fate))
  return [...of('down'), ...of('fewer')]
}

export const isLoss = (fate: Fate): boolean => fate === 'fewer' || fate === 'down'
