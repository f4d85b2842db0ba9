import type { SpreadView } from '@/lib/view/spread-model'

/** Returns the cuts in a cluster's bar: after each subset with pods except the last. Empty without known subsets. */
export function cutsOf(spread: SpreadView | undefined, cluster: string, now: number): number[] {
  const subsets = spread?.clusters.find((each) => each.cluster === cluster)?.subsets ?? []
  let sum = 0
  const ends = subsets.map((subset) => (sum += subset.current))
  return [...new Set(ends)].filter((end) => end > 0 && end < now)
}
