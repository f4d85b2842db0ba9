/** The vocabulary of selecting clusters under spread constraints. */
import type { Candidate } from '../candidate'

/** The chosen clusters in order, or why a choice is impossible. */
export type Selection = { ok: true; selected: Candidate[] } | { ok: false; message: string }

/** What the selection strategies read. `candidates` are in order of preference. */
export interface SelectionInput {
  candidates: readonly Candidate[]
  replicas: number
  duplicated: boolean
  /** Zero bounds where the placement has no such constraint. */
  cluster: Bounds
  region: Bounds
}

/** How many groups at least and at most. An absent maximum is zero and is taken literally. */
export interface Bounds {
  minGroups: number
  maxGroups: number
}

/** The clusters of one region, in order of preference, and how well the region suits. */
export interface Region {
  name: string
  clusters: Candidate[]
  score: number
}
