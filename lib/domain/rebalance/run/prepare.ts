/** Creates the preview of a plan, and decides whether it is approved. */
import type { PlannedWorkload, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { message } from '@/lib/messages/message'
import { formatTime } from '@/lib/std/clock'
import { because, type InEnglish } from '../../plan'
import { differencesBetween } from '../compare'
import { planRebalance, type RebalancePlan, type TargetPlan } from '../plan-rebalance'
import { selectWorkloads, type SelectionSnapshot } from '../select'
import { planRestore, type Restoration } from '../undo'
import { problemOf } from './problem'
import type { PlanSubject, PlanContext, RunDecision, RunReason } from './snapshot'
import { progressing, statusCounts, withConditions } from './status'

/** A plan must fit into one write to any control plane: etcd's limit is 1.5 MB. */
export const MAX_WORKLOADS = 1000
/** Maximum length of the preview as JSON; the rest of the limit is for results. */
const MAX_CHARACTERS = 800_000

export interface PrepareSnapshot extends Omit<PlanContext, 'bindings'>, SelectionSnapshot {
  plan: PlanSubject
  /** Distributions to restore, for an undo; undefined if the plan to undo is unknown. */
  restorations?: readonly Restoration[] | undefined
}

/** Returns the current preview and whether the plan runs. An invalid plan ends with the reason. */
export function decideApproval(snapshot: PrepareSnapshot): RunDecision {
  const problem = problemOf(snapshot.plan.spec, snapshot.restorations)
  if (problem) return invalid(snapshot, problem)
  const preview = previewPlan(snapshot)
  if (!fitsIntoOneObject(preview, snapshot.english)) {
    const { targets: n } = preview.totals
    return invalid(snapshot, because(message('rebalance.invalid.TooManyWorkloads', { n, most: MAX_WORKLOADS })))
  }
  const { spec } = snapshot.plan
  return spec.autoApprove || spec.base === preview.base ? begin(snapshot, preview) : awaitApproval(snapshot, preview)
}

function fitsIntoOneObject({ targets }: RebalancePlan, english: InEnglish): boolean {
  return targets.length <= MAX_WORKLOADS && JSON.stringify(entriesOf(targets, english)).length <= MAX_CHARACTERS
}

/** Previews the plan in its current state. */
function previewPlan(snapshot: PrepareSnapshot): RebalancePlan {
  const {
    plan: { spec },
    bindings,
    restorations,
  } = snapshot
  const context = { ...snapshot, ...spec, bindings }
  if (restorations) return planRestore(restorations, context)
  return planRebalance({ ...context, workloads: selectWorkloads(spec, snapshot) })
}

function invalid({ plan, now, english }: PrepareSnapshot, reason: RunReason): RunDecision {
  const status: RebalancePlanStatus = { observedGeneration: plan.generation, phase: 'Invalid' }
  const conditions = progressing(status, reason, english)
  return {
    status: withConditions({ ...status, conditions: plan.status.conditions ?? [] }, conditions, now),
    steps: [],
    news: [],
  }
}

function awaitApproval(snapshot: PrepareSnapshot, preview: RebalancePlan): RunDecision {
  const { plan, now, english } = snapshot
  const workloads = entriesOf(preview.targets, english)
  const changes = changesSince(plan, preview, { now: workloads, english })
  const { moving, targets } = preview.totals
  const reason =
    changes.length > 0
      ? because(message('rebalance.plan.PreviewOutdated', { n: changes.length, base: preview.base }))
      : because(message('rebalance.plan.AwaitingApproval', { moving, total: targets, base: preview.base }))
  const { changes: _, ...before } = plan.status
  const status: RebalancePlanStatus = {
    ...before,
    observedGeneration: plan.generation,
    phase: 'AwaitingApproval',
    base: preview.base,
    workloads,
    ...statusCounts(workloads),
    ...headroomOf(preview),
    ...(changes.length > 0 && { changes }),
  }
  return { status: withConditions(status, progressing(status, reason, english), now), steps: [], news: [] }
}

/** Returns the differences from the approved preview; they stay until another preview is approved. */
function changesSince(
  { spec, status }: PlanSubject,
  preview: RebalancePlan,
  { now, english }: { now: readonly PlannedWorkload[]; english: InEnglish },
): string[] {
  if (spec.base === undefined) return []
  const { changes = [], workloads = [] } = status
  const fresh = (): string[] => differencesBetween(workloads, now).map(english)
  if (spec.base === status.base) return fresh().slice(0, MAX_CHANGES)
  if (changes.length === 0) return [english(message('rebalance.difference.base', { base: spec.base }))]
  return status.base === preview.base ? changes : [...new Set([...changes, ...fresh()])].slice(-MAX_CHANGES)
}

const MAX_CHANGES = 50

function begin(snapshot: PrepareSnapshot, preview: RebalancePlan): RunDecision {
  const { plan, now, english } = snapshot
  const workloads = entriesOf(preview.targets, english)
  const { changes: _, ...before } = plan.status
  const status: RebalancePlanStatus = {
    ...before,
    observedGeneration: plan.generation,
    phase: 'Running',
    base: preview.base,
    workloads,
    holds: 0,
    ...statusCounts(workloads),
    ...headroomOf(preview),
    startedAt: formatTime(now),
  }
  const reason = because(
    message('rebalance.plan.Approved', { moving: preview.totals.moving, total: preview.totals.targets }),
  )
  return {
    status: withConditions(status, progressing(status, reason, english), now),
    steps: [],
    requeueAfterMs: 0,
    news: [{ type: 'Normal', ...reason }],
  }
}

function entriesOf(targets: readonly TargetPlan[], english: InEnglish): PlannedWorkload[] {
  const plain = (clusters: TargetPlan['before']) => clusters.map(({ name, replicas = 0 }) => ({ name, replicas }))
  return targets.map(
    ({ workload: { apiVersion, kind, namespace, name }, verdict, reason, notes, before, after, moved, ready }) => ({
      workload: { apiVersion, kind, name, ...(namespace && { namespace }) },
      stage: verdict === 'moves' ? 'Pending' : 'Skipped',
      reason: reason.code,
      message: [reason, ...notes].map(({ text }) => english(text)).join(' '),
      before: plain(before),
      predicted: plain(after),
      replicasMoved: moved,
      readyFloor: ready.floor,
      readyExpected: ready.expected,
    }),
  )
}

function headroomOf({ headroom }: RebalancePlan): Pick<RebalancePlanStatus, 'headroom'> {
  return headroom.length > 0 ? { headroom: headroom.map((line) => ({ ...line })) } : {}
}
