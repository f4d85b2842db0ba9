import type { FilterRule } from './rule'

/**
 * Requires that every other workload of the affinity group that runs anywhere also runs in the cluster. Clusters that
 * already run the workload are exempt.
 */
export const workloadAffinity: FilterRule = {
  name: 'WorkloadAffinity',
  compile({ neighbours, positions }) {
    const sets = neighbours?.affinity ?? []
    if (sets.length === 0) return undefined
    return ({ name }) =>
      positions.has(name) || sets.every((clusters) => clusters.has(name))
        ? undefined
        : // upstream: karmada-scheduler, plugin WorkloadAffinity
          'ResourceBinding with the same affinity group does not target this cluster'
  },
}

/**
 * Requires that no other workload of the anti-affinity group runs in the cluster. Clusters that already run the
 * workload are exempt.
 */
export const workloadAntiAffinity: FilterRule = {
  name: 'WorkloadAntiAffinity',
  compile({ neighbours, positions }) {
    const sets = neighbours?.antiAffinity ?? []
    if (sets.length === 0) return undefined
    return ({ name }) =>
      positions.has(name) || !sets.some((clusters) => clusters.has(name))
        ? undefined
        : // upstream: karmada-scheduler, plugin WorkloadAntiAffinity
          'cluster already has workload with the same anti-affinity group'
  },
}
