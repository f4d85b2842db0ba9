import type { ClusterFacts } from '../facts'
import type { FilterRule } from './rule'

/** Requires every cluster property that the spread constraints use. */
export const spreadConstraint: FilterRule = {
  name: 'SpreadConstraint',
  compile({ placement }) {
    const fields = (placement.spreadConstraints ?? []).map(({ spreadByField }) => spreadByField)
    if (fields.length === 0) return undefined
    return (facts) => {
      const lacking = fields.find((field) => lacks(facts, field))
      // upstream: karmada-scheduler, plugin SpreadConstraint
      return lacking && `cluster(s) did not have ${lacking === 'zone' ? 'zones' : lacking} property`
    }
  },
}

function lacks({ provider, region, zones }: ClusterFacts, field: string | undefined): boolean {
  if (field === 'provider') return provider === ''
  if (field === 'region') return region === ''
  return field === 'zone' && zones.length === 0
}
