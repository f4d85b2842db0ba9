/** Describes feasible clusters that were not selected, and whether changed reports could select them. */
import { generalEstimator } from '../estimate'
import type { Binding } from './binding'
import { compileAllocatable } from './capacity'
import type { ClusterFacts } from './facts'
import type { PlacementRun } from './place'
import { comparePreference } from './preference'
import type { SchedulerProfile } from './profile'
import { boundsOf, selectsByCluster } from './select'

/** What decides between the least preferred of the selected clusters and the others. */
export interface LastSelected {
  rank: number
  score: number
  availableReplicas: number
}

/**
 * Returns the least preferred selected cluster if the result depends on the others only by their order: a constraint on
 * clusters selects the most preferred ones, as many as it allows, and their capacity suffices. The result stays the
 * same while the selected clusters report the same and all others are ordered after them or are gone.
 */
export function lastSelectedOf({ request, candidates, selected, outcome }: PlacementRun): LastSelected | undefined {
  const { placement } = request
  if (!outcome.ok || placement.clusterAffinities || !selectsByCluster(placement)) return undefined
  const { minGroups } = boundsOf(placement.spreadConstraints ?? [], 'cluster')
  const isPrefix = selected.every((one, index) => one === candidates[index])
  const last = selected.at(-1)
  if (!last || !isPrefix || selected.length < minGroups) return undefined
  const { rank, score, availableReplicas } = last
  return { rank, score, availableReplicas }
}

/** Compiles the question whether a cluster that was not selected is less preferred than the last selected one. */
export function compileIsBehind(
  { spec }: Binding,
  last: LastSelected,
  { resourceModels }: SchedulerProfile,
): (facts: ClusterFacts, rank: number) => boolean {
  const allocatable = compileAllocatable(spec, [generalEstimator({ resourceModels })])
  const least = { ...last, overflowOrder: 0 }
  return (facts, rank) => {
    const present = spec.clusters?.find(({ name }) => name === facts.name)
    const availableReplicas = allocatable(facts) + (present?.replicas ?? 0)
    return comparePreference(least, { rank, score: present ? 100 : 0, availableReplicas, overflowOrder: 0 }) < 0
  }
}
