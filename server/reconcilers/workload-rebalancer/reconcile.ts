/** Reconciles one WorkloadRebalancer. */
import {
  assessTrigger,
  decideExpiry,
  finishPass,
  hasRoomForResults,
  isFinished,
  isPending,
  type ObservedWorkload,
  recordOutcome,
  syncStatus,
} from '@/lib/domain/rebalance'
import { isSchedulingSuspended } from '@/lib/domain/placement'
import { isNotFound } from '@/lib/kube/errors'
import { workloadRebalancer, type WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import { mapBounded } from '@/server/runtime/bounded'
import type { TokenBucket } from '@/server/runtime/rate-limit'
import { type Binding, referenceTo } from '../shared/binding-kinds'
import { deleteExpired, triggerBinding, writeStatus } from './act'
import { findBinding, findNamedBinding } from './observe'
import { heldWhileSuspended, needsRetry, tooLarge } from './reasons'
import { assessLastingTrigger, type LastingVerdict } from './trigger-target'

export interface PassOptions {
  lastingTriggers: boolean
  concurrency: number
  rate: TokenBucket
}

/** Shared by all targets of one reconcile. */
interface Pass {
  context: ReconcilerContext
  rebalancer: WorkloadRebalancer
  options: PassOptions
}

/**
 * 1. Refuse what could not be reported. 2. Trigger targets without a result. 3. Report. 4. Retry failures. 5. Delete
 * after the TTL.
 */
export async function reconcileRebalancer(
  context: ReconcilerContext,
  name: string,
  options: PassOptions,
): Promise<ReconcileResult> {
  const rebalancer = context.informers.of(workloadRebalancer).get(name)
  if (!rebalancer || rebalancer.metadata.deletionTimestamp) return
  const synced = syncStatus(rebalancer)
  if (!hasRoomForResults(rebalancer, synced)) {
    context.events.record({ ...tooLarge(rebalancer), regarding: referenceTo(workloadRebalancer, rebalancer) })
    return
  }
  const pass = { context, rebalancer, options }
  const targets = await mapBounded(synced.observedWorkloads ?? [], options.concurrency, (observed) =>
    triggerTarget(pass, observed),
  )
  const retries = targets.filter(({ retry }) => retry).length
  const waits = targets.flatMap(({ waitMs }) => waitMs ?? [])
  const after = { ...synced, observedWorkloads: targets.map(({ observed }) => observed) }
  const status = finishPass({
    before: rebalancer.status,
    after,
    retries: retries + waits.length,
    now: context.clock.now(),
  })
  const reported = status ? await writeStatus(context, rebalancer, status) : rebalancer
  if (retries > 0) throw new Error(needsRetry(retries))
  return waits.length > 0 ? { requeueAfterMs: Math.min(...waits) } : expire(context, reported)
}

interface TargetResult {
  observed: ObservedWorkload
  retry: boolean
  /** Too early: the trigger would be in the future. */
  waitMs?: number
}

async function triggerTarget(
  { context, rebalancer, options }: Pass,
  observed: ObservedWorkload,
): Promise<TargetResult> {
  if (!isPending(observed)) return { observed, retry: false }
  await turn(context, options.rate)
  const { creationTimestamp, uid } = rebalancer.metadata
  const decide = (binding: Binding | undefined): LastingVerdict =>
    options.lastingTriggers
      ? assessLastingTrigger({ observed, binding, rebalancer: { creationTimestamp, uid }, now: context.clock.now() })
      : assessTrigger(observed, binding, creationTimestamp)
  try {
    const find = options.lastingTriggers ? findNamedBinding : findBinding
    const found = await find(context, observed.workload)
    const outcome = await triggerBinding(context, found, { decide, notedAs: options.lastingTriggers ? uid : undefined })
    if (typeof outcome === 'object') return { observed, retry: false, waitMs: outcome.waitMs }
    if (outcome === 'triggered' && found.binding) emitHeld(context, rebalancer, found.binding)
    return { observed: recordOutcome(observed, outcome), retry: outcome === 'retry' }
  } catch (error) {
    context.log.warn({ workload: observed.workload, cause: String(error) }, 'failed to read the binding of a target')
    return { observed, retry: true }
  }
}

/** The status can only say "Successful" for a suspended target, so an event reports the suspension. */
function emitHeld({ events }: ReconcilerContext, rebalancer: WorkloadRebalancer, binding: Binding): void {
  if (!isSchedulingSuspended(binding.spec)) return
  events.record({ ...heldWhileSuspended(binding.metadata), regarding: referenceTo(workloadRebalancer, rebalancer) })
}

/** Waits until the rate limit permits a write. */
async function turn({ clock }: ReconcilerContext, rate: TokenBucket): Promise<void> {
  const waitMs = rate.reserveMs()
  if (waitMs <= 0) return
  await new Promise<void>((resolve) => {
    clock.after(waitMs, resolve)
  })
}

/** Decides from the reported object; reads the server again before the deletion. */
async function expire(context: ReconcilerContext, reported: WorkloadRebalancer): Promise<ReconcileResult> {
  const verdict = expiryOf(reported, context.clock.now())
  if (verdict.act === 'wait') return { requeueAfterMs: verdict.remainingMs }
  if (verdict.act !== 'delete') return
  const latest = await readRebalancer(context, reported.metadata.name)
  if (!latest || latest.metadata.uid !== reported.metadata.uid || latest.metadata.deletionTimestamp) return
  const confirmed = expiryOf(latest, context.clock.now())
  if (confirmed.act === 'wait') return { requeueAfterMs: confirmed.remainingMs }
  if (confirmed.act === 'delete') await deleteExpired(context, latest)
}

/** A rebalancer whose current spec was not processed yet is kept; its change triggers another reconcile. */
function expiryOf({ metadata, spec, status }: WorkloadRebalancer, now: number): ReturnType<typeof decideExpiry> {
  if (!isFinished(status, metadata.generation)) return { act: 'keep' }
  return decideExpiry(spec.ttlSecondsAfterFinished, status?.finishTime, now)
}

async function readRebalancer(context: ReconcilerContext, name: string): Promise<WorkloadRebalancer | undefined> {
  try {
    return await context.client.get(workloadRebalancer, { name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
