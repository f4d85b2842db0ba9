/** Before a plan runs: what it would do, and whether somebody has said yes to exactly that. */
import type { PlannedWorkload, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { formatTime } from '@/lib/std/clock'
import { because, counted, type Reason } from '../../plan'
import { differencesBetween } from '../compare'
import { planRebalance, type RebalancePlan, type TargetPlan } from '../plan-rebalance'
import { selectWorkloads, type SelectionSnapshot } from '../select'
import { planRestore, type Restoration } from '../undo'
import { problemOf } from './problem'
import type { PlanSubject, PlanWorld, RunDecision } from './snapshot'
import { progressing, statusCounts, withConditions } from './status'

/** An object has to fit into one write of any control plane: etcd takes a megabyte and a half. */
export const MOST_WORKLOADS = 1000
/** Of the preview, as JSON; what comes about is noted beside it. */
const MOST_CHARACTERS = 800_000

export interface PrepareSnapshot extends Omit<PlanWorld, 'bindings'>, SelectionSnapshot {
  plan: PlanSubject
  /** What to bring back, for an undo; undefined when the plan that is to be undone is not known. */
  restorations?: readonly Restoration[] | undefined
}

/** The preview as it is now, and whether it runs. A plan that cannot be understood says why and ends. */
export function decideApproval(snapshot: PrepareSnapshot): RunDecision {
  const problem = problemOf(snapshot.plan.spec, snapshot.restorations)
  if (problem) return invalid(snapshot, problem)
  const preview = previewPlan(snapshot)
  if (!fitsIntoOneObject(preview)) {
    const { targets } = preview.totals
    return invalid(snapshot, because('TooManyWorkloads', `${targets} workloads are more than one plan can keep a record of (at most ${MOST_WORKLOADS}, fewer where each runs in many clusters). Choose fewer at a time.`))
  }
  const { spec } = snapshot.plan
  return spec.autoApprove || spec.base === preview.base ? begin(snapshot, preview) : awaitApproval(snapshot, preview)
}

function fitsIntoOneObject({ targets }: RebalancePlan): boolean {
  return targets.length <= MOST_WORKLOADS && JSON.stringify(targets.map(entryOf)).length <= MOST_CHARACTERS
}

/** What the plan would do now. */
function previewPlan(snapshot: PrepareSnapshot): RebalancePlan {
  const { plan: { spec }, bindings, restorations } = snapshot
  const world = { ...snapshot, ...spec, bindings }
  if (restorations) return planRestore(restorations, world)
  return planRebalance({ ...world, workloads: selectWorkloads(spec, snapshot) })
}

function invalid({ plan, now }: PrepareSnapshot, reason: Reason): RunDecision {
  const status: RebalancePlanStatus = { observedGeneration: plan.generation, phase: 'Invalid' }
  const conditions = progressing(status, reason)
  return {
    status: withConditions({ ...status, conditions: plan.status.conditions ?? [] }, conditions, now),
    steps: [],
    news: [],
  }
}

function awaitApproval(snapshot: PrepareSnapshot, preview: RebalancePlan): RunDecision {
  const { plan, now } = snapshot
  const workloads = preview.targets.map(entryOf)
  const changes = changesSince(plan, preview, workloads)
  const { moving, targets } = preview.totals
  const reason =
    changes.length > 0
      ? because(
          'WorldMoved',
          `The approved preview does not hold any more: ${counted(changes.length, 'difference')}. Set spec.base to ${preview.base} to run this one.`,
        )
      : because(
          'AwaitingApproval',
          `${moving} of ${counted(targets, 'workload')} would move. Set spec.base to ${preview.base} to run this.`,
        )
  const { changes: _, ...before } = plan.status
  const status: RebalancePlanStatus = {
    ...before, observedGeneration: plan.generation, phase: 'AwaitingApproval', base: preview.base, workloads,
    ...statusCounts(workloads), ...headroomOf(preview), ...(changes.length > 0 && { changes }),
  }
  return { status: withConditions(status, progressing(status, reason), now), steps: [], news: [] }
}

/** What differs from the preview that was said yes to; the differences stay until another is. */
function changesSince(
  { spec, status }: PlanSubject,
  preview: RebalancePlan,
  now: readonly PlannedWorkload[],
): string[] {
  if (spec.base === undefined) return []
  if (spec.base === status.base) return differencesBetween(status.workloads ?? [], now).slice(0, MOST_CHANGES)
  if (status.changes?.length) return status.base === preview.base ? status.changes : differencesOnTop(status, now)
  return [`the approved preview ${spec.base} is not the one that this plan would carry out now`]
}

const MOST_CHANGES = 50

function differencesOnTop(
  { changes = [], workloads = [] }: RebalancePlanStatus,
  now: readonly PlannedWorkload[],
): string[] {
  return [...new Set([...changes, ...differencesBetween(workloads, now)])].slice(-MOST_CHANGES)
}

function begin(snapshot: PrepareSnapshot, preview: RebalancePlan): RunDecision {
  const { plan, now } = snapshot
  const workloads = preview.targets.map(entryOf)
  const { changes: _, ...before } = plan.status
  const status: RebalancePlanStatus = {
    ...before, observedGeneration: plan.generation, phase: 'Running', base: preview.base, workloads, holds: 0,
    ...statusCounts(workloads), ...headroomOf(preview), startedAt: formatTime(now),
  }
  const reason = because('Approved', `${preview.totals.moving} of ${counted(preview.totals.targets, 'workload')} move.`)
  return {
    status: withConditions(status, progressing(status, reason), now), steps: [], requeueAfterMs: 0,
    news: [{ type: 'Normal', ...reason }],
  }
}

function entryOf({ workload, verdict, reason, notes, before, after, moved, ready }: TargetPlan): PlannedWorkload {
  const { apiVersion, kind, namespace, name } = workload
  const plain = (clusters: TargetPlan['before']) =>
    clusters.map(({ name: cluster, replicas = 0 }) => ({ name: cluster, replicas }))
  return {
    workload: { apiVersion, kind, name, ...(namespace && { namespace }) },
    stage: verdict === 'moves' ? 'Pending' : 'Skipped', reason: reason.code,
    message: [reason, ...notes].map(({ text }) => text).join(' '),
    before: plain(before), predicted: plain(after), replicasMoved: moved,
    readyFloor: ready.floor, readyExpected: ready.expected,
  }
}

function headroomOf({ headroom }: RebalancePlan): Pick<RebalancePlanStatus, 'headroom'> {
  return headroom.length > 0 ? { headroom: headroom.map((line) => ({ ...line })) } : {}
}
