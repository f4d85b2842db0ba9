/** Types for dividing replicas over clusters. */
import type { Placement } from '@/lib/kube/kinds/placement'
import type { Candidate } from '../placement/candidate'
import { type PlacementRequest, isDuplicated } from '../placement/request'

export type Strategy = 'Duplicated' | 'StaticWeight' | 'DynamicWeight' | 'Aggregated'

/** Input of a strategy. */
export interface DivisionInput {
  request: PlacementRequest
  /** Sorted by preference. */
  clusters: readonly Candidate[]
  /** Replicas to divide: those of the workload, or the part for one overflow tier. */
  replicas: number
}

/** The result with the weights that produced it (empty for strategies without weights). */
export type Division =
  | { ok: true; shares: Share[]; weights: readonly Share[] }
  | { ok: false; unschedulable: boolean; message: string }

/** A cluster with a number of replicas: its capacity, or its current replicas. */
export interface Share {
  cluster: Candidate
  replicas: number
}

/** Returns the strategy of a placement; undefined for an unsupported combination. */
export function strategyOf(placement: Placement): Strategy | undefined {
  if (isDuplicated(placement)) return 'Duplicated'
  const { replicaSchedulingType, replicaDivisionPreference, weightPreference } = placement.replicaScheduling ?? {}
  if (replicaSchedulingType !== 'Divided') return undefined
  if (replicaDivisionPreference === 'Aggregated') return 'Aggregated'
  if (replicaDivisionPreference !== 'Weighted') return undefined
  return weightPreference?.dynamicWeight ? 'DynamicWeight' : 'StaticWeight'
}

/** Wraps to 32 bits, because the upstream scheduler uses int32 and overflows are observable. */
export function int32(value: number): number {
  return value | 0
}

/**
 * Sorts by the names of the clusters. Ranks are positions by name, so they index the list; comparing is necessary only
 * if a cluster occurs twice.
 */
export function byName<T>(items: readonly T[], clusterOf: (item: T) => Candidate): readonly T[] {
  let last = -1
  let isSorted = true
  for (const item of items) {
    const { rank } = clusterOf(item)
    if (rank < last) isSorted = false
    else last = rank
  }
  if (isSorted) return items
  const places = new Int32Array(last + 1).fill(-1)
  items.forEach((item, place) => {
    places[clusterOf(item).rank] = place
  })
  const sorted: T[] = []
  for (const place of places) if (place >= 0) sorted.push(items[place]!)
  return sorted.length === items.length ? sorted : [...items].sort((a, b) => clusterOf(a).rank - clusterOf(b).rank)
}

/** Returns the sum, wrapping to 32 bits. */
export function sumReplicas(shares: readonly { replicas: number }[]): number {
  return shares.reduce((sum, { replicas }) => int32(sum + replicas), 0)
}
