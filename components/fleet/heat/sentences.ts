/** Texts of a cell of the heat matrix: its name, and the content of its card. */
import type { Text } from '@/lib/messages'
import type { ClusterView, ReplicaCounts } from '@/lib/view/model'
import { sumCounts } from '@/lib/view/replica-sums'
import { cellText, countsText } from '@/lib/view/text/replica-counts'
import { nameOf } from '@/lib/view/workload-id'
import { groupTitle } from '../group-title'
import type { MatrixColumn, MatrixRow } from '../matrix-model'
import { spreadOf } from './amounts'
import type { ColumnTrack, RegionTrack } from './layout'
import { cpuShare } from './rows'

export const titleOf = (text: Text, row: MatrixRow): string =>
  row.kind === 'group' ? groupTitle(text, row.name) : nameOf(row.workload.ref)

const regionName = (text: Text, region: string): string => region || text('fleetHeat.noRegion')

/** Replicas of a row in a cluster; undefined where it has none. */
export function countsIn(row: MatrixRow, cluster: string): ReplicaCounts | undefined {
  if (row.kind === 'group') return row.byCluster.get(cluster)
  return row.workload.cells.find((cell) => cell.cluster === cluster)
}

/** The counts of a row in each cluster of a region that has some. */
export const countsInRegion = (row: MatrixRow, clusters: readonly MatrixColumn[]): ReplicaCounts[] =>
  clusters.flatMap(({ name }) => countsIn(row, name) ?? [])

export function cellSentence(text: Text, row: MatrixRow, track: ColumnTrack): string {
  if (track.kind === 'region') return regionSentence(text, row, track)
  const cluster = track.column.name
  if (row.kind === 'workload') {
    const cell = row.workload.cells.find((each) => each.cluster === cluster)
    return cell
      ? cellText(text, titleOf(text, row), cell, row.workload.hasReplicas)
      : text('fleet.cellEmpty', { workload: titleOf(text, row), cluster })
  }
  const sum = row.byCluster.get(cluster)
  const about = { group: titleOf(text, row), cluster, oldUnknown: row.unknownOld.has(cluster) ? 'yes' : 'no' }
  return sum
    ? text('fleet.groupCell', { ...about, counts: countsText(text, sum) })
    : text('fleet.groupCellEmpty', about)
}

function regionSentence(text: Text, row: MatrixRow, { region, clusters }: RegionTrack): string {
  const parts = countsInRegion(row, clusters)
  const about = { name: titleOf(text, row), region: regionName(text, region) }
  if (parts.length === 0) return text('fleetHeat.region.empty', about)
  return text('fleetHeat.region.cell', { ...about, counts: countsText(text, sumCounts(parts)), ...spreadOf(parts) })
}

export function rowSentence(text: Text, row: MatrixRow): string {
  if (row.kind === 'group')
    return text('fleetHeat.row.group', {
      name: titleOf(text, row),
      counts: countsText(text, row.sum),
      workloads: row.workloads.length,
    })
  const { workload } = row
  const said = { name: titleOf(text, row), reason: text.of(workload.state.reason) }
  return workload.hasReplicas
    ? text('fleetHeat.row.workload', { ...said, counts: countsText(text, workload) })
    : text('fleetHeat.row.withoutReplicas', said)
}

export function columnSentence(text: Text, track: ColumnTrack): string {
  if (track.kind === 'region')
    return text('fleetHeat.column.region', {
      region: regionName(text, track.region),
      n: track.clusters.length,
      cpu: cpuWords(text, track.clusters),
    })
  const { name, cluster } = track.column
  return text('fleetHeat.column.cluster', {
    cluster: name,
    reason: clusterReason(text, cluster),
    cpu: cpuWords(text, [track.column]),
  })
}

const clusterReason = (text: Text, cluster: ClusterView | undefined): string =>
  cluster === undefined ? text('fleet.clusterGone') : text.of(cluster.state.reason)

function cpuWords(text: Text, clusters: readonly MatrixColumn[]): string {
  const share = cpuShare(clusters)
  return share === undefined
    ? text('fleetHeat.cpu.unknown')
    : text('fleetHeat.cpu.share', { share: text.format.share(share) })
}
