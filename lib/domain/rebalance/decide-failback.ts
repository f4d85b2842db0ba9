/** Decides what a FailbackPolicy permits now. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { FailbackPolicySpec, FailbackPolicyStatus } from '@/lib/kube/kinds/failback-policy'
import type { RebalancePlanObject, RebalancePlanSpec } from '@/lib/kube/kinds/rebalance-plan'
import { fnv1a32 } from '@/lib/std/fnv'
import { type Message, message } from '@/lib/messages/message'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import { because, type InEnglish, type Reason } from '../plan'
import type { Binding, SchedulerProfile } from '../placement'
import { automaticFailback, type FailbackSuggestion, suggestFailback } from './failback'
import { isFinal } from './run'
import { isSelective, selectWorkloads, type SelectionSnapshot } from './select'
import { type WorkloadRef, workloadKey } from './sync-status'

/** Label of the plans that a policy created. */
export const FAILBACK_LABEL = 'evenkeel.io/failback-policy'
/** How long a plan is kept. During this time the workloads that it moved are excluded from automatic failback. */
const PLAN_TTL_SECONDS = 3600

export interface FailbackPolicySnapshot extends SelectionSnapshot {
  policy: { name: string; spec: FailbackPolicySpec }
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  /** Existing plans that this policy created. */
  plans: readonly Pick<RebalancePlanObject, 'metadata' | 'spec' | 'status'>[]
  profile?: SchedulerProfile
  /** Renders the text of the status. */
  english: InEnglish
  now: EpochMs
}

export interface FailbackDecision {
  status: Omit<FailbackPolicyStatus, 'conditions' | 'observedGeneration'>
  reason: Reason<Message>
  /** The plan to create. The same decision yields the same name. */
  create?: { name: string; spec: RebalancePlanSpec }
  /** When to decide again without any change. */
  requeueAfterMs?: number
}

/**
 * Decides: one plan at a time, for one cluster, with as many workloads as permitted. Workloads of an existing plan are
 * not included in another one, so that a workload that cannot stay does not move back and forth.
 */
export function decideFailback(snapshot: FailbackPolicySnapshot): FailbackDecision {
  const {
    policy: { spec },
    plans,
  } = snapshot
  const suggestions = suggestionsFor(snapshot)
  const unfinished = plans.filter(({ status }) => !isFinal(status?.phase))
  const moving = unfinished.reduce(
    (sum, { status }) => sum + (status?.counts?.moving ?? 0) + (status?.counts?.pending ?? 0),
    0,
  )
  const status = {
    clusters: suggestions.map((suggestion) => lineOf(suggestion, snapshot.english)),
    moving,
    ...lastPlanOf(plans),
  }
  const wait = Math.min(
    ...suggestions.filter(({ isStable }) => !isStable).map(({ stableAt }) => stableAt - snapshot.now),
  )
  const later = Number.isFinite(wait) ? { requeueAfterMs: Math.max(1, wait) } : {}
  if (spec.suspend) return { status, reason: because(message('rebalance.failback.Suspended')), ...later }
  if (unfinished.length > 0)
    return {
      status,
      reason: because(
        message('rebalance.failback.PlanRunning', {
          plan: unfinished[0]!.metadata.name,
          phase: unfinished[0]!.status?.phase ?? 'Pending',
        }),
      ),
      ...later,
    }
  const tried = new Set(plans.flatMap((plan) => plan.spec.workloads ?? []).map(workloadKey))
  for (const suggestion of suggestions) {
    const fresh = {
      ...suggestion,
      returning: suggestion.returning.filter(({ workload }) => !tried.has(workloadKey(workload))),
    }
    const workloads = automaticFailback(fresh, { maxConcurrent: spec.maxConcurrent ?? 5, moving })
    if (workloads.length > 0) return { status, ...planFor(snapshot, suggestion, workloads), requeueAfterMs: 1000 }
  }
  return { status, reason: because(message('rebalance.failback.NothingToReturn')), ...later }
}

function suggestionsFor(snapshot: FailbackPolicySnapshot): FailbackSuggestion[] {
  const {
    policy: { spec },
    bindings,
  } = snapshot
  const chosen = isSelective(spec.selection)
    ? new Set(selectWorkloads({ selection: spec.selection }, snapshot).map(workloadKey))
    : undefined
  const concerned = chosen
    ? bindings.filter(({ spec: { resource } }) =>
        chosen.has(workloadKey({ ...resource, namespace: resource.namespace ?? '' })),
      )
    : bindings
  return suggestFailback({
    ...snapshot,
    bindings: concerned,
    stableForMs: (spec.stabilizationSeconds ?? 600) * 1000,
  }).filter(({ cluster }) => !spec.clusters?.length || spec.clusters.includes(cluster))
}

function lineOf(
  { cluster, left, returning, isStable, stableAt }: FailbackSuggestion,
  english: InEnglish,
): NonNullable<FailbackPolicyStatus['clusters']>[number] {
  return {
    name: cluster,
    left: left.length,
    returning: returning.length,
    stable: isStable,
    stableAt: formatTime(stableAt),
    message: english(message('rebalance.failback.counts', { left: left.length, returning: returning.length })),
  }
}

function lastPlanOf(plans: FailbackPolicySnapshot['plans']): { lastPlan?: string } {
  const last = plans.toSorted((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp)).at(-1)
  return last ? { lastPlan: last.metadata.name } : {}
}

function planFor(
  { policy: { name, spec } }: FailbackPolicySnapshot,
  { cluster, healthySince }: FailbackSuggestion,
  workloads: readonly WorkloadRef[],
): Pick<FailbackDecision, 'create' | 'reason'> {
  const id = fnv1a32(JSON.stringify([cluster, healthySince, workloads.map(workloadKey)]))
    .toString(16)
    .padStart(8, '0')
  const plan = `failback-${name}-${id}`
  return {
    reason: because(message('rebalance.failback.Returning', { n: workloads.length, cluster, plan })),
    create: {
      name: plan,
      spec: {
        workloads: [...workloads],
        autoApprove: true,
        waves: { size: spec.maxConcurrent ?? 5 },
        minReady: spec.minReady ?? '100%',
        ttlSecondsAfterFinished: PLAN_TTL_SECONDS,
      },
    },
  }
}
