/** The fleet as comma-separated values: a line for each workload in each cluster that has something of it. */
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

/** Spreadsheets take a cell that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** One field: a formula is made text, and quotes stand around what would end the field. */
export function csvField(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

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
  return [HEAD, ...lines].map((line) => `${line.map(csvField).join(',')}\r\n`).join('')
}
