/** The fleet as comma-separated values: a line for each workload in each cluster that has something of it. */
import { csvOf } from '@/lib/std/csv'
import type { WorkloadView } from '@/lib/view/model'
import type { MatrixColumn } from '../matrix-model'

/** Names of fields of the API: they stay English. */
const HEAD = [
  'namespace',
  'kind',
  'name',
  'state',
  'cluster',
  'region',
  'role',
  'desired',
  'current',
  'ready',
  'unknown',
  'old',
] as const

/** RFC 4180, in the order of the rows. A workload that is nowhere has one line without a cluster. */
export function fleetCsv(workloads: readonly WorkloadView[], columns: readonly MatrixColumn[]): string {
  const regions = new Map(columns.map(({ name, region }) => [name, region]))
  const lines = workloads.flatMap((workload) => {
    const { ref, state } = workload
    const about = [ref.namespace ?? '', ref.kind, ref.name, state.state]
    if (workload.cells.length === 0)
      return [[...about, '', '', '', workload.desired, workload.current, workload.ready, 0, 0]]
    return workload.cells.map(({ cluster, role, desired, current, ready, unknown = 0, old = 0 }) => [
      ...about,
      cluster,
      regions.get(cluster) ?? '',
      role,
      desired,
      current,
      ready,
      unknown,
      old,
    ])
  })
  return csvOf([HEAD, ...lines])
}
