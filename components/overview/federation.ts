/** Regions, clusters and replicas of the federation picture, from the views that the tables show, too. */
import type { FailoverEntryView } from '@/lib/view/failover-model'
import type { CellView, ClusterView, WorkloadView } from '@/lib/view/model'
import { startingIn } from './flows'

/** `recovered`: ready, in a cluster that took it over in a failover that still runs. */
export type BlockKind = 'ready' | 'recovered' | 'starting' | 'lost' | 'unknown' | 'leaving'

/** One replica. */
export interface Block {
  id: string
  workload: string
  name: string
  kind: BlockKind
}

export interface ClusterPicture {
  cluster: ClusterView
  /** The name without what it shares with the region. */
  shortName: string
  ready: number
  desired: number
  starting: number
  /** Requested part of the allocatable CPU; absent where it is not reported. */
  load?: number
  /** Part of the CPU that is requested by what arrives: load that is not there yet. */
  arriving: number
  blocks: Block[]
}

export interface RegionPicture {
  name: string
  clusters: ClusterPicture[]
}

export interface FederationFacts {
  clusters: readonly ClusterView[]
  workloads: readonly WorkloadView[]
  failovers: readonly FailoverEntryView[]
}

/** In larger federations a cluster is a tile: its replicas are not told apart. */
export const MOST_FOR_BLOCKS = 6

/** Numbers in names count as numbers. */
const { compare } = new Intl.Collator('en', { numeric: true })

/** By name: positions never depend on load. */
export function federationOf({ clusters, workloads, failovers }: FederationFacts): RegionPicture[] {
  const blocks =
    clusters.length <= MOST_FOR_BLOCKS ? blocksByCluster(workloads, takeovers(failovers)) : new Map<string, Block[]>()
  const arrivals = startingByCluster(workloads)
  const pictures = clusters.map((cluster) =>
    pictureOf(cluster, { blocks: blocks.get(cluster.name) ?? [], starting: arrivals.get(cluster.name) ?? 0 }),
  )
  const regions = Map.groupBy(pictures, ({ cluster }) => cluster.region ?? '')
  return [...regions]
    .map(([name, members]) => ({
      name,
      clusters: members
        .map((each) => ({ ...each, shortName: withoutRegion(each.cluster.name, name) }))
        .sort((a, b) => compare(a.cluster.name, b.cluster.name)),
    }))
    .sort((a, b) => compare(a.name, b.name))
}

function pictureOf(
  cluster: ClusterView,
  { blocks, starting: arriving }: { blocks: Block[]; starting: number },
): ClusterPicture {
  const { name, cpu, replicas } = cluster
  return {
    cluster,
    shortName: name,
    ready: replicas.ready,
    desired: replicas.desired,
    starting: arriving,
    ...(cpu && cpu.allocatable > 0 && { load: cpu.allocated / cpu.allocatable }),
    arriving: cpu && cpu.allocatable > 0 ? cpu.allocating / cpu.allocatable : 0,
    // What a cluster that does not answer had is lost until it answers again.
    blocks: cluster.ready === 'True' ? blocks : blocks.map((block) => ({ ...block, kind: 'lost' })),
  }
}

/** `af-south-04` in region `af-south` is `04`. */
function withoutRegion(name: string, region: string): string {
  return region !== '' && name.startsWith(`${region}-`) ? name.slice(region.length + 1) : name
}

function startingByCluster(workloads: readonly WorkloadView[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>()
  for (const workload of workloads) {
    for (const cell of workload.cells) {
      const n = startingIn(workload, cell)
      if (n > 0) all.set(cell.cluster, (all.get(cell.cluster) ?? 0) + n)
    }
  }
  return all
}

/** Replicas that a workload had in a cluster before its failover, by workload and cluster that took it over. */
function takeovers(failovers: readonly FailoverEntryView[]): ReadonlyMap<string, number> {
  const had = new Map<string, number>()
  for (const { workload, successors, before = [] } of failovers.flatMap((entry) => entry.failovers)) {
    if (workload === undefined) continue
    for (const { cluster } of successors)
      had.set(`${workload} ${cluster}`, before.find((place) => place.cluster === cluster)?.replicas ?? 0)
  }
  return had
}

function blocksByCluster(
  workloads: readonly WorkloadView[],
  takenOver: ReadonlyMap<string, number>,
): ReadonlyMap<string, Block[]> {
  const all = new Map<string, Block[]>()
  const inOrder = workloads.filter(({ hasReplicas }) => hasReplicas).toSorted((a, b) => compare(a.ref.name, b.ref.name))
  for (const workload of inOrder) {
    for (const cell of workload.cells) {
      const blocks = all.get(cell.cluster) ?? []
      const counts = blockCounts(workload, cell, takenOver.get(`${workload.id} ${cell.cluster}`))
      const kinds = counts.flatMap(([kind, n]) => Array.from({ length: n }, () => kind))
      kinds.forEach((kind, at) => {
        blocks.push({ id: `${workload.id} ${at}`, workload: workload.id, name: workload.ref.name, kind })
      })
      all.set(cell.cluster, blocks)
    }
  }
  return all
}

/** A replica that cannot be seen is lost where the cluster is; old ones leave. */
function blockCounts(workload: WorkloadView, cell: CellView, before: number | undefined): [BlockKind, number][] {
  const { ready, unknown = 0, old = 0, oldUnknown = 0 } = cell
  const kept = before === undefined ? ready : Math.min(ready, before)
  return [
    ['ready', kept],
    ['recovered', ready - kept],
    ['starting', startingIn(workload, cell)],
    ['unknown', unknown],
    ['lost', oldUnknown],
    ['leaving', Math.max(0, old)],
  ]
}
