import type { FilterRule } from './rule'

/** Rejects clusters where the workload failed recently. */
export const evictionHistory: FilterRule = {
  name: 'EvictionHistory',
  compile({ blocked }) {
    if (!blocked?.size) return undefined
    // Worded like the upstream plugins, because it appears in one sentence with their reasons.
    return ({ name }) => (blocked.has(name) ? 'cluster(s) is blocked as the workload failed there' : undefined)
  },
}
