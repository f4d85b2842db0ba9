/** One RebalancePlan with every workload of it, for people. */
import { formatNumberOf } from '@/lib/format/numbers'
import type { PlannedWorkload, PlanPhase, RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import type { StateView, WorkloadRef } from '../model'
import type { PlanAct, PlanRunTargetView, PlanRunView } from '../rebalance-model'
import { workloadId } from '../workload-id'
import { toReplicas } from './binding-facts'
import { CREATED_BY_ANNOTATION } from './plan-record'
import { say } from './say'

export interface PlanRunSnapshot {
  plan: RebalancePlanObject
  /** Plans that bring back what this one moved. */
  undoneBy: readonly RebalancePlanObject[]
}

/** Phases that nothing leaves any more. */
const FINAL: ReadonlySet<PlanRunView['phase']> = new Set(['Completed', 'Stopped', 'Invalid'])

/** The row and the page of a plan. Targets in the order of the plan: wave by wave. */
export function projectPlanRun({ plan, undoneBy }: PlanRunSnapshot): PlanRunView {
  const { metadata, spec, status = {} } = plan
  const { waves = [], counts = {}, changes = [], headroom = [], prediction, hold } = status
  return {
    id: metadata.name,
    name: metadata.name,
    createdAt: metadata.creationTimestamp,
    createdBy: metadata.annotations?.[CREATED_BY_ANNOTATION],
    phase: phaseOf(plan),
    state: stateOf(plan),
    base: status.base,
    changes: [...changes],
    progress: status.progress,
    wave: status.wave ?? 0,
    waves: waves.map(({ number, workloads, startedAt, finishedAt, replicasMoved = 0 }) =>
      ({ number, workloads, replicasMoved, startedAt, finishedAt })),
    counts: { total: 0, pending: 0, moving: 0, done: 0, skipped: 0, failed: 0, replicasMoved: 0, ...counts },
    manner: mannerOf(plan),
    holds: status.holds ?? 0,
    hold: hold && {
      reason: hold.reason,
      message: hold.message,
      at: hold.at,
      workload: hold.workload && workloadId(refOf(hold.workload)),
    },
    headroom: headroom.map(({ cluster, gains, room = 0, short = false }) => ({ cluster, gains, room, short })),
    prediction: prediction && {
      error: prediction.error ?? 0,
      clusters: (prediction.clusters ?? []).map(({ name, predicted, actual }) =>
        ({ cluster: name, predicted, actual })),
    },
    undoOf: spec.undoOf,
    undoneBy: undoneBy.map((each) => each.metadata.name),
    startedAt: status.startedAt,
    finishedAt: status.finishedAt,
    acts: actsOf(plan, undoneBy),
    targets: (status.workloads ?? []).map(projectTarget),
  }
}

/** `Pending` until the loop has looked at the object as it is now. */
function phaseOf({ status }: RebalancePlanObject): PlanRunView['phase'] {
  return status?.phase ?? 'Pending'
}

function stateOf(plan: RebalancePlanObject): StateView {
  const { status = {} } = plan
  const progressing = (status.conditions ?? []).find(({ type }) => type === 'Progressing')
  const failed = status.counts?.failed ?? 0
  const words = progressing?.message || status.stopReason || status.hold?.message
  switch (phaseOf(plan)) {
    case 'Pending':
      return say('active', 'The preview is being computed')
    case 'AwaitingApproval':
      return say('held', awaitingWords(status.counts))
    case 'Running':
    case 'Stopping':
      return say('active', words || `${status.progress ?? ''} done`)
    case 'Paused':
      return say('held', words || 'Paused: no further wave begins')
    case 'Held':
      return say('fail', status.hold?.message ?? words ?? 'It stopped by itself')
    case 'Stopped':
      return say('held', words || 'Stopped: no further wave begins')
    case 'Invalid':
      return say('fail', words || 'It cannot be carried out')
    case 'Completed':
      return failed > 0
        ? say('fail', words || `${formatNumberOf(failed, 'workload')} failed`)
        : say('ok', words || 'All have arrived')
  }
}

/** The object itself tells users of kubectl what to write; here there is a button. */
function awaitingWords(counts: { total?: number; pending?: number } = {}): string {
  const { total = 0, pending = 0 } = counts
  if (total === 0) return 'It chooses no workload'
  return pending === 0
    ? `None of ${formatNumberOf(total, 'workload')} would move`
    : `${pending} of ${formatNumberOf(total, 'workload')} would move; nothing happens before you approve`
}

/** What the object asks for, in words. */
function mannerOf({ spec }: RebalancePlanObject): string[] {
  const { waves = {}, minReady = '100%', makeBeforeBreak = true, onRegression = 'Hold' } = spec
  const { size = '10%', soakSeconds = 0, maxReplicasMoved } = waves
  const inWaves =
    typeof size === 'number'
      ? `Waves of ${formatNumberOf(size, 'workload')}`
      : `Waves of ${size} of the workloads that move`
  return [
    `${inWaves}${maxReplicasMoved === undefined ? '' : `, at most ${maxReplicasMoved} of the replicas at once`}`
      + `${soakSeconds > 0 ? `, with ${formatNumberOf(soakSeconds, 'second')} of rest between them` : ''}.`,
    makeBeforeBreak ? 'Old copies stay until the new ones are ready.' : 'Old copies go at once.',
    `At least ${minReady} of each workload's replicas stay ready, or as many as were ready before.`,
    onRegression === 'Hold' ? 'It stops by itself at the first regression.' : 'It goes on after a regression.',
    ...(spec.allowFewerReplicas ? ['Workloads may lose replicas, or have no cluster at all.'] : []),
  ]
}

const ACTS: Readonly<Record<PlanPhase, readonly PlanAct[]>> = {
  AwaitingApproval: ['approve', 'discard'],
  Running: ['pause', 'stop'],
  Paused: ['resume', 'stop'],
  Held: ['continue', 'stop'],
  Stopping: [],
  Stopped: ['undo'],
  Completed: ['undo'],
  Invalid: ['discard'],
}

function actsOf({ status, metadata }: RebalancePlanObject, undoneBy: readonly RebalancePlanObject[]): PlanAct[] {
  if (!status?.phase || metadata.deletionTimestamp) return []
  const moved = (status.workloads ?? []).some(({ triggeredAt }) => triggeredAt !== undefined)
  const moves = (status.counts?.pending ?? 0) > 0
  const undoable = moved && !undoneBy.some((each) => !FINAL.has(phaseOf(each)))
  return ACTS[status.phase].filter((act) => (act === 'undo' ? undoable : act !== 'approve' || moves))
}

function projectTarget(planned: PlannedWorkload): PlanRunTargetView {
  const { workload, stage, wave, before, predicted, actual, replicasMoved: moved = 0, predictionError } = planned
  const { readyFloor: floor, readyExpected: expected, readyLowest: lowest, triggeredAt, finishedAt } = planned
  const ref = refOf(workload)
  return {
    id: workloadId(ref), ref, stage, wave, moved, predictionError, triggeredAt, finishedAt,
    state: targetState(planned), before: toReplicas(before), predicted: toReplicas(predicted),
    actual: actual && toReplicas(actual), ready: { floor, expected, lowest },
  }
}

function targetState({ stage, message = '', reason = '', replicasMoved = 0 }: PlannedWorkload): StateView {
  const words = message || reason
  switch (stage) {
    case 'Pending': return say('unknown', words || 'Waits for its wave')
    case 'Failed': return say('fail', words)
    case 'Skipped': return say('ok', words || 'Does not move')
    case 'Done': return say('ok', words || `${formatNumberOf(replicasMoved, 'replica')} moved`)
    default: return say('active', words || 'On its way')
  }
}

function refOf({ apiVersion, kind, namespace, name }: WorkloadRef): WorkloadRef {
  return { apiVersion, kind, ...(namespace && { namespace }), name }
}
