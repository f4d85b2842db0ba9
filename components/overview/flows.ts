/** Replicas on their way from one cluster to another: placed in the second, and not ready there yet. */
import type { FailoverEntryView, FailoverView } from '@/lib/view/failover-model'
import type { CellView, WorkloadView } from '@/lib/view/model'
import type { PlanRowView, RebalanceMoveView, RebalancerRowView } from '@/lib/view/rebalance-model'

export interface Flow {
  from: string
  to: string
  kind: 'failover' | 'rebalance'
  replicas: number
  /** Ids. */
  workloads: string[]
}

export interface FlowFacts {
  workloads: ReadonlyMap<string, WorkloadView>
  failovers: readonly FailoverEntryView[]
  plans: readonly PlanRowView[]
  rebalancers: readonly RebalancerRowView[]
}

/** A part of a flow: one workload. A replica is in one part only, whatever moves it. */
type Part = Omit<Flow, 'workloads'> & { workload: string }

/** Flows by source and target, the largest first. */
export function flowsOf({ workloads, failovers, plans, rebalancers }: FlowFacts): Flow[] {
  const onTheWay = (workload: string, cluster: string): number => starting(workloads.get(workload), cluster)
  const parts = [
    ...failovers.flatMap((entry) => entry.failovers).flatMap((failover) => failoverParts(failover, onTheWay)),
    ...[...plans, ...rebalancers].flatMap(({ moves }) => moves).flatMap((move) => rebalanceParts(move, onTheWay)),
  ]
  const seen = new Set<string>()
  const flows = new Map<string, Flow>()
  for (const { from, to, kind, replicas, workload } of parts) {
    const once = `${workload} ${to}`
    if (replicas === 0 || seen.has(once)) continue
    seen.add(once)
    const key = `${kind} ${from} ${to}`
    const flow = flows.get(key) ?? { from, to, kind, replicas: 0, workloads: [] }
    flow.replicas += replicas
    flow.workloads.push(workload)
    flows.set(key, flow)
  }
  return [...flows.values()].sort((a, b) => b.replicas - a.replicas || (a.from + a.to < b.from + b.to ? -1 : 1))
}

/** Replicas that the scheduler placed in a cluster and that are not ready there, as far as the cluster answers. */
function starting(workload: WorkloadView | undefined, cluster: string): number {
  const cell = workload?.cells.find((each) => each.cluster === cluster)
  return workload === undefined || cell === undefined ? 0 : startingIn(workload, cell)
}

/** The same of one cell. */
export function startingIn({ hasReplicas }: Pick<WorkloadView, 'hasReplicas'>, cell: CellView): number {
  const { role, desired, ready, unknown = 0 } = cell
  return hasReplicas && role === 'placed' ? Math.max(0, desired - ready - unknown) : 0
}

type OnTheWay = (workload: string, cluster: string) => number

function failoverParts({ kind, workload, cluster, stage, successors }: FailoverView, onTheWay: OnTheWay): Part[] {
  if (kind !== 'workload' || workload === undefined || stage === 'unhealthy' || stage === 'toleration') return []
  return successors.map(({ cluster: to }) => ({
    from: cluster,
    to,
    kind: 'failover',
    replicas: onTheWay(workload, to),
    workload,
  }))
}

/**
 * Assigns the gains of a cluster to the cluster with the largest loss, because the origin of single replicas is not
 * recorded.
 */
function rebalanceParts({ id: workload, before, after }: RebalanceMoveView, onTheWay: OnTheWay): Part[] {
  const change = new Map(after.map(({ cluster, replicas }) => [cluster, replicas]))
  for (const { cluster, replicas } of before) change.set(cluster, (change.get(cluster) ?? 0) - replicas)
  const [loser] = [...change].sort(([, a], [, b]) => a - b)
  if (loser === undefined || loser[1] >= 0) return []
  return [...change]
    .filter(([, delta]) => delta > 0)
    .map(([to, delta]) => ({
      from: loser[0],
      to,
      kind: 'rebalance',
      replicas: Math.min(delta, onTheWay(workload, to)),
      workload,
    }))
}

/** Flows that are drawn, and for each source what is left of it. */
export interface DrawnFlows {
  drawn: Flow[]
  rest: { from: string; replicas: number; clusters: number }[]
}

/** More arcs than this cannot be told apart. */
const MAX_ARCS = 12

export function bundleFlows(flows: readonly Flow[], most = MAX_ARCS): DrawnFlows {
  const left = Map.groupBy(flows.slice(most), ({ from }) => from)
  return {
    drawn: flows.slice(0, most),
    rest: [...left].map(([from, all]) => ({
      from,
      replicas: all.reduce((sum, { replicas }) => sum + replicas, 0),
      clusters: new Set(all.map(({ to }) => to)).size,
    })),
  }
}
