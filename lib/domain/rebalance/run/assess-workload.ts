/** How far one workload of a plan has come, and what has to be done for it next. */
import type { PlannedWorkload, PlanStage } from '@/lib/kube/kinds/rebalance-plan'
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import { formatTime, parseTime } from '@/lib/std/clock'
import { because, counted, type Reason } from '../../plan'
import { type Binding, isSchedulingSuspended } from '../../placement'
import { describe, predictionError } from '../compare'
import { type ReadyByCluster, readyByCluster, totalReady } from '../readiness'
import { workloadKey } from '../sync-status'
import { isProtected, withoutProtection, withProtection } from './protect'
import { oldCopies, unappliedGains, unreadyGains, unsettled } from './observed'
import { isOpen, readRunRecord, RUN_ANNOTATION, type RunRecord } from './record'
import { type Assessment, type RunAct, type RunSnapshot, sinceKey } from './snapshot'
import { asPatch } from './start-workload'
import { isFinal } from './status'

/** Where a workload stands, before waits are judged. */
interface Finding {
  stage: PlanStage
  /** What is missing for the next stage. */
  reason: Reason
  act?: RunAct
}

/** Judges a workload that is not pending; a pending one only when it turns out to have been set off already. */
export function assessWorkload(entry: PlannedWorkload, snapshot: RunSnapshot): Assessment {
  if (entry.stage === 'Skipped') return { entry }
  const binding = snapshot.bindings.get(workloadKey(entry.workload))
  const record = binding && readRunRecord(binding)
  const own = record?.uid === snapshot.plan.uid ? record : undefined
  if (entry.stage === 'Pending' && !own) return { entry }
  if (!binding || binding.metadata.deletionTimestamp) {
    return isOver(entry) ? { entry } : failed(entry, because('BindingGone', 'Its binding is gone.'))
  }
  const ready = readyByCluster(binding, snapshot.clusters)
  // Once the plan is over, what becomes of a workload is no longer its doing.
  if (entry.stage === 'Done') return isFinal(snapshot.plan.status.phase) ? { entry } : watchOver(entry, ready)
  if (!own)
    return entry.stage === 'Failed'
      ? { entry }
      : failed(entry, because('TakenOver', 'Somebody else moved it meanwhile.'))
  return judge({ entry: adopt(entry, own), binding, record: own, ready }, snapshot)
}

/** A status that was not written in time learns from the record. */
function adopt(entry: PlannedWorkload, { wave, at, before, predicted, floor }: RunRecord): PlannedWorkload {
  if (entry.stage !== 'Pending') return entry
  return { ...entry, stage: 'Triggered', wave, triggeredAt: at, before, predicted, readyFloor: floor }
}

function isOver({ stage }: PlannedWorkload): boolean {
  return stage === 'Done' || stage === 'Failed'
}

/** What is done has to stay well while others move. */
function watchOver(entry: PlannedWorkload, ready: ReadyByCluster): Assessment {
  const { readyFloor = 0 } = entry
  const now = totalReady(ready)
  if (now >= readyFloor) return { entry: { ...entry, reason: 'Done', message: doneMessage(entry) } }
  const reason = belowBudget(now, readyFloor)
  const fault = entry.reason === reason.code ? {} : { fault: reason }
  return { entry: { ...entry, reason: reason.code, message: reason.text }, ...fault }
}

function belowBudget(now: number, floor: number): Reason {
  return because('ReadyBelowBudget', `Only ${counted(now, 'replica')} ready, and the budget asks for ${floor}.`)
}

interface Case {
  entry: PlannedWorkload
  binding: Binding
  record: RunRecord
  ready: ReadyByCluster
}

function judge(subject: Case, snapshot: RunSnapshot): Assessment {
  const { entry, binding, record, ready } = subject
  if (record.released === 'withdrawn') return { entry: { ...entry, stage: 'Failed' } }
  const finding = find(subject)
  const actual = (binding.spec.clusters ?? []).map(({ name, replicas = 0 }) => ({ name, replicas }))
  const now = totalReady(ready)
  const seen: PlannedWorkload = {
    ...entry, readyLowest: Math.min(entry.readyLowest ?? now, now),
    ...(finding.stage !== 'Triggered' && { actual, predictionError: predictionError(record.predicted, actual) }),
  }
  return conclude({ ...subject, entry: seen }, finding, snapshot)
}

function conclude(subject: Case, finding: Finding, snapshot: RunSnapshot): Assessment {
  const { entry, binding, record, ready } = subject
  const { stage, reason } = finding
  const stepFor = (act: RunAct | undefined, why = reason): Pick<Assessment, 'step'> =>
    act === undefined
      ? {}
      : {
          step: {
            act,
            reason: why,
            details: { workload: entry.workload, patch: patchFor(act, { binding, record }, snapshot) },
          },
        }
  if (stage === 'Done') {
    const done = { ...entry, stage, reason: reason.code, finishedAt: formatTime(snapshot.now) }
    return { entry: { ...done, message: doneMessage(done) } }
  }
  if (stage === 'Failed') return failed(entry, reason, stepFor(finding.act))
  const wait = waitOf(subject, finding, snapshot)
  if ('fault' in wait) return failed(entry, wait.fault, stepFor(wait.act ?? finding.act, wait.fault))
  const now = totalReady(ready)
  const why = now < record.floor ? belowBudget(now, record.floor) : reason
  const isNews = now < record.floor && entry.reason !== why.code
  return {
    entry: { ...entry, stage, reason: why.code, message: why.text }, dueInMs: wait.dueInMs, ...stepFor(finding.act),
    ...(isNews && { fault: why }),
  }
}

/** A fault that was known already is none again. */
function failed(entry: PlannedWorkload, reason: Reason, step: Pick<Assessment, 'step'> = {}): Assessment {
  const isNews = entry.stage !== 'Failed' || entry.reason !== reason.code
  return {
    entry: { ...entry, stage: 'Failed', reason: reason.code, message: reason.text },
    ...step,
    ...(isNews && { fault: reason }),
  }
}

/** Where it stands, stage by stage; the first that is not complete. */
function find({ binding, record, ready }: Case): Finding {
  const unserved = notServed(binding, record)
  if (unserved) return unserved
  const { spec, status } = binding
  const actual = spec.clusters ?? []
  const view = { before: record.before, actual, items: status?.aggregatedStatus ?? [], ready }
  const protects = isOpen(record) && !isProtected(binding, record) ? { act: 'protect' as const } : {}
  const unapplied = unappliedGains(view)
  if (unapplied) return { stage: 'Scheduled', reason: unapplied, ...protects }
  const unready = unreadyGains(view, record.floor)
  if (unready) return { stage: 'Applied', reason: unready, ...protects }
  if (isOpen(record))
    return {
      stage: 'Healthy',
      reason: because('Releasing', 'The new copies are ready; the old ones may go.'),
      act: 'release',
    }
  const rest = oldCopies(view, spec) ?? unsettled(view)
  return rest
    ? { stage: 'Healthy', reason: rest }
    : { stage: 'Done', reason: because('Done', 'Everything runs where it was put.') }
}

/**
 * Whether the scheduler has answered. No clock is asked: its last success has moved since the request, and it has seen
 * the version that the request made.
 */
function notServed({ metadata, spec, status = {} }: Binding, record: RunRecord): Finding | undefined {
  const { schedulerObservedGeneration: observed = 0, lastScheduledTime: scheduled } = status
  const isSeen = observed >= record.generation
  if (record.mode === 'restore') {
    return isSeen
      ? undefined
      : { stage: 'Triggered', reason: because('NotObserved', 'The scheduler has not seen the new distribution yet.') }
  }
  const condition = findCondition(status.conditions, 'Scheduled')
  if (condition?.status === 'False' && record.wasScheduled) {
    const kept = isUntouched(spec, record)
    return {
      stage: 'Failed',
      reason: because(condition.reason, condition.message),
      ...(kept && { act: 'withdraw' as const }),
    }
  }
  const hasMoved =
    scheduled !== undefined && parseTime(scheduled) > parseTime(record.lastScheduled ?? '1970-01-01T00:00:00Z')
  if (isConditionTrue(status.conditions, 'Scheduled') && isSeen && hasMoved) return undefined
  if (isSchedulingSuspended(spec))
    return {
      stage: 'Triggered',
      reason: because('Suspended', 'Its scheduling was paused; it is held until that ends.'),
    }
  return {
    stage: 'Triggered',
    reason: because('NotScheduled', `The scheduler has not answered yet (generation ${metadata.generation ?? 0}).`),
  }
}

/** Every copy is still where it was, so there is nothing to protect. */
function isUntouched({ clusters = [] }: Binding['spec'], { before }: RunRecord): boolean {
  return before.every(({ name }) => clusters.some((target) => target.name === name))
}

/** A wait that took too long is a fault; should it end well after all, the workload goes on. */
function waitOf(
  { entry, record, binding }: Case,
  { stage, reason }: Finding,
  snapshot: RunSnapshot,
): { dueInMs: number } | { fault: Reason; act?: RunAct } {
  const { scheduleSeconds = 120, settleSeconds = 600 } = snapshot.plan.spec.timeouts ?? {}
  const limit = stage === 'Triggered' ? scheduleSeconds : settleSeconds
  const since = snapshot.since.get(sinceKey(workloadKey(entry.workload), stage)) ?? snapshot.now
  const dueInMs = since + limit * 1000 - snapshot.now
  if (dueInMs > 0) return { dueInMs }
  if (stage !== 'Triggered')
    return { fault: because('NotHealthyInTime', `Not settled within ${limit} s. ${reason.text}`) }
  const withdraws = record.mode === 'trigger' && isUntouched(binding.spec, record)
  const fault = because('NeverScheduled', `Triggered, but not scheduled within ${limit} s. ${reason.text}`)
  return { fault, ...(withdraws && { act: 'withdraw' as const }) }
}

function patchFor(
  act: RunAct,
  { binding, record }: Pick<Case, 'binding' | 'record'>,
  { now }: RunSnapshot,
): Required<Assessment>['step']['details']['patch'] {
  if (act === 'protect') return { spec: withProtection(binding.spec, record, now) }
  const released = act === 'release' ? ('settled' as const) : ('withdrawn' as const)
  return {
    metadata: { annotations: { [RUN_ANNOTATION]: JSON.stringify({ ...record, released }) } },
    spec: {
      ...asPatch(withoutProtection(binding.spec, record)),
      ...(act === 'withdraw' && { rescheduleTriggeredAt: record.triggeredBefore ?? null }),
    },
  }
}

function doneMessage({ before, actual, predicted }: PlannedWorkload): string {
  const missed = predictionError(predicted ?? [], actual ?? [])
  return `${describe(before)} → ${describe(actual)}${missed > 0 ? `; ${counted(missed, 'replica')} elsewhere than foreseen` : ''}`
}
