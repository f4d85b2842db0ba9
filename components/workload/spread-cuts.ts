import type { SpreadView } from '@/lib/view/spread-model'

/** Where the bar of a cluster is cut: after each subset but the last that has pods. Nothing where no subsets are known. */
export function cutsOf(spread: SpreadView | undefined, cluster: string, now: number): number[] {
  const subsets = spread?.clusters.find((each) => each.cluster === cluster)?.subsets ?? []
  let sum = 0
  const ends = subsets.map((subset) => (sum += subset.current))
  return [...new Set(ends)].filter((end) => end > 0 && end < now)
}
