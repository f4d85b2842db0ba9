/** Load of clusters before and after a rebalance, from their reports and the requests of its workloads. */
import { findCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { quantityMilli, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { CapacityView, ReplicasInCluster } from '../model'
import { type Capacity, loadOf, type LoadTarget } from '../plan-flow/load'
import type { RebalanceLoadView } from '../rebalance-model'
import type { AnyBinding } from './binding-facts'
import { capacities, readinessOf } from './cluster'
import { replicasReported } from './replica-counts'

export interface LoadSnapshot {
  targets: readonly MovingTarget[]
  /** Also undefined for a workload that the reader may not view, whose requests must not be shown. */
  bindingOf: (id: string) => AnyBinding | undefined
  clusters: readonly Cluster[]
  now: EpochMs
}

interface MovingTarget {
  id: string
  before: readonly ReplicasInCluster[]
  after: readonly ReplicasInCluster[]
  /** It has arrived, or will not move any more. */
  isOver: boolean
}

/** Returns the clusters between which the targets move. */
export function projectLoad({ targets, bindingOf, clusters, now }: LoadSnapshot): RebalanceLoadView {
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]))
  const known = new Map([...byName].map(([name, cluster]) => [name, reported(cluster)]))
  const changes = loadOf(
    targets.map((target) => loadTarget(target, bindingOf(target.id))),
    known,
  )
  return {
    computedAt: formatTime(now),
    clusters: changes.map(({ cluster, ...change }) => ({ ...change, cluster, ...staleness(byName.get(cluster)) })),
  }
}

function reported(cluster: Cluster) {
  const { cpu, memory, pods } = capacities(cluster)
  return {
    ...(cpu && { cpu: capacityOf(cpu) }),
    ...(memory && { memory: capacityOf(memory) }),
    ...(pods && { pods: capacityOf(pods) }),
  }
}

const capacityOf = ({ allocatable, allocated, allocating }: CapacityView): Capacity => ({
  allocatable,
  requested: allocated + allocating,
})

/** A cluster that does not respond: its report is older than this. */
function staleness(cluster: Cluster | undefined): { staleSince?: string } {
  if (!cluster || readinessOf(cluster) === 'True') return {}
  const since = findCondition(cluster.status?.conditions, 'Ready')?.lastTransitionTime
  return since === undefined ? {} : { staleSince: since }
}

function loadTarget({ before, after, isOver }: MovingTarget, binding: AnyBinding | undefined): LoadTarget {
  return { now: isOver ? after : runningOf(before, after, binding), after, request: binding ? requestOf(binding) : {} }
}

/** Returns the reported replicas, some of which may have arrived. Without a report, those before the move. */
function runningOf(
  before: readonly ReplicasInCluster[],
  after: readonly ReplicasInCluster[],
  binding: AnyBinding | undefined,
): ReplicasInCluster[] {
  const was = new Map(before.map(({ cluster, replicas }) => [cluster, replicas]))
  const reports = new Map((binding?.status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item]))
  return [...new Set([...before, ...after].map(({ cluster }) => cluster))].map((cluster) => {
    const found = binding && replicasReported({ resource: binding.spec.resource, report: reports.get(cluster) })
    const isCounted = found?.type === 'counted'
    return { cluster, replicas: isCounted ? found.current - found.completed : (was.get(cluster) ?? 0) }
  })
}

/**
 * Returns the request of one replica. Unknown for a workload with several components, because it depends on the
 * component.
 */
function requestOf({ spec: { components = [], replicaRequirements } }: AnyBinding): LoadTarget['request'] {
  if (components.length > 0) return {}
  const [cpu, memory] = ['cpu', 'memory'].map((name) => {
    const text = replicaRequirements?.resourceRequest?.[name]
    return text === undefined ? undefined : tryParseQuantity(text)
  })
  return {
    ...(cpu && { cpu: Number(quantityMilli(cpu)) }),
    ...(memory && { memory: Number(quantityValue(memory)) }),
    pods: 1,
  }
}
