/** Reconciles one template or one policy. */
import { claimOf, claimOn, isTemplateChange, type Policy, selects } from '@/lib/domain/propagation'
import { CLAIMED_BY_LABEL, CLUSTER_POLICY_FINALIZER, POLICY_FINALIZER } from '@/lib/kube/names'
import type { ObjectKey, UnknownObject } from '@/lib/kube/object'
import type { KeyQueue } from '@/server/runtime/controller'
import type { Kind } from '@/lib/kube/kind'
import { type Binding, bindingKinds } from '../shared/binding-kinds'
import { writeChanges } from '../shared/object-writes'
import type { TemplateKinds } from '../shared/template-kinds'
import { applyBinding, claimTemplate, type Found, withFailureEvents, unclaim } from './act'
import { templateKeyOf } from './keys'
import { bindingOf, claimedBy, claimingPolicy, matchingPolicy } from './observe'
import { preemptTemplates } from './preempt'
import { requireOverrides } from './policy-needs'
import type { InterpreterContext } from '../shared/interpreter'

/** State between reconciles. */
export interface DetectorMemory {
  /** Templates that no policy selects; reconciled again when a policy is created or changed. */
  waiting: Map<ObjectKey, Found>
  /** Templates that a user changed since their last successful reconcile; Lazy policies apply to these only. */
  changedByUser: Set<ObjectKey>
  /** Versions of templates from which their bindings were last built. */
  applied: Map<ObjectKey, UnknownObject>
  /** Deleted bindings whose template may still exist, by the key of the template. */
  lost: Map<ObjectKey, Binding>
  queue: KeyQueue
  /** The kinds that may be claimed. */
  kinds: TemplateKinds
  /** Whether policies may preempt each other. */
  preemption: boolean
  /** See `DetectorOptions`. */
  workloadAffinity: boolean
  componentScheduling: boolean
}

/**
 * Reconciles a template. The mark of a user's change is consumed, and restored if the reconcile fails; changes made
 * meanwhile set it again.
 */
export async function reconcileTemplate(
  context: InterpreterContext,
  memory: DetectorMemory,
  found: Found,
): Promise<void> {
  const key = templateKeyOf(found.kind, found.template)
  const isUserChange = memory.changedByUser.delete(key)
  try {
    await serveTemplate(context, memory, { ...found, isUserChange })
  } catch (error) {
    if (isUserChange) memory.changedByUser.add(key)
    throw error
  }
}

/** A template, and whether a user changed it since the last successful reconcile. */
type Pending = Found & { isUserChange: boolean }

/** 1. Ignore templates of other owners. 2. Find the policy. 3. Claim. 4. Update the binding. */
async function serveTemplate(context: InterpreterContext, memory: DetectorMemory, found: Pending): Promise<void> {
  const key = templateKeyOf(found.kind, found.template)
  if (found.template.metadata.labels?.[CLAIMED_BY_LABEL]) return void memory.waiting.delete(key)
  const claim = claimOn(found.template.metadata)
  if (claim) {
    const policy = await claimingPolicy(context, claim)
    if (!policy) return release(context, found)
    if (policy.metadata.deletionTimestamp || !selects(policy, found.template)) return
    return apply(context, memory, { found, policy })
  }
  const policy = matchingPolicy(context, found.template)
  if (!policy) return void memory.waiting.set(key, { kind: found.kind, template: found.template })
  await apply(context, memory, { found, policy })
}

async function apply(
  context: InterpreterContext,
  memory: DetectorMemory,
  { found, policy }: { found: Pending; policy: Policy },
): Promise<void> {
  const key = templateKeyOf(found.kind, found.template)
  await requireOverrides(context, policy)
  memory.waiting.delete(key)
  const template = await withFailureEvents(context, { found, policy }, () => claimTemplate(context, found, policy))
  if (policy.spec.activationPreference === 'Lazy' && !found.isUserChange) return
  const before = memory.applied.get(key)
  const isSettled = before !== undefined && !isTemplateChange(before, template)
  const { workloadAffinity, componentScheduling } = memory
  const lost = lostBindingOf(memory, template, key)
  const gates = { workloadAffinity, componentScheduling }
  await applyBinding(context, { kind: found.kind, template, isSettled, ...gates, lost }, policy)
  memory.applied.set(key, template)
  if (memory.lost.get(key) === lost) memory.lost.delete(key)
}

/** Returns the deleted binding of this template. A template that was deleted and created again does not inherit it. */
function lostBindingOf({ lost }: DetectorMemory, { metadata }: UnknownObject, key: ObjectKey): Binding | undefined {
  const binding = lost.get(key)
  return binding?.spec.resource.uid === metadata.uid ? binding : undefined
}

/** Removes the claim from the binding first, so that a template is never unclaimed while its binding is claimed. */
async function release(context: InterpreterContext, { kind, template }: Found): Promise<void> {
  const claim = claimOn(template.metadata)
  if (!claim) return
  const binding = bindingOf(context, template)
  if (binding.existing) await unclaim(context, binding.kind, { object: binding.existing, claim })
  await unclaim(context, kind, { object: template, claim })
}

/**
 * 1. Release templates that are no longer selected. 2. Reconcile claimed ones. 3. Reconcile unclaimed ones. 4. Preempt
 * other policies.
 */
export async function reconcilePolicy(
  context: InterpreterContext,
  memory: DetectorMemory,
  policy: Policy,
): Promise<void> {
  const claimed = claimedTemplates(context, memory.kinds, policy)
  for (const found of claimed) {
    if (selects(policy, found.template)) memory.queue.add(templateKeyOf(found.kind, found.template))
    else await release(context, found)
  }
  const waiting = [...memory.waiting].filter(
    ([, { template }]) => isInScope(policy, template) && selects(policy, template),
  )
  if (waiting.length > 0) await requireOverrides(context, policy)
  for (const [key] of waiting) memory.queue.add(key)
  if (memory.preemption && policy.spec.preemption === 'Always') await preemptTemplates(context, policy)
}

const OWN_FINALIZERS: ReadonlySet<string> = new Set([POLICY_FINALIZER, CLUSTER_POLICY_FINALIZER])

/** Removes the claims and then the policy's finalizer; bindings, Works and member objects stay. */
export async function finalizePolicy(
  context: InterpreterContext,
  { kinds }: DetectorMemory,
  { kind, policy }: { kind: Kind<Policy>; policy: Policy },
): Promise<void> {
  for (const found of claimedTemplates(context, kinds, policy)) await release(context, found)
  const claim = claimOf(policy)
  for (const bindingKind of bindingKinds) {
    for (const binding of claimedBy(context.informers.of(bindingKind), claim)) {
      await unclaim(context, bindingKind, { object: binding, claim })
    }
  }
  const finalizers = policy.metadata.finalizers?.filter((name) => !OWN_FINALIZERS.has(name))
  const to = { ...policy, metadata: { ...policy.metadata, finalizers } }
  await writeChanges(context.client, kind, { from: policy, to })
}

function isInScope(policy: Policy, template: UnknownObject): boolean {
  const { namespace } = policy.metadata
  return namespace === undefined || namespace === template.metadata.namespace
}

/** Returns every template with the policy's ID, regardless of its current selectors. */
function claimedTemplates({ informers }: InterpreterContext, kinds: TemplateKinds, policy: Policy): Found[] {
  const claim = claimOf(policy)
  return kinds.list().flatMap((kind) => claimedBy(informers.of(kind), claim).map((template) => ({ kind, template })))
}
