/** Results for every selected workload with a placement: clusters now, after saving, and after a rebalance. */
import { isSchedulingSuspended } from '@/lib/domain/placement'
import { type TriedPlacement, tryPlacement } from '@/lib/domain/rebalance'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Placement } from '@/lib/kube/kinds/placement'
import type { Message } from '@/lib/messages/message'
import type { WorkloadRef } from '../model'
import { type AnyBinding, templateOf, toReplicas } from '../project/binding-facts'
import { workloadId } from '../workload-id'
import type { LabInputs } from './inputs'

/** Result for one workload. */
export interface WorkloadOutcome {
  id: string
  ref: WorkloadRef
  /** Not scheduled before, so there is no result to compare with. */
  isNew: boolean
  /** Scheduling is suspended, so nothing changes. */
  isSuspended: boolean
  replicas: number
  tried: TriedPlacement
  /** Why no placement was found. */
  failure: Message | string | undefined
}

export interface LabOutcome {
  workloads: readonly WorkloadOutcome[]
  /** Replicas moved by saving alone, and in total after a rebalance. */
  movedBySaving: number
  moved: number
  replicas: number
  failing: number
}

/** Schedules every workload with the placement independently, as the scheduler does. */
export function labOutcome(inputs: LabInputs, placement: Placement, lazy = false): LabOutcome {
  const { clusters, profile } = inputs
  const workloads = inputs.bindings.map((binding) =>
    outcomeOf(binding, tryPlacement(binding, placement, { clusters, profile, lazy })),
  )
  const sum = (amount: (one: WorkloadOutcome) => number): number =>
    workloads.reduce((total, one) => total + amount(one), 0)
  return {
    workloads,
    movedBySaving: sum(({ tried }) => tried.movedBySaving),
    moved: sum(({ tried }) => tried.moved),
    replicas: sum(({ tried }) => totalOf(tried.now)),
    failing: sum(({ failure }) => (failure === undefined ? 0 : 1)),
  }
}

function outcomeOf(binding: AnyBinding, tried: TriedPlacement): WorkloadOutcome {
  const ref = templateOf(binding)
  return {
    id: workloadId(ref),
    ref,
    isNew: !binding.status?.lastScheduledTime,
    isSuspended: isSchedulingSuspended(binding.spec),
    replicas: binding.spec.replicas ?? 0,
    tried,
    failure: tried.verdict?.failure?.message,
  }
}

export const totalOf = (clusters: readonly TargetCluster[]): number =>
  clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0)

/** Returns the results of a workload by cluster name, in the form that browser and server compare. */
export const resultOf = ({ saved, rebalanced }: Pick<TriedPlacement, 'saved' | 'rebalanced'>) => ({
  saved: toReplicas([...saved]),
  rebalanced: toReplicas([...rebalanced]),
})

/** Returns the replicas left if the cluster with the most replicas fails, before anything is moved. */
export function worstCase(clusters: readonly TargetCluster[]): {
  left: number
  of: number
  cluster: string | undefined
} {
  const of = totalOf(clusters)
  const [fullest] = clusters.toSorted((a, b) => (b.replicas ?? 0) - (a.replicas ?? 0))
  return { left: of - (fullest?.replicas ?? 0), of, cluster: fullest?.name }
}
