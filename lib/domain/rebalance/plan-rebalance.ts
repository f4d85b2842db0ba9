/** Previews a rebalance with the scheduler's own code on a copied snapshot. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { EpochMs } from '@/lib/std/clock'
import { strategyOf } from '../division'
import type { Estimator } from '../estimate'
import {
  type Assumptions,
  type Binding,
  type ClusterVerdict,
  type ScheduleVerdict,
  type SchedulerProfile,
  defaultProfile,
  explainVerdict,
  explainFailure,
  isSchedulingSuspended,
  losesReplicas,
  scheduleBinding,
  snapshotOf,
} from '../placement'
import { isPausedAmong } from './dispatching'
import { assessHeadroom, type ClusterHeadroom } from './headroom'
import { inSchedulingOrder } from './order'
import { OvercommitProtection } from './overcommit-protection'
import { type Shift, isSameDistribution, replicasMoved, shiftsBetween } from './distribution'
import { baseOf, identityOf, refKey } from './plan-base'
import {
  type PlanReason,
  type RefusalCode,
  type StayCode,
  describeFailure,
  describeLoss,
  describeMove,
  describeRefusal,
  describeStay,
  describeTightBudget,
  LAZY_NOTE,
} from './plan-reasons'
import { type PolicySubject, differsFromLazyPolicy } from './policy'
import { ruleThatActed } from './rule-that-acted'
import { readyAtWorst, readyByCluster, readyFloor, totalReady, totalReplicas } from './readiness'
import type { WorkloadRef } from './sync-status'
import { bindingRefOf } from './trigger'

/** Input of a preview. */
export interface RebalanceSnapshot {
  workloads: readonly WorkloadRef[]
  /** Bindings of both kinds; those of other workloads are ignored. */
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  /** Policies of both kinds, to detect lazy ones. */
  policies?: readonly PolicySubject[]
  profile?: SchedulerProfile
  /** What a scheduler with overcommit protection counts already. Default nothing. */
  assumptions?: Assumptions | undefined
  /** Decides which assumptions have ended. Default: none. */
  now?: EpochMs
  /** Default: by the profile. */
  estimators?: readonly Estimator[]
  /** Keep old replicas until the new ones are ready. Default true. */
  makeBeforeBreak?: boolean
  /** Replicas of each workload, or their percentage, that must stay ready. Default all. */
  minReady?: number | string
  /** Also move workloads that would lose replicas or have no cluster, as the responsible scheduler would. */
  allowFewerReplicas?: boolean
}

/** Ready replicas of one workload during its move. */
export interface Readiness {
  /** Ready replicas now. */
  now: number
  /** Expected minimum during the move, with the requested rollout. */
  expected: number
  /** Minimum if every old replica is deleted before a new one is ready. */
  unprotected: number
  /** Minimum that the budget permits. */
  floor: number
}

/** The preview of one workload. */
export interface TargetPlan {
  workload: WorkloadRef
  verdict: 'moves' | 'stays' | 'refused'
  reason: PlanReason
  /** Further facts for the user. */
  notes: readonly PlanReason[]
  /** The scheduler may choose otherwise, as a note says. */
  uncertain?: boolean
  before: readonly TargetCluster[]
  /** Equal to `before` unless the verdict is `moves`. */
  after: readonly TargetCluster[]
  moved: number
  ready: Readiness
  /** Why each cluster is selected or not; empty if nothing was scheduled. */
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
    /** Clusters that gain or lose replicas, sorted by name. */
    clustersTouched: readonly string[]
  }
  /** Clusters that gain replicas, sorted by name, and whether they have capacity for all of them. */
  headroom: readonly ClusterHeadroom[]
  /** Equal for two plans exactly if they do the same to the same versions of the workloads. */
  base: string
}

/**
 * Previews a rebalance: every workload is scheduled fresh and independently, as the scheduler does; with overcommit
 * protection, one after the other in its order. Pure.
 */
export function planRebalance(snapshot: RebalanceSnapshot): RebalancePlan {
  const index = new Map(snapshot.bindings.map((binding) => [refKey(binding.kind, binding.metadata), binding]))
  const unique = new Map(snapshot.workloads.map((workload) => [JSON.stringify(identityOf(workload)), workload]))
  const bindingOf = (workload: WorkloadRef): Binding | undefined => {
    const ref = bindingRefOf(workload)
    return index.get(refKey(ref.kind, ref))
  }
  const protection = new OvercommitProtection(snapshot)
  const planned = new Map<WorkloadRef, PlannedTarget>()
  for (const workload of inSchedulingOrder([...unique.values()], { workloadOf: (one) => one, bindingOf })) {
    const binding = bindingOf(workload)
    const plan = planWorkload(workload, binding, { ...snapshot, ...protection.current })
    if (binding) protection.record(binding, plan.after)
    planned.set(workload, { plan, generation: binding?.metadata.generation ?? 0 })
  }
  const inGivenOrder = [...unique.values()].map((workload) => planned.get(workload)!)
  return concludePlan(inGivenOrder, snapshot, index)
}

/** The preview of one workload, with the generation of its binding. */
export interface PlannedTarget {
  plan: TargetPlan
  generation: number
}

/** Summarizes the previews of the workloads. `bindings` is keyed by `kind/namespace/name`. */
export function concludePlan(
  planned: readonly PlannedTarget[],
  { clusters }: Pick<RebalanceSnapshot, 'clusters'>,
  bindings: ReadonlyMap<string, Binding>,
): RebalancePlan {
  const targets = planned.map(({ plan }) => plan)
  const moves = targets
    .filter(({ verdict }) => verdict === 'moves')
    .map((target) => {
      const ref = bindingRefOf(target.workload)
      return { ...target, requirements: bindings.get(refKey(ref.kind, ref))?.spec.replicaRequirements }
    })
  return { targets, totals: totalsOf(targets), headroom: assessHeadroom(moves, clusters), base: baseOf(planned) }
}

/** Previews a fresh scheduling of one workload; `binding` is undefined if it has none. */
export function planWorkload(
  workload: WorkloadRef,
  binding: Binding | undefined,
  snapshot: Omit<RebalanceSnapshot, 'workloads' | 'bindings'>,
): TargetPlan {
  const { plan, verdict } = planFresh(workload, binding, snapshot)
  const notes = binding && differsFromLazyPolicy(binding, snapshot.policies ?? []) ? [LAZY_NOTE] : []
  const clusters = verdict
    ? explainVerdict(
        verdict,
        snapshot.clusters.map(({ metadata }) => metadata.name),
      )
    : []
  return { ...plan, notes: verdict || plan.verdict === 'stays' ? notes : [], clusters }
}

/** Same as `planWorkload` without notes and explanations, and with the scheduler's verdict if it ran. */
export function planFresh(
  workload: WorkloadRef,
  binding: Binding | undefined,
  snapshot: JudgedBy,
): { plan: TargetPlan; verdict?: ScheduleVerdict } {
  const refusal = refusalOf(binding)
  if (!binding || refusal) {
    return { plan: unchangedPlan(workload, binding, refused(describeRefusal(refusal ?? 'BindingNotFound')), snapshot) }
  }
  if (!binding.status?.lastScheduledTime) {
    return { plan: unchangedPlan(workload, binding, stays('NeverScheduled'), snapshot) }
  }
  if (hasNothingToDivide(binding)) return { plan: unchangedPlan(workload, binding, stays('NoReplicas'), snapshot) }
  const { clusters, profile = defaultProfile, estimators } = snapshot
  const verdict = scheduleBinding({ binding, clusters, profile, mode: 'Fresh', ...(estimators && { estimators }) })
  return { plan: judge({ workload, binding, verdict }, snapshot), verdict }
}

/**
 * Reports whether a divided workload has no replicas. The scheduler finds no placement for it, because its sum of
 * unlimited capacities overflows.
 */
export function hasNothingToDivide({ spec }: Binding): boolean {
  const strategy = strategyOf(spec.placement ?? {})
  const isDivided = strategy !== undefined && strategy !== 'Duplicated'
  return isDivided && !spec.replicas && spec.replicaRequirements !== undefined
}

function refusalOf(binding: Binding | undefined): RefusalCode | undefined {
  if (!binding) return 'BindingNotFound'
  if (binding.metadata.deletionTimestamp) return 'Deleting'
  if (!binding.spec.placement) return 'NoPlacement'
  if (isSchedulingSuspended(binding.spec)) return 'Suspended'
  return binding.spec.suspension?.dispatching ? 'DispatchingSuspended' : undefined
}

interface Judged {
  workload: WorkloadRef
  binding: Binding
  verdict: ScheduleVerdict
}

type JudgedBy = Omit<RebalanceSnapshot, 'workloads' | 'bindings'>

function judge({ workload, binding, verdict }: Judged, snapshot: JudgedBy): TargetPlan {
  const { profile = defaultProfile, allowFewerReplicas = false } = snapshot
  const { failure } = verdict
  const emptied = allowFewerReplicas && verdict.patch?.clusters.length === 0
  if (failure && !emptied) {
    const cause = explainFailure(verdict, snapshot.clusters) ?? ''
    const reason = describeFailure(failure.type, { cause, keeps: profile.keepWhenNothingFits })
    return unchangedPlan(workload, binding, refused(reason), snapshot)
  }
  const before = binding.spec.clusters ?? []
  const after = emptied ? [] : verdict.clusters
  if (!after || isSameDistribution(before, after)) {
    return unchangedPlan(workload, binding, stays(stayCodeOf(binding)), snapshot)
  }
  if (isPausedAmong(binding, after)) {
    return unchangedPlan(workload, binding, refused(describeRefusal('DispatchingSuspended')), snapshot)
  }
  if (!allowFewerReplicas && losesReplicas(binding, after, snapshotOf(snapshot.clusters))) {
    return unchangedPlan(workload, binding, refused(describeLoss(before, after)), snapshot)
  }
  const reason = describeMove(shiftsBetween(before, after), {
    before,
    after,
    rule: ruleThatActed({ binding, verdict }, after, snapshot),
  })
  return withinBudget(moveOf({ workload, binding, after, reason }, snapshot))
}

/** Returns the move to a distribution, with its effect on ready replicas. */
export function moveOf(
  {
    workload,
    binding,
    after,
    reason,
  }: { workload: WorkloadRef; binding: Binding; after: TargetCluster[]; reason: PlanReason },
  snapshot: JudgedBy,
): TargetPlan {
  const before = binding.spec.clusters ?? []
  const moved = replicasMoved(shiftsBetween(before, after))
  const ready = readinessOf(binding, after, snapshot)
  return { workload, verdict: 'moves', reason, notes: [], before, after, moved, ready, clusters: [] }
}

/** Returns the plan, or its refusal if too few replicas would stay ready during the move. */
export function withinBudget(plan: TargetPlan): TargetPlan {
  if (plan.ready.expected >= plan.ready.floor) return plan
  const tight = refused(describeTightBudget(plan.ready))
  return { ...plan, ...tight, notes: [], after: plan.before, moved: 0, clusters: [] }
}

function readinessOf(binding: Binding, after: readonly TargetCluster[], snapshot: JudgedBy): Readiness {
  const { clusters, makeBeforeBreak = true, minReady = '100%' } = snapshot
  const ready = readyByCluster(binding, clusters)
  const now = totalReady(ready)
  const unprotected = readyAtWorst(ready, after)
  const floor = readyFloor(minReady, { replicas: totalReplicas(binding.spec.clusters), ready: now })
  return { now, expected: makeBeforeBreak ? now : unprotected, unprotected, floor }
}

function stayCodeOf({ spec }: Binding): StayCode {
  const strategy = strategyOf(spec.placement ?? {})
  if (strategy === 'Duplicated' || !(spec.replicas ?? 0)) return 'NotDivided'
  return strategy === 'StaticWeight' ? 'StaticWeight' : 'AlreadyBest'
}

type Outcome = Pick<TargetPlan, 'verdict' | 'reason'>

const refused = (reason: PlanReason): Outcome => ({ verdict: 'refused', reason })
const stays = (code: StayCode): Outcome => ({ verdict: 'stays', reason: describeStay(code) })

const nothingReady: Readiness = { now: 0, expected: 0, unprotected: 0, floor: 0 }

/** Returns a plan that does not change the workload. */
export function unchangedPlan(
  workload: WorkloadRef,
  binding: Binding | undefined,
  outcome: Outcome,
  snapshot: JudgedBy,
): TargetPlan {
  const before = binding?.spec.clusters ?? []
  const ready = binding ? readinessOf(binding, before, snapshot) : nothingReady
  return { workload, ...outcome, notes: [], before, after: before, moved: 0, ready, clusters: [] }
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
