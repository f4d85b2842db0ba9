/** Preempts templates for a policy with `preemption: Always`. */
import { claimOf, claimOn, isClaimedBy, mayPreempt, type Policy } from '@/lib/domain/propagation'
import { isConflict, isNotFound } from '@/lib/kube/errors'
import type { ResourceSelector } from '@/lib/kube/kinds'
import { keyOf } from '@/lib/kube/object'
import type { InterpreterContext } from '../shared/interpreter'
import { referenceTo } from '../shared/binding-kinds'
import { findTemplateKind } from '../shared/template-kinds'
import { type Found, takeOver } from './act'
import { claimingPolicy } from './observe'
import { preemptionEvents } from './reasons'

/** Takes over every template that the policy selects by name and that a policy of lower precedence claims. */
export async function preemptTemplates(context: InterpreterContext, policy: Policy): Promise<void> {
  for (const selector of policy.spec.resourceSelectors) {
    const found = named(context, policy, selector)
    if (found) await preempt(context, policy, found)
  }
}

/** Returns the template with that name, unless it does not exist, is being deleted, or is unclaimed. */
function named(context: InterpreterContext, policy: Policy, selector: ResourceSelector): Found | undefined {
  const { apiVersion, kind: kindName, name, namespace = policy.metadata.namespace } = selector
  const kind = findTemplateKind(context, apiVersion, kindName)
  if (!kind || !name) return undefined
  const place = kind.scope === 'Namespaced' && namespace !== undefined ? { namespace, name } : { name }
  const template = context.informers.of(kind).get(keyOf(place))
  return template && !template.metadata.deletionTimestamp ? { kind, template } : undefined
}

async function preempt(context: InterpreterContext, policy: Policy, found: Found): Promise<void> {
  const claim = claimOn(found.template.metadata)
  if (!claim || isClaimedBy(found.template.metadata, claimOf(policy))) return
  const holder = await claimingPolicy(context, claim)
  if (!holder || !mayPreempt(policy, holder)) return
  const notify = preemptionEvents(context.events, referenceTo(found.kind, found.template))
  try {
    await takeOver(context, found, policy)
    notify.preempted(policy, holder)
  } catch (error) {
    if (isNotFound(error)) return
    if (!isConflict(error)) notify.failed(policy, holder, error)
    throw error
  }
}
