/** Reconciles one binding of either kind. */
import { type AssumedIn, type Estimator, generalEstimator, quotaEstimator, type QuotasOf } from '@/lib/domain/estimate'
import {
  concludeScheduling,
  decideReschedule,
  nextReturn,
  scheduleBinding,
  snapshotOf,
  suspensionConditions,
  warning,
} from '@/lib/domain/placement'
import { isNotFound, KubeError } from '@/lib/kube/errors'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import type { ObjectKey } from '@/lib/kube/object'
import { english } from '@/lib/messages/english'
import { type ReconcileResult, type ReconcilerContext, TerminalError } from '@/server/runtime/controller'
import type { Binding } from '../shared/binding-kinds'
import { recordEvents, writePlacement, writeStatus } from './act'
import type { Assumptions } from './assumptions'
import type { GroupMembers } from './group-members'
import { observe, type SchedulingSnapshot } from './observe'
import { NAMESPACE_TERMINATING } from './reasons'
import type { SchedulerSettings } from './settings'
import { isReportMissing, isSettled, withServedTrigger } from './status'

/** Shared by all reconciles of one scheduler. */
export interface Scheduling extends SchedulerSettings {
  /** Present with workload affinity. */
  members?: GroupMembers
  /** Present with overcommit protection. */
  assumptions?: Assumptions
  /** Present where the quotas of members count. */
  quotasOf?: QuotasOf
}

/** 1. Check the suspension. 2. Check whether to schedule. 3. Decide. 4. Write the result. 5. Report. 6. Requeue. */
export async function reconcileBinding(
  context: ReconcilerContext,
  key: ObjectKey,
  settings: Scheduling,
): Promise<ReconcileResult> {
  const snapshot = observe(context.informers, key)
  if (!snapshot) return
  try {
    const binding = settings.publishSuspension ? await publishSuspension(context, snapshot.binding) : snapshot.binding
    const result = await passOver(context, { ...snapshot, binding }, settings)
    return byNextReturn(context, binding, settings, result)
  } catch (error) {
    if (isNotFound(error) || isTerminating(error)) return
    throw error
  }
}

/** Requeues at the latest when the block of a predecessor cluster ends. */
function byNextReturn(
  { clock }: ReconcilerContext,
  binding: Binding,
  { profile }: Scheduling,
  result: ReconcileResult,
): ReconcileResult {
  const now = clock.now()
  const returnsAt = nextReturn(binding, profile, now)
  if (returnsAt === undefined) return result
  return { requeueAfterMs: Math.min(returnsAt - now, result?.requeueAfterMs ?? Infinity) }
}

/** Writes the suspension condition and returns the binding, including a suspension that was set meanwhile. */
async function publishSuspension(context: ReconcilerContext, binding: Binding): Promise<Binding> {
  if (binding.metadata.deletionTimestamp) return binding
  const now = context.clock.now()
  const written = await writeStatus(context, binding, (current) => {
    const conditions = suspensionConditions(current, now, english.of)
    return conditions && { ...current.status, conditions }
  })
  return written ?? binding
}

async function passOver(
  context: ReconcilerContext,
  snapshot: SchedulingSnapshot,
  settings: Scheduling,
): Promise<ReconcileResult> {
  const { binding } = snapshot
  const decision = decideReschedule(binding, snapshotOf(snapshot.clusters), settings.profile)
  if (decision.act === 'hold') return
  if (decision.act === 'refuse') throw new TerminalError(decision.message)
  if (decision.act === 'skip') return recordEvents(context, binding, [warning(decision.message)])
  if (decision.act === 'leave' && !isReportMissing(binding, decision)) {
    return observeGeneration(context, binding, decision.observe)
  }
  return schedule(context, snapshot, settings)
}

async function schedule(
  context: ReconcilerContext,
  { binding, clusters }: SchedulingSnapshot,
  settings: Scheduling,
): Promise<ReconcileResult> {
  const { profile, members } = settings
  const verdict = scheduleBinding({
    binding,
    clusters,
    profile,
    now: context.clock.now(),
    ...(members && { groupMembers: members.of(binding) }),
    estimators: estimatorsOf(settings),
  })
  if (settings.leaveSettled && isSettled(binding, verdict)) return
  const written = await writePlacement(context, binding, verdict.patch)
  members?.remember(written.binding)
  if (verdict.patch && !written.refusal) settings.assumptions?.record(written.binding, verdict.patch.clusters)
  const now = context.clock.now()
  const { refusal } = written
  const conclude = (current: Binding) =>
    concludeScheduling({ binding: current, verdict, now, profile, refusal, english: english.of })
  const conclusion = conclude(written.binding)
  const report = (current: Binding) => {
    const status = reportOf(current, conclude(current).status, settings)
    return settings.countOwnWrite ? status : seenUpTo(binding, status)
  }
  const reported = await writeStatus(context, written.binding, report)
  if (reported || verdict.patch || !settings.emitOnce) recordEvents(context, written.binding, conclusion.events)
  if (refusal) throw written.cause
  if (conclusion.queue === 'unschedulable') return { requeueAfterMs: settings.unschedulableRetryMs }
  if (conclusion.queue === 'backoff') throw new Error(conclusion.error)
}

function estimatorsOf({ profile: { resourceModels }, assumptions, quotasOf }: Scheduling): Estimator[] {
  const assumedIn: AssumedIn | undefined = assumptions && ((cluster) => assumptions.in(cluster))
  return [
    generalEstimator({ resourceModels, ...(assumedIn && { assumedIn }) }),
    ...(quotasOf ? [quotaEstimator(quotasOf, assumedIn)] : []),
  ]
}

function reportOf(
  binding: Binding,
  concluded: BindingStatus | undefined,
  { forwardTimes }: SchedulerSettings,
): BindingStatus | undefined {
  return concluded && forwardTimes ? withServedTrigger(binding, concluded) : concluded
}

/** Limits the reported generation to that of the binding before its result was written. */
function seenUpTo(
  { metadata: { generation = 0 } }: Binding,
  status: BindingStatus | undefined,
): BindingStatus | undefined {
  const reported = status?.schedulerObservedGeneration
  return reported === undefined ? status : { ...status, schedulerObservedGeneration: Math.min(reported, generation) }
}

/** Nothing to schedule; only the observed generation is written. */
async function observeGeneration(
  context: ReconcilerContext,
  binding: Binding,
  generation: number | undefined,
): Promise<void> {
  if (generation === undefined) return
  const observed = { schedulerObservedGeneration: generation }
  await writeStatus(context, binding, ({ status }) =>
    status?.schedulerObservedGeneration === generation ? undefined : { ...status, ...observed },
  )
}

/** Reports whether the namespace is being deleted, so that nothing is scheduled there any more. */
function isTerminating(error: unknown): boolean {
  const causes = error instanceof KubeError ? error.status.details?.causes : undefined
  return causes?.some(({ reason }) => reason === NAMESPACE_TERMINATING) === true
}
