import type { FilterRule } from './rule'

/** Rejects clusters that the workload is being evicted from. */
export const clusterEviction: FilterRule = {
  name: 'ClusterEviction',
  compile({ spec }) {
    const leaving = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster))
    if (leaving.size === 0) return undefined
    // upstream: karmada-scheduler, plugin ClusterEviction
    return ({ name }) => (leaving.has(name) ? 'cluster(s) is in the process of eviction' : undefined)
  },
}
