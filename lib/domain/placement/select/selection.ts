/** Types for selecting clusters by spread constraints. */
import type { Candidate } from '../candidate'

/** The selected clusters in order, or why a selection is impossible. */
export type Selection = { ok: true; selected: Candidate[] } | { ok: false; message: string }

/** Input of the selection strategies. `candidates` are sorted by preference. */
export interface SelectionInput {
  candidates: readonly Candidate[]
  replicas: number
  duplicated: boolean
  /** Zero if the placement has no such constraint. */
  cluster: Bounds
  region: Bounds
}

/** Minimum and maximum number of groups. An absent maximum is zero, which is applied literally. */
export interface Bounds {
  minGroups: number
  maxGroups: number
}

/** The clusters of one region, sorted by preference, and the region's score. */
export interface Region {
  name: string
  clusters: Candidate[]
  score: number
}
