import type { FilterRule } from './rule'

/** The workload did not fail in the cluster a short while ago. */
export const evictionHistory: FilterRule = {
  name: 'EvictionHistory',
  compile({ blocked }) {
    if (!blocked?.size) return undefined
    // In the words of the upstream plugins, as it stands in one sentence with theirs.
    return ({ name }) => (blocked.has(name) ? 'cluster(s) is blocked as the workload failed there' : undefined)
  },
}
