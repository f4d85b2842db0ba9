import type { Division, DivisionInput } from './division'

/** Assigns all replicas to every cluster, regardless of capacity. */
export function divideDuplicated({ clusters, replicas }: DivisionInput): Division {
  return { ok: true, shares: clusters.map((cluster) => ({ cluster, replicas })), weights: [] }
}
