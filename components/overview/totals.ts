/** The figures of the overview: sums of the rows that Workloads and Clusters show. */
import type { ClusterView, WorkloadView } from '@/lib/view/model'
import { sumWorkloads } from '@/lib/view/replica-sums'
import type { Flow } from './flows'

export interface Totals {
  ready: number
  desired: number
  unknown: number
  /** Desired replicas of workloads that their queue has not admitted. */
  waiting: number
  /** Milli-CPU in clusters that are ready; absent where none reports it, or none may be listed. */
  cpu?: { requested: number; allocatable: number }
  moving: number
  /** Workloads that their queue has not admitted. */
  pending: number
}

export interface TotalFacts {
  workloads: readonly WorkloadView[]
  clusters: readonly ClusterView[] | undefined
  flows: readonly Flow[]
}

export function totalsOf({ workloads, clusters = [], flows }: TotalFacts): Totals {
  const { ready, desired, unknown = 0 } = sumWorkloads(workloads)
  const pending = workloads.filter(isPending)
  const reported = clusters.flatMap(({ ready: answers, cpu }) => (answers === 'True' && cpu ? [cpu] : []))
  const sum = (of: 'allocated' | 'allocatable') => reported.reduce((all, cpu) => all + cpu[of], 0)
  return {
    ready,
    desired,
    unknown,
    waiting: pending.reduce((all, each) => all + (each.hasReplicas ? Math.max(0, each.desired - each.ready) : 0), 0),
    ...(reported.length > 0 && { cpu: { requested: sum('allocated'), allocatable: sum('allocatable') } }),
    moving: flows.reduce((all, { replicas }) => all + replicas, 0),
    pending: pending.length,
  }
}

/** Its queue has not admitted it. */
export const isPending = ({ held }: WorkloadView): boolean => held?.by === 'queue' || held?.by === 'hold'
