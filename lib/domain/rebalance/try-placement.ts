/**
 * Previews another placement for one workload with the scheduler's own code: first what the scheduler does once the
 * policy is saved, then the result of a rebalance.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import {
  appliedPlacementText,
  type Binding,
  decideReschedule,
  defaultProfile,
  isSamePlacement,
  type SchedulerProfile,
  scheduleBinding,
  type ScheduleVerdict,
  snapshotOf,
} from '../placement'
import { replicasMoved, shiftsBetween } from './distribution'
import { planFresh, type TargetPlan } from './plan-rebalance'
import { workloadOf } from './select'

export interface TriedPlacement {
  now: readonly TargetCluster[]
  /** After the policy is saved, before any rebalance. */
  saved: readonly TargetCluster[]
  /** After a subsequent rebalance. */
  rebalanced: readonly TargetCluster[]
  /** Moved replicas: by saving alone, and in total. */
  movedBySaving: number
  moved: number
  /** The run that explains `rebalanced`; undefined if nothing would be scheduled. */
  verdict: ScheduleVerdict | undefined
  /** Why the workload stays or is refused; undefined if it moves. */
  outcome: Pick<TargetPlan, 'verdict' | 'reason'> | undefined
  /** The binding to which the verdict applies. */
  binding: Binding
}

export interface TryContext {
  /** Pass the same array while nothing changes, because derived values are cached by it. */
  clusters: readonly Cluster[]
  profile?: SchedulerProfile | undefined
  /** Saved policies reach their workloads only when the workloads change. */
  lazy?: boolean | undefined
}

/** Previews a placement. Pure, so it gives the same result in browsers and on servers. */
export function tryPlacement(binding: Binding, placement: Placement, context: TryContext): TriedPlacement {
  const { clusters, profile = defaultProfile } = context
  const now = binding.spec.clusters ?? []
  const changed = context.lazy ? binding : withPlacement(binding, placement)
  const decision = decideReschedule(changed, snapshotOf(clusters), profile)
  const onSave = decision.act === 'schedule' ? scheduleBinding({ binding: changed, clusters, profile }) : undefined
  const saved = onSave?.patch?.clusters ?? now
  const settled = onSave && !onSave.failure ? afterSchedule(changed, saved) : changed
  const isNew = !binding.status?.lastScheduledTime
  const { plan, verdict } = isNew || onSave?.failure ? { plan: undefined, verdict: onSave } : fresh(settled, context)
  const rebalanced = plan?.verdict === 'moves' ? plan.after : saved
  return {
    now,
    saved,
    rebalanced,
    movedBySaving: movedBetween(now, saved),
    moved: movedBetween(now, rebalanced),
    verdict: verdict ?? onSave,
    outcome: plan && plan.verdict !== 'moves' ? { verdict: plan.verdict, reason: plan.reason } : undefined,
    binding: settled,
  }
}

const fresh = (binding: Binding, { clusters, profile }: TryContext) =>
  planFresh(workloadOf(binding), binding, { clusters, ...(profile && { profile }) })

const movedBetween = (before: readonly TargetCluster[], after: readonly TargetCluster[]): number =>
  replicasMoved(shiftsBetween(before, after))

/** Returns the binding as the detector writes it after a change of the policy's placement. */
function withPlacement(binding: Binding, placement: Placement): Binding {
  const { metadata, spec } = binding
  if (isSamePlacement(spec.placement ?? {}, placement)) return binding
  return {
    ...binding,
    metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 },
    spec: { ...spec, placement },
  }
}

/** Returns the binding as the scheduler writes it. */
function afterSchedule(binding: Binding, clusters: readonly TargetCluster[]): Binding {
  const { metadata, spec, status } = binding
  const applied = { [APPLIED_PLACEMENT_ANNOTATION]: appliedPlacementText(spec.placement ?? {}) }
  return {
    ...binding,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...applied } },
    spec: { ...spec, clusters: [...clusters] },
    status: {
      ...status,
      ...(metadata.generation !== undefined && { schedulerObservedGeneration: metadata.generation }),
    },
  }
}
