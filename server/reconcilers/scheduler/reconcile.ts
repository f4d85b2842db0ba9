/** One pass over one binding of either kind. */
import {
  concludeScheduling, decideReschedule, scheduleBinding, type SchedulerProfile, snapshotOf, warning,
} from '@/lib/domain/placement'
import { isNotFound, KubeError } from '@/lib/kube/errors'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import type { ObjectKey } from '@/lib/kube/object'
import { type ReconcileResult, type ReconcilerContext, TerminalError } from '@/server/runtime/controller'
import type { Binding } from '../binding-kinds'
import { recordEvents, writePlacement, writeStatus } from './act'
import { observe, type SchedulingSnapshot } from './observe'
import { NAMESPACE_TERMINATING } from './reasons'
import { isReportMissing, isSettled, withServedTrigger } from './status'

export interface SchedulerOptions {
  /** Departures from upstream in the decisions themselves; see `lib/domain/placement`. */
  profile?: Partial<SchedulerProfile>
  /** Bindings scheduled at the same time. Default 16; decisions read the reported state only. */
  concurrency?: number
  /** Look at waiting bindings as soon as a cluster changes its capacity, taints, labels or kinds. Default true. */
  wakeOnCapacity?: boolean
  /** Look at unschedulable bindings again after this anyway. Default 5 minutes, as upstream. */
  unschedulableRetryMs?: number
}

export type SchedulerSettings = SchedulerOptions & { profile: SchedulerProfile }

const UNSCHEDULABLE_RETRY_MS = 5 * 60_000

/** 1. Is anything to be done? 2. Decide. 3. Write the result. 4. Report. 5. Say when to look again. */
export async function reconcileBinding(
  context: ReconcilerContext, key: ObjectKey, settings: SchedulerSettings,
): Promise<ReconcileResult> {
  const snapshot = observe(context.informers, key)
  if (!snapshot) return
  const { binding } = snapshot
  const decision = decideReschedule(binding, snapshotOf(snapshot.clusters), settings.profile)
  if (decision.act === 'hold') return
  if (decision.act === 'refuse') throw new TerminalError(decision.message)
  if (decision.act === 'skip') return recordEvents(context, binding, [warning(decision.message)])
  if (decision.act === 'leave' && !isReportMissing(binding, decision)) {
    return observeGeneration(context, binding, decision.observe)
  }
  try {
    return await schedule(context, snapshot, settings)
  } catch (error) {
    if (isNotFound(error) || isTerminating(error)) return
    throw error
  }
}

async function schedule(
  context: ReconcilerContext, { binding, clusters }: SchedulingSnapshot, settings: SchedulerSettings,
): Promise<ReconcileResult> {
  const { profile } = settings
  const verdict = scheduleBinding({ binding, clusters, profile })
  if (isSettled(binding, verdict)) return
  const written = await writePlacement(context, binding, verdict.patch)
  const now = context.clock.now()
  const { refusal } = written
  const conclude = (current: Binding) => concludeScheduling({ binding: current, verdict, now, profile, refusal })
  const conclusion = conclude(written.binding)
  const reported = await writeStatus(context, written.binding, (current) => reportOf(current, conclude(current).status))
  // What the status says already, word for word, is not told again.
  if (reported || verdict.patch) recordEvents(context, written.binding, conclusion.events)
  if (refusal) throw written.cause
  const { unschedulableRetryMs = UNSCHEDULABLE_RETRY_MS } = settings
  if (conclusion.queue === 'unschedulable') return { requeueAfterMs: unschedulableRetryMs }
  if (conclusion.queue === 'backoff') throw new Error(conclusion.error)
}

function reportOf(binding: Binding, concluded: BindingStatus | undefined): BindingStatus | undefined {
  return concluded && withServedTrigger(binding, concluded)
}

/** Nothing to schedule; the status only has to say that this generation was looked at. */
async function observeGeneration(
  context: ReconcilerContext, binding: Binding, generation: number | undefined,
): Promise<void> {
  if (generation === undefined) return
  const observed = { schedulerObservedGeneration: generation }
  await writeStatus(context, binding, ({ status }) =>
    status?.schedulerObservedGeneration === generation ? undefined : { ...status, ...observed })
}

/** In a namespace that is being deleted there is nothing to schedule any more. */
function isTerminating(error: unknown): boolean {
  const causes = error instanceof KubeError ? error.status.details?.causes : undefined
  return causes?.some(({ reason }) => reason === NAMESPACE_TERMINATING) === true
}
