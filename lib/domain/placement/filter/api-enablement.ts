import { apiName } from '../apis'
import type { FilterRule } from './rule'

/** Requires that the cluster serves the kind. Clusters that already run the workload are exempt. */
export const apiEnablement: FilterRule = {
  name: 'APIEnablement',
  compile({ spec, positions }) {
    const api = apiName(spec.resource.apiVersion, spec.resource.kind)
    return ({ apis, name }) =>
      // upstream: karmada-scheduler, plugin APIEnablement
      apis.has(api) || positions.has(name) ? undefined : 'cluster(s) did not have the API resource'
  },
}
