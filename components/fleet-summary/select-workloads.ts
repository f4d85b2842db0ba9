/** Which workloads the matrix and the list show. */
import { compareNaturally } from '@/lib/std/natural-order'
import { filterKeeper } from '@/lib/std/row-keepers'
import type { WorkloadView } from '@/lib/view/model'
import { type ListQuery, matchesFilter, parseFilter, workloadFields } from '../hooks/filter'
import { isException } from '../status/states'

export interface FleetQuery extends ListQuery {
  onlyExceptions: boolean
}

/** A function that gives the workloads that the query keeps; the same array where nothing in it changed. */
export function workloadSelector(query: FleetQuery): (workloads: readonly WorkloadView[]) => readonly WorkloadView[] {
  const terms = parseFilter(query.filter)
  if (query.state === undefined && !query.onlyExceptions && terms.length === 0) return (workloads) => workloads
  return filterKeeper(
    (workload) =>
      (query.state === undefined || workload.state.state === query.state)
      && (!query.onlyExceptions || isException(workload.state.state))
      && (terms.length === 0 || matchesFilter(terms, workloadFields(workload))),
  )
}

/** The workloads that the query keeps, by namespace and name. */
export const selectWorkloads = (workloads: readonly WorkloadView[], query: FleetQuery): readonly WorkloadView[] =>
  workloadSelector(query)(workloads.toSorted(byNamespaceAndName))

/** Cluster-scoped objects come last: they belong to no team. */
export function byNamespaceAndName(a: WorkloadView, b: WorkloadView): number {
  const scope = Number(a.ref.namespace === undefined) - Number(b.ref.namespace === undefined)
  return (
    scope
    || compareNaturally(a.ref.namespace ?? '', b.ref.namespace ?? '')
    || compareNaturally(a.ref.name, b.ref.name)
    || compareNaturally(a.id, b.id)
  )
}
