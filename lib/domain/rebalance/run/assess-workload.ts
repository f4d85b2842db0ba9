/** Assesses the stage of one workload of a plan, and its next step. */
import type { PlannedWorkload, PlanStage } from '@/lib/kube/kinds/rebalance-plan'
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import { message } from '@/lib/messages/message'
import { formatTime, parseTime } from '@/lib/std/clock'
import { because, type InEnglish } from '../../plan'
import { type Binding, isSchedulingSuspended } from '../../placement'
import { predictionError } from '../compare'
import { clustersInWords, isSameDistribution } from '../distribution'
import { type ReportedReadiness, reportedReadiness } from '../readiness'
import { workloadKey } from '../sync-status'
import { isProtected, withoutProtection, withProtection } from './protect'
import { heldGains, oldCopies, unappliedGains, unreadyGains, unsettled } from './observed'
import { assessReady, mostReady, type ReadyVerdict } from './ready'
import { isOpen, readRunRecord, RUN_ANNOTATION, type RunRecord } from './record'
import { type Assessment, type RunAction, type RunReason, type RunSnapshot, sinceKey } from './snapshot'
import { asPatch } from './start-workload'
import { isFinal } from './status'

/** The stage of a workload, before timeouts are applied. */
interface Finding {
  stage: PlanStage
  /** What is missing for the next stage. */
  reason: RunReason
  act?: RunAction
}

/** Assesses a workload that is not pending, or a pending one that turns out to be already triggered. */
export function assessWorkload(entry: PlannedWorkload, snapshot: RunSnapshot): Assessment {
  if (entry.stage === 'Skipped') return { entry }
  const binding = snapshot.bindings.get(workloadKey(entry.workload))
  const record = binding && readRunRecord(binding)
  const own = record?.uid === snapshot.plan.uid ? record : undefined
  if (entry.stage === 'Pending' && !own) return { entry }
  if (!binding || binding.metadata.deletionTimestamp) {
    return isOver(entry) ? { entry } : failed(entry, because(message('rebalance.progress.BindingGone')), snapshot)
  }
  const reported = reportedReadiness(binding, snapshot.clusters)
  // After the plan has ended, it is not responsible for the workload any more.
  if (entry.stage === 'Done')
    return isFinal(snapshot.plan.status.phase) ? { entry } : watchOver({ entry, binding, reported }, snapshot)
  if (!own)
    return entry.stage === 'Failed' ? { entry } : failed(entry, because(message('rebalance.run.TakenOver')), snapshot)
  return judge({ entry: adopt(entry, own), binding, record: own, reported }, snapshot)
}

/** If an earlier write of the status was lost, the entry is restored from the record. */
function adopt(entry: PlannedWorkload, { wave, at, before, predicted, floor }: RunRecord): PlannedWorkload {
  if (entry.stage !== 'Pending') return entry
  return { ...entry, stage: 'Triggered', wave, triggeredAt: at, before, predicted, readyFloor: floor }
}

function isOver({ stage }: PlannedWorkload): boolean {
  return stage === 'Done' || stage === 'Failed'
}

/** A finished workload must stay ready while others move. */
function watchOver(subject: Omit<Case, 'record'>, snapshot: RunSnapshot): Assessment {
  const { entry } = subject
  const verdict = assessReady({ ...subject, floor: entry.readyFloor ?? 0 }, snapshot)
  if (verdict.type === 'enough')
    return { entry: { ...entry, reason: 'Done', message: doneMessage(entry, snapshot.english) } }
  const { code: reason, text } = verdict.reason
  return { entry: { ...entry, reason, message: snapshot.english(text) }, ...consequenceOf(verdict, entry) }
}

/** A fault is reported once. */
function consequenceOf(
  verdict: ReadyVerdict,
  entry: PlannedWorkload,
): Pick<Assessment, 'fault' | 'dueInMs' | 'isUnknown'> {
  if (verdict.type === 'enough') return {}
  if (verdict.type === 'unknown') return { isUnknown: true, dueInMs: verdict.dueInMs }
  return entry.reason === verdict.reason.code ? {} : { fault: verdict.reason }
}

interface Case {
  entry: PlannedWorkload
  binding: Binding
  record: RunRecord
  reported: ReportedReadiness
}

function judge(subject: Case, snapshot: RunSnapshot): Assessment {
  const { entry, binding, record } = subject
  if (record.released === 'withdrawn') {
    // The status of the decision that withdrew it may not have been written: the fault is not reported yet then.
    return entry.stage === 'Failed' ? { entry } : failed(entry, because(message('rebalance.run.Withdrawn')), snapshot)
  }
  if (record.recalled !== undefined && isSameDistribution(record.before, binding.spec.clusters ?? [])) {
    return afterRecall(subject, record.recalled, snapshot)
  }
  const finding = find(subject)
  const actual = (binding.spec.clusters ?? []).map(({ name, replicas = 0 }) => ({ name, replicas }))
  const most = mostReady(subject)
  const seen: PlannedWorkload = {
    ...entry,
    readyLowest: Math.min(entry.readyLowest ?? most, most),
    ...(finding.stage !== 'Triggered' && { actual, predictionError: predictionError(record.predicted, actual) }),
  }
  return conclude({ ...subject, entry: seen }, finding, snapshot)
}

function conclude(subject: Case, finding: Finding, snapshot: RunSnapshot): Assessment {
  const { entry, binding, record } = subject
  const { stage, reason } = finding
  const stepFor = (act: RunAction | undefined, why = reason): Pick<Assessment, 'step'> =>
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
    return { entry: { ...done, message: doneMessage(done, snapshot.english) } }
  }
  if (stage === 'Failed') return failed(entry, reason, snapshot, stepFor(finding.act))
  const wait = waitOf(subject, finding, snapshot)
  if ('recall' in wait) return { ...recalling(entry, snapshot), ...stepFor('recall'), dueInMs: wait.recall }
  if ('fault' in wait) return failed(entry, wait.fault, snapshot, stepFor(finding.act, wait.fault))
  const verdict = assessReady({ ...subject, floor: record.floor }, snapshot)
  const why = verdict.type === 'enough' ? reason : verdict.reason
  const { dueInMs = Infinity, ...consequence } = consequenceOf(verdict, entry)
  return {
    entry: { ...entry, stage, reason: why.code, message: snapshot.english(why.text) },
    dueInMs: Math.min(wait.dueInMs, dueInMs),
    ...stepFor(finding.act),
    ...consequence,
  }
}

/** A fault is reported once. */
function failed(
  entry: PlannedWorkload,
  reason: RunReason,
  { english }: RunSnapshot,
  step: Pick<Assessment, 'step'> = {},
): Assessment {
  const isNews = entry.stage !== 'Failed' || entry.reason !== reason.code
  return {
    entry: { ...entry, stage: 'Failed', reason: reason.code, message: english(reason.text) },
    ...step,
    ...(isNews && { fault: reason }),
  }
}

/** Returns the first stage that is not complete. */
function find({ binding, record, reported }: Case): Finding {
  const unserved = notServed(binding, record)
  if (unserved) return unserved
  const { spec, status } = binding
  const actual = spec.clusters ?? []
  const view = { before: record.before, actual, items: status?.aggregatedStatus ?? [], ...reported }
  const yielding = isOpen(record) ? heldGains(view, record.hold) : []
  if (yielding.length > 0) {
    const reason = because(message('rebalance.run.NotApplied', { clusters: yielding }))
    return { stage: 'Scheduled', reason, act: 'yield' }
  }
  const protects = isOpen(record) && !isProtected(binding, record) ? { act: 'protect' as const } : {}
  const unapplied = unappliedGains(view)
  if (unapplied) return { stage: 'Scheduled', reason: unapplied, ...protects }
  const unready = unreadyGains(view, record.floor)
  if (unready) return { stage: 'Applied', reason: unready, ...protects }
  if (isOpen(record)) return { stage: 'Healthy', reason: because(message('rebalance.run.Releasing')), act: 'release' }
  const rest = oldCopies(view, spec) ?? unsettled(view)
  return rest
    ? { stage: 'Healthy', reason: rest }
    : { stage: 'Done', reason: because(message('rebalance.run.AllReady')) }
}

/**
 * Returns a finding unless the scheduler has processed the request. This does not depend on clocks: its last success
 * changed since the request, and it has observed the generation of the request.
 */
function notServed({ metadata, spec, status = {} }: Binding, record: RunRecord): Finding | undefined {
  const { schedulerObservedGeneration: observed = 0, lastScheduledTime: scheduled } = status
  const isSeen = observed >= record.generation
  if (record.mode === 'restore') {
    return isSeen ? undefined : { stage: 'Triggered', reason: because(message('rebalance.run.NotObserved')) }
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
  if (isSchedulingSuspended(spec)) return { stage: 'Triggered', reason: because(message('rebalance.run.Suspended')) }
  return {
    stage: 'Triggered',
    reason: because(message('rebalance.run.NotScheduled', { generation: String(metadata.generation ?? 0) })),
  }
}

/** Reports whether every replica is still in its old cluster, so that none needs protection. */
function isUntouched({ clusters = [] }: Binding['spec'], { before }: RunRecord): boolean {
  return before.every(({ name }) => clusters.some((target) => target.name === name))
}

/** A stage that times out is a fault; a workload that becomes healthy later continues. */
function waitOf(
  { entry, record, binding }: Case,
  { stage, reason }: Finding,
  snapshot: RunSnapshot,
): { dueInMs: number } | { fault: RunReason } | { recall: number } {
  const limitMs = limitOf(stage, snapshot)
  const dueInMs = startOf(entry, stage, snapshot) + limitMs - snapshot.now
  if (dueInMs > 0) return { dueInMs }
  const args = { limit: { ms: limitMs }, reason: reason.text }
  if (stage !== 'Triggered') return { fault: because(message('rebalance.run.NotHealthyInTime', args)) }
  if (record.mode === 'trigger' && isUntouched(binding.spec, record)) return { recall: limitMs }
  return { fault: because(message('rebalance.run.NeverScheduled', args)) }
}

function limitOf(stage: PlanStage, { plan }: RunSnapshot): number {
  const { scheduleSeconds = 120, settleSeconds = 600 } = plan.spec.timeouts ?? {}
  return (stage === 'Triggered' ? scheduleSeconds : settleSeconds) * 1000
}

/**
 * Returns the start of the timeout. The scheduler works through its requests one by one: as long as others of the wave,
 * or that came before, go on, it is busy and not absent.
 */
function startOf({ workload }: PlannedWorkload, stage: PlanStage, { since, now, progressAt = 0 }: RunSnapshot): number {
  const own = since.get(sinceKey(workloadKey(workload), stage)) ?? now
  return stage === 'Triggered' ? Math.max(own, progressAt) : own
}

function recalling(entry: PlannedWorkload, { english }: RunSnapshot): Pick<Assessment, 'entry'> {
  const { code: reason, text } = because(message('rebalance.run.Recalled'))
  return { entry: { ...entry, stage: 'Triggered', reason, message: english(text) } }
}

/** Waits until the scheduler knows that the request is gone, but not for one that is away. */
function afterRecall(subject: Case, recalled: number, snapshot: RunSnapshot): Assessment {
  const { entry, binding, record } = subject
  const limitMs = limitOf('Triggered', snapshot)
  const dueInMs = startOf(entry, entry.stage, snapshot) + 2 * limitMs - snapshot.now
  const isObserved = (binding.status?.schedulerObservedGeneration ?? 0) >= recalled
  if (!isObserved && dueInMs > 0) return { ...recalling(entry, snapshot), dueInMs }
  const missing = notServed(binding, record)?.reason.text ?? message('rebalance.progress.NotScheduled')
  const reason = because(message('rebalance.run.NeverScheduled', { limit: { ms: limitMs }, reason: missing }))
  const patch = patchFor('withdraw', { binding, record }, snapshot)
  return failed(entry, reason, snapshot, {
    step: { act: 'withdraw', reason, details: { workload: entry.workload, patch } },
  })
}

function patchFor(
  act: RunAction,
  { binding, record }: Pick<Case, 'binding' | 'record'>,
  snapshot: RunSnapshot,
): Required<Assessment>['step']['details']['patch'] {
  if (act === 'protect') return { spec: withProtection(binding.spec, record, snapshot) }
  if (act === 'yield') {
    const yielding = heldGains({ before: record.before, actual: binding.spec.clusters ?? [] }, record.hold)
    const hold = record.hold.filter((name) => !yielding.includes(name))
    return {
      metadata: { annotations: { [RUN_ANNOTATION]: JSON.stringify({ ...record, hold }) } },
      spec: { ...asPatch(withoutProtection(binding.spec, { hold: yielding, keep: [] })) },
    }
  }
  if (act === 'recall') {
    const recalled = (binding.metadata.generation ?? 0) + 1
    return {
      metadata: { annotations: { [RUN_ANNOTATION]: JSON.stringify({ ...record, recalled }) } },
      spec: { rescheduleTriggeredAt: record.triggeredBefore ?? null },
    }
  }
  const released = act === 'release' ? ('settled' as const) : ('withdrawn' as const)
  return {
    metadata: { annotations: { [RUN_ANNOTATION]: JSON.stringify({ ...record, released }) } },
    spec: {
      ...asPatch(withoutProtection(binding.spec, record)),
      ...(act === 'withdraw' && { rescheduleTriggeredAt: record.triggeredBefore ?? null }),
    },
  }
}

/** Returns the text of a finished workload. */
function doneMessage({ before, actual, predicted }: PlannedWorkload, english: InEnglish): string {
  const missed = predictionError(predicted ?? [], actual ?? [])
  return english(
    message('rebalance.run.Done', { before: clustersInWords(before), after: clustersInWords(actual), missed }),
  )
}
