/** The guided drill: how far it is, from what is true in the control plane. There is no script that it could fall out of step with. */
import type { FailoverEntryView, PastFailoverView } from '@/lib/view/failover-model'
import type { ClusterView } from '@/lib/view/model'
import type { PlanRowView } from '@/lib/view/rebalance-model'

export const DRILL_STEPS = ['down', 'watch', 'preview', 'home'] as const
export type DrillStep = (typeof DRILL_STEPS)[number]

export interface Drill {
  /** The simulated cluster that it is about. */
  cluster: string
  /** Steps that are done; the next one is current. */
  done: number
  /** Whether the cluster answers now. */
  isReady: boolean
  /** The plan that brings its workloads home. */
  plan?: string
}

export interface DrillFacts {
  clusters: readonly ClusterView[]
  failovers: readonly FailoverEntryView[]
  past: readonly PastFailoverView[]
  plans: readonly PlanRowView[]
}

/** Undefined where there is no simulated cluster to take down: real ones are no exercise. */
export function drillOf({ clusters, failovers, past, plans }: DrillFacts): Drill | undefined {
  const simulated = clusters.filter((each) => each.simulated && !each.deleting)
  if (simulated.length < 2 || simulated.length < clusters.length) return undefined
  const lost = simulated.find(({ ready }) => ready !== 'True')
  const last = past
    .filter(({ kind, cluster }) => kind === 'cluster' && simulated.some(({ name }) => name === cluster))
    .toSorted((a, b) => (a.endedAt < b.endedAt ? 1 : -1))[0]
  const target = lost?.name ?? last?.cluster ?? fullest(simulated)
  const begun = lost === undefined ? last?.unhealthySince : sinceOf(failovers, lost.name)
  const plan = plans
    .filter(({ createdAt, phase }) => begun !== undefined && createdAt >= begun && !DISCARDED.has(phase))
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]
  return {
    cluster: target,
    isReady: lost === undefined,
    done: stepsDone({ lost: lost?.name, isOver: last !== undefined, failovers, plan }),
    ...(plan && { plan: plan.name }),
  }
}

const DISCARDED: ReadonlySet<PlanRowView['phase']> = new Set(['Stopped', 'Invalid'])

interface Reached {
  lost: string | undefined
  isOver: boolean
  failovers: readonly FailoverEntryView[]
  plan: PlanRowView | undefined
}

function stepsDone({ lost, isOver, failovers, plan }: Reached): number {
  if (lost !== undefined) return isRecovered(failovers, lost) ? 2 : 1
  if (!isOver) return 0
  if (plan === undefined) return 2
  return plan.phase === 'Completed' ? 4 : 3
}

const incidentOf = (failovers: readonly FailoverEntryView[], cluster: string) =>
  failovers.flatMap((entry) => entry.failovers).find((each) => each.kind === 'cluster' && each.cluster === cluster)

function isRecovered(failovers: readonly FailoverEntryView[], cluster: string): boolean {
  const incident = incidentOf(failovers, cluster)?.incident
  return incident !== undefined && incident.recovered >= incident.affected
}

const sinceOf = (failovers: readonly FailoverEntryView[], cluster: string): string | undefined =>
  incidentOf(failovers, cluster)?.since

/** The cluster whose failure shows most; of several alike the first by name. */
function fullest(clusters: readonly ClusterView[]): string {
  const [first] = clusters.toSorted((a, b) => b.replicas.desired - a.replicas.desired || (a.name < b.name ? -1 : 1))
  return first?.name ?? ''
}
