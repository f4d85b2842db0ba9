import type { Candidate } from '../candidate'
import { comparePreference } from '../preference'
import { chooseRegions } from './region-paths'
import type { Region, Selection, SelectionInput } from './selection'

/** Weight of one region point; outweighs every cluster score. */
const weightUnit = 1000

/** Chooses regions first, then one cluster of each and the best of the rest. Capacity affects only the scores. */
export function selectByRegion(input: SelectionInput): Selection {
  const regions = groupByRegion(input)
  // upstream: karmada-scheduler, selectBestClustersByRegion
  if (regions.length < input.region.minGroups) {
    return { ok: false, message: 'the number of feasible region is less than spreadConstraint.MinGroups' }
  }
  const chosen = chooseRegions(regions, input)
  // upstream: the same
  if (chosen.length === 0) {
    return { ok: false, message: 'the number of clusters is less than the cluster spreadConstraint.MinGroups' }
  }
  return { ok: true, selected: clustersOf(chosen, input.cluster.maxGroups) }
}

/** Returns the regions of the candidates with their scores. Clusters without a region are ignored. */
export function groupByRegion(input: SelectionInput): Region[] {
  const regions = new Map<string, Candidate[]>()
  for (const candidate of input.candidates) {
    const { region } = candidate.facts
    if (region === '') continue
    const clusters = regions.get(region)
    if (clusters) clusters.push(candidate)
    else regions.set(region, [candidate])
  }
  return [...regions].map(([name, clusters]) => ({ name, clusters, score: scoreRegion(clusters, input) }))
}

function scoreRegion(clusters: readonly Candidate[], input: SelectionInput): number {
  return input.duplicated ? scoreDuplicated(clusters, input.replicas) : scoreDivided(clusters, input)
}

/** Scores by the number of clusters that could take all replicas. */
function scoreDuplicated(clusters: readonly Candidate[], replicas: number): number {
  const able = clusters.filter(({ availableReplicas }) => availableReplicas >= replicas)
  return able.length === 0 ? 0 : weightUnit * able.length + Math.trunc(scoreSum(able) / able.length)
}

/** Scores by the share of the replicas that its best clusters can take. */
function scoreDivided(clusters: readonly Candidate[], { replicas, region, cluster }: SelectionInput): number {
  const target = region.minGroups > 0 ? Math.ceil(replicas / region.minGroups) : 0
  const least = Math.max(cluster.minGroups, region.minGroups)
  let capacity = 0
  let walked = 0
  for (const { availableReplicas } of clusters) {
    capacity += availableReplicas
    walked += 1
    if (walked >= least && capacity >= target) break
  }
  const total = scoreSum(clusters.slice(0, walked))
  return capacity < target
    ? weightUnit * capacity + Math.trunc(total / clusters.length)
    : weightUnit * target + Math.trunc(total / walked)
}

function scoreSum(clusters: readonly Candidate[]): number {
  return clusters.reduce((sum, { score }) => sum + score, 0)
}

/** Keeps the best cluster of every region, even beyond the maximum. */
function clustersOf(regions: readonly Region[], maxGroups: number): Candidate[] {
  const selected = regions.map(({ clusters }) => clusters[0]!)
  const rest = regions.flatMap(({ clusters }) => clusters.slice(1)).sort(comparePreference)
  const room = Math.min(selected.length + rest.length, maxGroups) - selected.length
  return [...selected, ...rest.slice(0, Math.max(0, room))]
}
