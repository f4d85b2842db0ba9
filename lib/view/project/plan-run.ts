/** The views of a RebalancePlan: its row, and its page with the progress of every workload. */
import { accuracyOf } from '@/lib/domain/rebalance/compare'
import { clustersInWords } from '@/lib/domain/rebalance/distribution'
import { describePhase, waveLimits, WRITE_FAILED } from '@/lib/domain/rebalance/run'
import { findCondition } from '@/lib/kube/conditions'
import type { PlannedWorkload, PlanPhase, RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { english } from '../../messages/english'
import { type Message, message, type MessageCode } from '../../messages/message'
import type { State, StateView, WorkloadRef } from '../model'
import type { PlanAction, PlanRowView, PlanRunTargetView, PlanRunView } from '../rebalance-model'
import { workloadId } from '../workload-id'
import { toReplicas } from './binding-facts'
import { CREATED_BY_ANNOTATION } from './plan-record'
import { moveOf } from './rebalance-move'
import { say } from './say'

export interface PlanRunSnapshot {
  plan: RebalancePlanObject
  /** Plans that undo this one. */
  undoneBy: readonly RebalancePlanObject[]
}

/** Final phases of a plan. */
const FINAL: ReadonlySet<PlanRunView['phase']> = new Set(['Completed', 'Stopped', 'Invalid'])

/** Returns the page of a plan. Targets are in the order of the plan, wave by wave. */
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
    waves: waves.map(({ number, workloads, startedAt, finishedAt, replicasMoved = 0 }) => ({
      number,
      workloads,
      replicasMoved,
      startedAt,
      finishedAt,
    })),
    counts: { total: 0, pending: 0, moving: 0, done: 0, skipped: 0, failed: 0, replicasMoved: 0, ...counts },
    rollout: rolloutOf(plan),
    schedule: scheduleOf(plan),
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
      renewed: (status.workloads ?? []).filter(({ renewed, actual }) => renewed === true && actual !== undefined)
        .length,
      clusters: (prediction.clusters ?? []).map(({ name, predicted, actual }) => ({
        cluster: name,
        predicted,
        actual,
      })),
    },
    undoOf: spec.undoOf,
    undoneBy: undoneBy.map((each) => each.metadata.name),
    startedAt: status.startedAt,
    finishedAt: status.finishedAt,
    actions: actionsOf(plan, undoneBy),
    targets: (status.workloads ?? []).map(projectTarget),
  }
}

/** Returns the row of a plan. */
export function projectPlanRow({ targets, ...summary }: PlanRunView): PlanRowView {
  return {
    ...summary,
    ids: targets.map(({ id }) => id),
    moves: targets.flatMap(({ id, stage, before, predicted }) => moveOf(stage, { id, before, after: predicted })),
    ...(summary.finishedAt !== undefined && { accuracy: accuracyOf(targets) }),
  }
}

/** `Pending` until the controller has processed the object. */
function phaseOf({ status }: RebalancePlanObject): PlanRunView['phase'] {
  return status?.phase ?? 'Pending'
}

function stateOf(plan: RebalancePlanObject): StateView {
  const { status = {} } = plan
  const { text } = describePhase(status)
  switch (phaseOf(plan)) {
    case 'Pending':
      return say('active', message('rebalance.plan.computing'))
    case 'AwaitingApproval':
      return say('held', awaitingWords(status.counts))
    case 'Running':
    case 'Stopping': {
      const progress = findCondition(status.conditions, 'Progressing')
      return progress?.reason === WRITE_FAILED ? say('fail', progress.message) : say('active', text)
    }
    case 'Held':
      return say('fail', status.hold?.message ?? text)
    case 'Paused':
    case 'Stopped':
      return say('held', text)
    case 'Invalid':
      return say('fail', findCondition(status.conditions, 'Progressing')?.message ?? '')
    case 'Completed':
      return say((status.counts?.failed ?? 0) > 0 ? 'fail' : 'ok', text)
  }
}

/** The status names the field to set with kubectl; the console has a button instead. */
function awaitingWords({ total = 0, pending: moving = 0 }: { total?: number; pending?: number } = {}): Message {
  return moving === 0
    ? message('rebalance.plan.nothingMoves', { total })
    : message('rebalance.plan.awaiting', { moving, total })
}

/** Describes the rollout in the spec. */
function rolloutOf({ spec }: RebalancePlanObject): Message[] {
  const { waves = {}, minReady = '100%', makeBeforeBreak = true, onRegression = 'Hold' } = spec
  const { size = '10%', soakSeconds = 0, maxReplicasMoved } = waves
  return [
    typeof size === 'number'
      ? message('rebalance.rollout.waves', { n: size })
      : message('rebalance.rollout.wavesShare', { share: size }),
    ...(maxReplicasMoved === undefined
      ? []
      : [message('rebalance.rollout.mostReplicas', { most: String(maxReplicasMoved) })]),
    ...(soakSeconds > 0 ? [message('rebalance.rollout.pause', { span: { ms: soakSeconds * 1000 } })] : []),
    message(makeBeforeBreak ? 'rebalance.rollout.makeBeforeBreak' : 'rebalance.rollout.breakBeforeMake'),
    message('rebalance.rollout.minReady', { minReady: String(minReady) }),
    message(onRegression === 'Hold' ? 'rebalance.rollout.hold' : 'rebalance.rollout.continue'),
    ...(spec.allowFewerReplicas ? [message('rebalance.rollout.allowFewerReplicas')] : []),
  ]
}

function scheduleOf(plan: RebalancePlanObject): PlanRunView['schedule'] {
  const { workloads, replicas } = waveLimits(plan.status?.workloads ?? [], plan)
  return {
    workloads,
    ...(replicas !== Infinity && { replicas }),
    pauseMs: (plan.spec.waves?.soakSeconds ?? 0) * 1000,
    keepsOld: plan.spec.makeBeforeBreak !== false,
  }
}

const ACTIONS: Readonly<Record<PlanPhase, readonly PlanAction[]>> = {
  AwaitingApproval: ['approve', 'discard'],
  Running: ['pause', 'stop'],
  Paused: ['resume', 'stop'],
  Held: ['continue', 'stop'],
  Stopping: [],
  Stopped: ['undo'],
  Completed: ['undo'],
  Invalid: ['discard'],
}

function actionsOf({ status, metadata }: RebalancePlanObject, undoneBy: readonly RebalancePlanObject[]): PlanAction[] {
  if (!status?.phase || metadata.deletionTimestamp) return []
  const moved = (status.workloads ?? []).some(({ triggeredAt }) => triggeredAt !== undefined)
  const moves = (status.counts?.pending ?? 0) > 0
  const undoable = moved && !undoneBy.some((each) => !FINAL.has(phaseOf(each)))
  return ACTIONS[status.phase].filter((action) => (action === 'undo' ? undoable : action !== 'approve' || moves))
}

function projectTarget(planned: PlannedWorkload): PlanRunTargetView {
  const { workload, stage, wave, before, predicted, actual, replicasMoved: moved = 0, predictionError } = planned
  const { readyFloor: floor, readyExpected: expected, readyLowest: lowest, triggeredAt, finishedAt } = planned
  const { uncertain } = planned
  const ref = refOf(workload)
  return {
    id: workloadId(ref),
    ref,
    stage,
    wave,
    moved,
    predictionError,
    ...(uncertain && { uncertain: doubtOf(uncertain) }),
    triggeredAt,
    finishedAt,
    state: targetState(planned),
    before: toReplicas(before),
    predicted: toReplicas(predicted),
    actual: actual && toReplicas(actual),
    ready: { floor, expected, lowest },
  }
}

function doubtOf({ reason, other }: NonNullable<PlannedWorkload['uncertain']>): Message {
  if (reason === 'AsksEstimators') return message('rebalance.note.AsksEstimators')
  return other
    ? message('rebalance.note.OthersMove', { places: clustersInWords(other) })
    : message('rebalance.note.MayNotFit')
}

function targetState({ stage, message: text = '', reason = '' }: PlannedWorkload): StateView {
  return say(STATE_OF_STAGE[stage] ?? 'active', inCatalogue(reason, text))
}

const STATE_OF_STAGE: Partial<Record<PlannedWorkload['stage'], State>> = {
  Pending: 'unknown',
  Failed: 'fail',
  Skipped: 'ok',
  Done: 'ok',
}

/**
 * Returns the message whose English text is in the status, so that it is rendered in the reader's language; otherwise
 * the text.
 */
function inCatalogue(reason: string, text: string): Message | string {
  const codes = ['stays', 'refused', 'run', 'progress'].map((group) => ['rebalance', group, reason].join('.'))
  const code = codes.find((each) => english.find(each) === text)
  return code === undefined ? text : { code: code as MessageCode }
}

function refOf({ apiVersion, kind, namespace, name }: WorkloadRef): WorkloadRef {
  return { apiVersion, kind, ...(namespace && { namespace }), name }
}
