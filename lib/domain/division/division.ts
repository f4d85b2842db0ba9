/** The vocabulary of dividing replicas over clusters. */
import type { Placement } from '@/lib/kube/kinds/placement'
import type { Candidate } from '../placement/candidate'
import { type PlacementRequest, isDuplicated } from '../placement/request'

export type Strategy = 'Duplicated' | 'StaticWeight' | 'DynamicWeight' | 'Aggregated'

/** A question to one strategy. */
export interface DivisionInput {
  request: PlacementRequest
  /** In order of preference. */
  clusters: readonly Candidate[]
  /** Replicas to divide: those of the workload, or the part that falls on one overflow tier. */
  replicas: number
}

/** The result with the weights that led to it (empty for strategies that do not weigh). */
export type Division =
  | { ok: true; shares: Share[]; weights: readonly Share[] }
  | { ok: false; unschedulable: boolean; message: string }

/** One cluster and a number of replicas: what it could take, or what it has. */
export interface Share {
  cluster: Candidate
  replicas: number
}

/** The strategy of a placement; undefined when there is none for it. */
export function strategyOf(placement: Placement): Strategy | undefined {
  if (isDuplicated(placement)) return 'Duplicated'
  const { replicaSchedulingType, replicaDivisionPreference, weightPreference } = placement.replicaScheduling ?? {}
  if (replicaSchedulingType !== 'Divided') return undefined
  if (replicaDivisionPreference === 'Aggregated') return 'Aggregated'
  if (replicaDivisionPreference !== 'Weighted') return undefined
  return weightPreference?.dynamicWeight ? 'DynamicWeight' : 'StaticWeight'
}

/** Whole numbers of 32 bits wrap around in the real scheduler, and it shows. */
export function int32(value: number): number {
  return value | 0
}

/** The sum as a wrapping 32 bit number. */
export function sumReplicas(shares: readonly { replicas: number }[]): number {
  return shares.reduce((sum, { replicas }) => int32(sum + replicas), 0)
}
