/** Determines the API resources that a cluster serves, from its discovery documents. */
import type { NewCondition } from '../../kube/conditions'
import type { Cluster } from '../../kube/kinds/cluster'

export type ApiEnablement = NonNullable<NonNullable<Cluster['status']>['apiEnablements']>[number]

/** The fields of `metav1.APIResourceList` that are read. */
export interface ApiResourceList {
  groupVersion: string
  resources: readonly { name: string; kind: string }[]
}

/**
 * Returns enablements sorted by group version, with resources sorted by name. Subresources (names with a slash) are
 * omitted.
 */
export function apiEnablementsOf(lists: readonly ApiResourceList[]): ApiEnablement[] {
  return lists
    .map(({ groupVersion, resources }) => ({
      groupVersion,
      resources: resources
        .filter(({ name }) => !name.includes('/'))
        .map(({ kind, name }) => ({ kind, name }))
        .toSorted((a, b) => compare(a.name, b.name)),
    }))
    .toSorted((a, b) => compare(a.groupVersion, b.groupVersion))
}

/** Returns the CompleteAPIEnablements condition. `complete` is false when a part of discovery failed. */
export function observeEnablements(enablements: readonly ApiEnablement[], complete: boolean): NewCondition {
  const type = 'CompleteAPIEnablements'
  if (enablements.length === 0) {
    // upstream: Karmada cluster status controller
    return { type, status: 'False', reason: 'Empty', message: 'collected empty APIEnablements from the cluster' }
  }
  if (complete) {
    // upstream: Karmada cluster status controller
    return { type, status: 'True', reason: 'Complete', message: 'collected complete APIEnablements from the cluster' }
  }
  // upstream: Karmada cluster status controller
  const message = `might collect partial APIEnablements(${enablements.length}) from the cluster`
  return { type, status: 'False', reason: 'Partial', message }
}

/** Compares by bytes, as Go sorts; names are ASCII. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
