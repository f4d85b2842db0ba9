import type { Division, DivisionInput } from './division'

/** Every cluster gets all replicas; capacity is not looked at. */
export function divideDuplicated({ clusters, replicas }: DivisionInput): Division {
  return { ok: true, shares: clusters.map((cluster) => ({ cluster, replicas })), weights: [] }
}
