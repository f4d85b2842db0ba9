/** The nodes of a small cluster with the replicas on them, from what the cluster itself lists. */
import type { MemberNodesView, NodeView, PodMark } from '@/lib/view/member-model'
import type { ClusterView, WorkloadView } from '@/lib/view/model'
import { workloadId } from '@/lib/view/workload-id'
import type { Block, BlockKind } from './blocks'

export interface NodeColumn {
  name: string
  state: 'ok' | 'held' | 'fail'
  /** Milli-CPU. */
  allocatable: number
  requested: number
  blocks: Block[]
}

/** More nodes beside each other would leave no room for names. */
const MAX_NODES = 12
/** With those that no workload of the federation has. */
const MAX_PODS = 120

/** Whether the nodes of a cluster are worth asking for: as columns, there is room for few. */
export const hasFewNodes = ({ ready, nodes, pods }: ClusterView): boolean =>
  ready === 'True' && nodes !== undefined && nodes.total <= MAX_NODES && (pods?.allocated ?? 0) <= MAX_PODS

interface InCluster {
  cluster: string
  workloads: ReadonlyMap<string, WorkloadView>
  /** Replicas that workloads had here before their failover, by workload and cluster. */
  before: ReadonlyMap<string, number>
}

/** Blocks by workload, the oldest first. Absent where not all pods were read, or there are no nodes. */
export function nodeColumns(
  view: MemberNodesView,
  { cluster, workloads, before }: InCluster,
): NodeColumn[] | undefined {
  const read = view.nodes.reduce((sum, { pods }) => sum + pods.length, view.pending)
  if (view.nodes.length === 0 || view.nodes.length < view.totals.nodes || read < view.totals.pods) return undefined
  const recovered = recoveredPods(view, { cluster, workloads, before })
  return view.nodes.map((node) => ({
    name: node.name,
    state: stateOf(node),
    allocatable: node.cpu.allocatable,
    requested: node.cpu.requested,
    blocks: node.pods
      .filter(({ mark }) => mark !== 'completed')
      .map((pod) => blockOf(pod, { workloads, isRecovered: recovered.has(`${pod.namespace}/${pod.name}`) }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
  }))
}

const stateOf = ({ ready, unschedulable }: NodeView): NodeColumn['state'] =>
  ready ? (unschedulable ? 'held' : 'ok') : 'fail'

type PodOnNode = NodeView['pods'][number]

const KINDS: Record<PodMark, BlockKind> = {
  ready: 'ready',
  starting: 'starting',
  notReady: 'starting',
  failed: 'failed',
  leaving: 'leaving',
  completed: 'leaving',
}

function blockOf(
  pod: PodOnNode,
  { workloads, isRecovered }: { workloads: InCluster['workloads']; isRecovered: boolean },
): Block {
  const workload = workloadOf(pod, workloads)
  return {
    id: `${pod.namespace}/${pod.name}`,
    ...(workload && { workload: workload.id }),
    name: workload?.ref.name ?? pod.owner?.name ?? pod.name,
    kind: isRecovered ? 'recovered' : KINDS[pod.mark],
  }
}

const API_VERSIONS: Readonly<Record<string, string>> = { Job: 'batch/v1' }

/** The workload of the federation that a pod is a replica of; others belong to the cluster itself. */
function workloadOf({ namespace, owner }: PodOnNode, workloads: InCluster['workloads']): WorkloadView | undefined {
  if (owner === undefined) return undefined
  const apiVersion = API_VERSIONS[owner.kind] ?? 'apps/v1'
  return workloads.get(workloadId({ apiVersion, namespace, ...owner }))
}

/** Of a workload that failed over, the youngest ready pods: as many as there are more than before. */
function recoveredPods(view: MemberNodesView, { cluster, workloads, before }: InCluster): ReadonlySet<string> {
  const ready = view.nodes.flatMap(({ pods }) => pods).filter(({ mark }) => mark === 'ready')
  const byWorkload = Map.groupBy(ready, (pod) => workloadOf(pod, workloads)?.id)
  const names = [...byWorkload].flatMap(([workload, pods]) => {
    const had = before.get(`${workload} ${cluster}`)
    if (had === undefined) return []
    const oldestFirst = pods.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0))
    return oldestFirst.slice(had).map(({ namespace, name }) => `${namespace}/${name}`)
  })
  return new Set(names)
}
