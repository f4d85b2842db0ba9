/** The view of one member cluster. */
import { findCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { quantityMilli, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import { isSimulated } from '@/lib/kube/simulation'
import { formatTaint } from '@/lib/kube/taint'
import type { CapacityView, ClusterView, ReplicaCounts, StateView } from '../model'
import { toConditionView } from './binding-facts'
import { type Answers, isSilentCluster, silentCounts } from './replica-counts'
import { notify } from './say'

/** Workloads and replicas scheduled to a cluster; `replicas` counts as if it responded. */
export interface ClusterLoad {
  workloads: number
  replicas: ReplicaCounts
}

/** Returns the row of a cluster. `answers` overrides the readiness in its condition. */
export function projectCluster(
  cluster: Cluster,
  load: ClusterLoad,
  answers: Answers = readinessOf(cluster),
): ClusterView {
  const { metadata, spec, status } = cluster
  const ready = findCondition(status?.conditions, 'Ready')
  return {
    id: metadata.name,
    name: metadata.name,
    state: clusterState(cluster),
    ready: readinessOf(cluster),
    readySince: ready?.lastTransitionTime,
    provider: spec.provider,
    region: spec.region,
    zones: spec.zones ?? (spec.zone ? [spec.zone] : []),
    kubernetesVersion: status?.kubernetesVersion,
    syncMode: spec.syncMode,
    simulated: isSimulated(cluster),
    ...capacities(cluster),
    taints: spec.taints ?? [],
    conditions: (status?.conditions ?? []).map(toConditionView),
    workloads: load.workloads,
    replicas: isSilentCluster(answers) ? silentCounts(load.replicas) : load.replicas,
    createdAt: metadata.creationTimestamp,
    deleting: metadata.deletionTimestamp !== undefined,
  }
}

/** Returns the status of the Ready condition; `Missing` without one. */
export function readinessOf(cluster: Cluster): ClusterView['ready'] {
  const ready = findCondition(cluster.status?.conditions, 'Ready')
  return ready ? toConditionView(ready).status : 'Missing'
}

/** Returns the resources that a cluster reports. */
export function capacities({ status }: Cluster): Pick<ClusterView, 'nodes' | 'cpu' | 'memory' | 'pods'> {
  const nodes = status?.nodeSummary
  return {
    nodes: nodes && { ready: nodes.readyNum ?? 0, total: nodes.totalNum ?? 0 },
    cpu: capacityOf(status, 'cpu'),
    memory: capacityOf(status, 'memory'),
    pods: capacityOf(status, 'pods'),
  }
}

function capacityOf(status: Cluster['status'], resource: string): CapacityView | undefined {
  const summary = status?.resourceSummary
  if (summary?.allocatable?.[resource] === undefined) return undefined
  const amount = (amounts: Record<string, number | string> | undefined) => amountOf(amounts?.[resource], resource)
  const { allocatable, allocated, allocating } = summary
  return { allocatable: amount(allocatable), allocated: amount(allocated), allocating: amount(allocating) }
}

/** Returns millicores for CPU and whole units for other resources; invalid quantities count as 0. */
function amountOf(text: number | string | undefined, resource: string): number {
  const quantity = text === undefined ? undefined : tryParseQuantity(text)
  if (!quantity) return 0
  return Number(resource === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity))
}

/** Returns the state of a cluster, most serious first. */
export function clusterState(cluster: Cluster): StateView {
  if (cluster.metadata.deletionTimestamp) return notify('active', 'clusters.state.removing')
  return readinessState(cluster) ?? taintState(cluster) ?? nodesState(cluster)
}

/** Returns undefined if the cluster is ready. */
function readinessState(cluster: Cluster): StateView | undefined {
  const ready = findCondition(cluster.status?.conditions, 'Ready')
  if (!ready) return notify('unknown', 'clusters.state.neverReported')
  if (ready.status === 'True') return undefined
  const why = ready.message || ready.reason
  if (ready.status === 'False')
    return why ? notify('fail', 'clusters.state.notReadyBecause', { why }) : notify('fail', 'clusters.state.notReady')
  return why ? notify('unknown', 'clusters.state.unknownBecause', { why }) : notify('unknown', 'clusters.state.unknown')
}

function taintState({ spec: { taints = [] } }: Cluster): StateView | undefined {
  const evicting = taints.filter((taint) => taint.effect === 'NoExecute').map(formatTaint)
  if (evicting.length > 0) return notify('warn', 'clusters.state.evicts', { taints: evicting })
  const closed = taints.filter((taint) => taint.effect === 'NoSchedule').map(formatTaint)
  return closed.length > 0 ? notify('held', 'clusters.state.closed', { taints: closed }) : undefined
}

function nodesState({ status }: Cluster): StateView {
  const { readyNum = 0, totalNum = 0 } = status?.nodeSummary ?? {}
  if (readyNum < totalNum)
    return notify('warn', 'clusters.state.nodesNotReady', { n: totalNum - readyNum, total: totalNum })
  return notify(
    'ok',
    status?.nodeSummary && totalNum === 0 ? 'clusters.state.readyWithoutNodes' : 'clusters.state.ready',
  )
}
