/** Regions, clusters and replicas of the federation picture, from the views that the tables show, too. */
import { compareNaturally } from '@/lib/std/natural-order'
import type { FailoverEntryView } from '@/lib/view/failover-model'
import type { ClusterView, WorkloadView } from '@/lib/view/model'
import type { MemberNodesView } from '@/lib/view/member-model'
import { shortName } from '@/lib/view/short-name'
import { type Block, blocksByCluster, takeovers } from './blocks'
import { startingIn } from './flows'
import { type NodeColumn, nodeColumns } from './node-columns'

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
  /** Its nodes, where the cluster is small and lists them to the reader. */
  nodes?: NodeColumn[]
}

export interface RegionPicture {
  name: string
  clusters: ClusterPicture[]
}

export interface FederationFacts {
  clusters: readonly ClusterView[]
  workloads: readonly WorkloadView[]
  failovers: readonly FailoverEntryView[]
  /** As they were last read, by cluster. */
  nodes?: ReadonlyMap<string, MemberNodesView>
}

/** In larger federations a cluster is a tile: its replicas are not told apart. */
export const MAX_FOR_BLOCKS = 8

/** By name: positions never depend on load. */
export function federationOf(facts: FederationFacts): RegionPicture[] {
  const { clusters, workloads } = facts
  const isSmall = clusters.length <= MAX_FOR_BLOCKS
  const arrivals = startingByCluster(workloads)
  const before = isSmall ? takeovers(facts.failovers) : new Map<string, number>()
  const blocks = isSmall ? blocksByCluster(workloads, before) : new Map<string, Block[]>()
  const columns = isSmall ? columnsByCluster(facts, before) : new Map<string, NodeColumn[]>()
  const pictures = clusters.map((cluster) => {
    const nodes = columns.get(cluster.name)
    const starting = arrivals.get(cluster.name) ?? 0
    return pictureOf(cluster, { blocks: blocks.get(cluster.name) ?? [], starting, ...(nodes && { nodes }) })
  })
  const regions = Map.groupBy(pictures, ({ cluster }) => cluster.region ?? '')
  return [...regions]
    .map(([name, members]) => ({
      name,
      clusters: members
        .map((each) => ({ ...each, shortName: shortName(each.cluster.name, name) }))
        .sort((a, b) => compareNaturally(a.cluster.name, b.cluster.name)),
    }))
    .sort((a, b) => compareNaturally(a.name, b.name))
}

function pictureOf(
  cluster: ClusterView,
  { blocks, starting: arriving, nodes }: { blocks: Block[]; starting: number; nodes?: NodeColumn[] },
): ClusterPicture {
  const { name, cpu, replicas } = cluster
  // What a cluster that does not answer had is lost until it answers again.
  const asSeen = (all: Block[]): Block[] =>
    cluster.ready === 'True' ? all : all.map((block) => ({ ...block, kind: 'lost' }))
  return {
    cluster,
    shortName: name,
    ready: replicas.ready,
    desired: replicas.desired,
    starting: arriving,
    ...(cpu && cpu.allocatable > 0 && { load: cpu.allocated / cpu.allocatable }),
    arriving: cpu && cpu.allocatable > 0 ? cpu.allocating / cpu.allocatable : 0,
    blocks: asSeen(blocks),
    ...(nodes && { nodes: nodes.map((node) => ({ ...node, blocks: asSeen(node.blocks) })) }),
  }
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

function columnsByCluster(
  { workloads, nodes = new Map<string, MemberNodesView>() }: FederationFacts,
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, NodeColumn[]> {
  const byId = new Map(workloads.map((workload) => [workload.id, workload]))
  const all = new Map<string, NodeColumn[]>()
  for (const [cluster, view] of nodes) {
    const columns = nodeColumns(view, { cluster, workloads: byId, before })
    if (columns !== undefined) all.set(cluster, columns)
  }
  return all
}
