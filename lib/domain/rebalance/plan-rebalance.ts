/** What a rebalance would do, decided by the scheduling code itself on a copy of the world. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { fnv1a32 } from '@/lib/std/fnv'
import { strategyOf } from '../division'
import {
  type Binding, type ClusterVerdict, type ScheduleVerdict, type SchedulerProfile, defaultProfile, explainVerdict,
  isSchedulingSuspended, scheduleBinding,
} from '../placement'
import { type Shift, isSameDistribution, replicasMoved, shiftsBetween } from './distribution'
import {
  type PlanReason, type RefusalCode, type StayCode, describeMove, describeRefusal, describeStay, lazyNote,
} from './plan-reasons'
import { type PolicySubject, differsFromLazyPolicy } from './policy'
import type { WorkloadRef } from './sync-status'
import { bindingRefOf } from './trigger'

/** The world at one moment, as far as a rebalance of these workloads depends on it. */
export interface RebalanceSnapshot {
  workloads: readonly WorkloadRef[]
  /** Bindings of both kinds; others than those of the workloads are ignored. */
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  /** Policies of both kinds, to notice lazy ones. */
  policies?: readonly PolicySubject[]
  profile?: SchedulerProfile
}

/** What happens to one workload. */
export interface TargetPlan {
  workload: WorkloadRef
  verdict: 'moves' | 'stays' | 'refused'
  reason: PlanReason
  /** Further facts that the reader should know. */
  notes: readonly PlanReason[]
  before: readonly TargetCluster[]
  /** Equal to `before` unless the verdict is `moves`. */
  after: readonly TargetCluster[]
  moved: number
  /** Why each cluster is chosen or not; empty when nothing was scheduled. */
  clusters: readonly ClusterVerdict[]
}

export interface RebalancePlan {
  targets: readonly TargetPlan[]
  totals: {
    targets: number
    moving: number
    staying: number
    refused: number
    replicasMoved: number
    /** Clusters that gain or lose replicas, by name. */
    clustersTouched: readonly string[]
  }
  /** The same for two plans exactly when they would do the same to the same versions of the workloads. */
  base: string
}

/** Plans a rebalance: every workload is scheduled fresh and on its own, as the scheduler will do. Changes nothing. */
export function planRebalance(snapshot: RebalanceSnapshot): RebalancePlan {
  const index = new Map(snapshot.bindings.map((binding) => [refKey(binding.kind, binding.metadata), binding]))
  const unique = new Map(snapshot.workloads.map((workload) => [JSON.stringify(identityOf(workload)), workload]))
  const planned = [...unique.values()].map((workload) => {
    const ref = bindingRefOf(workload)
    const binding = index.get(refKey(ref.kind, ref))
    return { plan: planTarget(workload, binding, snapshot), generation: binding?.metadata.generation ?? 0 }
  })
  const targets = planned.map(({ plan }) => plan)
  return { targets, totals: totalsOf(targets), base: baseOf(planned) }
}

function planTarget(workload: WorkloadRef, binding: Binding | undefined, snapshot: RebalanceSnapshot): TargetPlan {
  const refusal = refusalOf(binding)
  if (!binding || refusal) return standStill(workload, binding, refused(describeRefusal(refusal ?? 'BindingNotFound')))
  const lazy = differsFromLazyPolicy(binding, snapshot.policies ?? [])
  const notes = lazy ? [lazyNote] : []
  if (!binding.status?.lastScheduledTime) {
    return { ...standStill(workload, binding, stays('NeverScheduled')), notes }
  }
  const { clusters, profile = defaultProfile } = snapshot
  const verdict = scheduleBinding({ binding, clusters, profile, mode: 'Fresh' })
  const lines = explainVerdict(verdict, clusters.map(({ metadata }) => metadata.name))
  return { ...judge({ workload, binding, verdict }, profile), notes, clusters: lines }
}

function refusalOf(binding: Binding | undefined): RefusalCode | undefined {
  if (!binding) return 'BindingNotFound'
  if (binding.metadata.deletionTimestamp) return 'Deleting'
  if (!binding.spec.placement) return 'NoPlacement'
  return isSchedulingSuspended(binding.spec) ? 'Suspended' : undefined
}

interface Judged {
  workload: WorkloadRef
  binding: Binding
  verdict: ScheduleVerdict
}

function judge({ workload, binding, verdict }: Judged, profile: SchedulerProfile): TargetPlan {
  const { failure, clusters: after } = verdict
  if (failure) {
    const reason = describeRefusal(failure.type, { failure, keeps: profile.keepWhenNothingFits })
    return standStill(workload, binding, refused(reason))
  }
  const before = binding.spec.clusters ?? []
  if (!after || isSameDistribution(before, after)) {
    return standStill(workload, binding, stays(stayCodeOf(binding)))
  }
  const shifts = shiftsBetween(before, after)
  const reason = describeMove(shifts, { before, after, strategy: strategyOf(binding.spec.placement ?? {}) })
  return { workload, verdict: 'moves', reason, notes: [], before, after, moved: replicasMoved(shifts), clusters: [] }
}

function stayCodeOf({ spec }: Binding): StayCode {
  const strategy = strategyOf(spec.placement ?? {})
  if (strategy === 'Duplicated' || !(spec.replicas ?? 0)) return 'NotDivided'
  return strategy === 'StaticWeight' ? 'StaticWeight' : 'AlreadyBest'
}

type Outcome = Pick<TargetPlan, 'verdict' | 'reason'>

const refused = (reason: PlanReason): Outcome => ({ verdict: 'refused', reason })
const stays = (code: StayCode): Outcome => ({ verdict: 'stays', reason: describeStay(code) })

function standStill(workload: WorkloadRef, binding: Binding | undefined, outcome: Outcome): TargetPlan {
  const before = binding?.spec.clusters ?? []
  return { workload, ...outcome, notes: [], before, after: before, moved: 0, clusters: [] }
}

function totalsOf(targets: readonly TargetPlan[]): RebalancePlan['totals'] {
  const count = (verdict: TargetPlan['verdict']): number =>
    targets.filter((target) => target.verdict === verdict).length
  const shifts: Shift[] = targets.flatMap(({ before, after }) => shiftsBetween(before, after))
  return {
    targets: targets.length,
    moving: count('moves'),
    staying: count('stays'),
    refused: count('refused'),
    replicasMoved: targets.reduce((sum, { moved }) => sum + moved, 0),
    clustersTouched: [...new Set(shifts.map(({ cluster }) => cluster))].sort(),
  }
}

function baseOf(planned: readonly { plan: TargetPlan; generation: number }[]): string {
  const text = JSON.stringify(planned.map(({ plan, generation }) =>
    [identityOf(plan.workload), plan.verdict, generation, plan.before, plan.after]))
  return [text, `${text}.`].map((part) => fnv1a32(part).toString(16).padStart(8, '0')).join('')
}

function identityOf({ apiVersion, kind, namespace = '', name }: WorkloadRef): string[] {
  return [apiVersion, kind, namespace, name]
}

function refKey(kind: string, { namespace = '', name }: { namespace?: string; name: string }): string {
  return `${kind}/${namespace}/${name}`
}
