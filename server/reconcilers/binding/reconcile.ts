/** Reconciles one binding. */
import type { OverridePolicyLike } from '@/lib/domain/override'
import { bindingIdOf, divideCompletions, isWorkload, targetClusters } from '@/lib/domain/propagation'
import type { Work } from '@/lib/kube/kinds/work'
import type { ObjectKey, UnknownObject } from '@/lib/kube/object'
import type { EpochMs } from '@/lib/std/clock'
import type { ReconcileResult } from '@/server/runtime/controller'
import { type Binding, findBinding } from '../shared/binding-kinds'
import { worksOf } from '../shared/binding-works'
import type { CompatibilityProfile } from '../shared/compatibility'
import { messagesOf } from '../shared/failures'
import type { InterpreterContext } from '../shared/interpreter'
import { overridePoliciesOf, overridesOn, readTemplate, withOverrideEvents } from '../shared/template-kinds'
import { deleteWorks, ensureWork, removeFinalizer, type DesiredWork } from './act'
import { type BindingSnapshot, isRunningEverywhere, observeBinding } from './observe'
import { emitCleanupFailed, emitSynced, emitSyncFailed } from './reasons'

/** Requeue delay while a directly purged Work is being deleted. */
const PURGE_POLL_MS = 5_000
/** Requeue delay while orphans are kept, in addition to changes of Works. */
const ORPHAN_POLL_MS = 1_000

export interface BindingPassOptions extends Readonly<CompatibilityProfile['binding']> {
  /** See `BindingOptions`. */
  removeOrphansAfterApplied: { timeoutMs: number } | undefined
  /** Since when orphans of a binding have been kept. */
  keptSince: Map<ObjectKey, EpochMs>
}

/**
 * 1. If deleted: delete the Works. 2. Remove orphans. 3. Wait for direct purges. 4. Write one Work per target. 5.
 * Record events.
 */
export async function reconcileBinding(
  context: InterpreterContext,
  key: ObjectKey,
  options: BindingPassOptions,
): Promise<ReconcileResult> {
  const binding = findBinding(context.informers, key)
  if (!binding) return void options.keptSince.delete(key)
  if (binding.metadata.deletionTimestamp) return finalize(context, binding)
  if (bindingIdOf(binding) === undefined) throw new Error(`${key} was not admitted: it has no permanent id`)
  const snapshot = observeBinding(context.informers, binding)
  const kept = keepsOrphans(context, { key, snapshot, options })
  if (!kept) await removeOrphans(context, snapshot)
  if (snapshot.purging.length > 0) return { requeueAfterMs: PURGE_POLL_MS }
  const template = await readTemplate(context, binding)
  if (template) await ensureWorks(context, snapshot, { template, ...options })
  if (kept) return { requeueAfterMs: ORPHAN_POLL_MS }
}

async function finalize({ client, informers }: InterpreterContext, binding: Binding): Promise<void> {
  await deleteWorks(client, worksOf(informers, binding))
  await removeFinalizer(client, binding)
}

async function removeOrphans(
  { client, events }: InterpreterContext,
  { binding, orphans }: BindingSnapshot,
): Promise<void> {
  try {
    await deleteWorks(client, orphans)
  } catch (error) {
    emitCleanupFailed(events, binding, error)
    throw error
  }
}

/** With make before break, old replicas stay until the new ones run or the timeout ends. */
function keepsOrphans(
  { clock }: InterpreterContext,
  { key, snapshot, options }: { key: ObjectKey; snapshot: BindingSnapshot; options: BindingPassOptions },
): boolean {
  const { removeOrphansAfterApplied: makeBeforeBreak, keptSince } = options
  if (!makeBeforeBreak || snapshot.orphans.length === 0 || isRunningEverywhere(snapshot)) {
    keptSince.delete(key)
    return false
  }
  const since = keptSince.get(key) ?? clock.now()
  keptSince.set(key, since)
  return clock.now() - since < makeBeforeBreak.timeoutMs
}

/** A failure in one cluster does not prevent the Works of the others. */
async function ensureWorks(
  context: InterpreterContext,
  { binding, works }: BindingSnapshot,
  { template, recordEveryPass }: { template: UnknownObject; recordEveryPass: boolean },
): Promise<void> {
  const { events, informers } = context
  const targets = targetClusters(binding.spec)
  const completions = divideCompletions(binding, template, targets)
  const policies = overridePoliciesOf(informers, template)
  const results = await Promise.allSettled(
    targets.map((target) => {
      const desired = { binding, template, target, completions: completions?.get(target.name) }
      return ensureTarget(context, { desired, policies, existing: works.get(target.name) })
    }),
  )
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (errors.length > 0) {
    const error = errors.length === 1 ? errors[0] : new AggregateError(errors, messagesOf(errors))
    emitSyncFailed(events, binding, error)
    throw error
  }
  const written = results.some((result) => result.status === 'fulfilled' && result.value)
  if (written || recordEveryPass) emitSynced(events, binding)
}

interface Target {
  desired: DesiredWork
  policies: readonly OverridePolicyLike[]
  existing: Work | undefined
}

async function ensureTarget(
  context: InterpreterContext,
  { desired: plain, policies, existing }: Target,
): Promise<boolean> {
  const { client, events, informers } = context
  const desired = await withScriptedShare(context, plain)
  const overrides = overridesOn(informers, policies, desired.target.name)
  const regarding = desired.binding.spec.resource
  return withOverrideEvents(events, { regarding, overrides }, () =>
    ensureWork(client, { ...desired, overrides }, existing),
  )
}

/** Returns the wish with the replicas set by a script, for kinds whose replicas only a script can set. */
async function withScriptedShare(context: InterpreterContext, desired: DesiredWork): Promise<DesiredWork> {
  const revised = isWorkload(desired.binding.spec)
    ? await context.interpreter.revise(desired.template, desired.target.replicas ?? 0)
    : undefined
  return revised ? { ...desired, revised } : desired
}
