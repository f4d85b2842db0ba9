/** Which workloads the matrix and the list show. */
import { compareNaturally } from '@/lib/std/natural-order'
import type { WorkloadView } from '@/lib/view/model'
import { type ListQuery, matchesFilter, parseFilter, workloadFields } from '../hooks/filter'
import { isException } from '../status/states'

export interface FleetQuery extends ListQuery {
  onlyExceptions: boolean
}

/** The workloads that the query keeps; `sort` puts them in the order of `byNamespaceAndName`. */
export function selectWorkloads(
  workloads: readonly WorkloadView[],
  query: FleetQuery,
  sort: (rows: readonly WorkloadView[]) => WorkloadView[] = (rows) => rows.toSorted(byNamespaceAndName),
): WorkloadView[] {
  const terms = parseFilter(query.filter)
  return sort(
    workloads.filter(
      (workload) =>
        (query.state === undefined || workload.state.state === query.state)
        && (!query.onlyExceptions || isException(workload.state.state))
        && (terms.length === 0 || matchesFilter(terms, workloadFields(workload))),
    ),
  )
}

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
