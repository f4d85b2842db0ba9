import {
  type ApplicationRule,
  applicationRuleOf,
  exemptionOf,
  type HealthRecord,
  readRecord,
} from '@/lib/domain/failover'
import { clusterPropagationPolicy, propagationPolicy } from '@/lib/kube/kinds'
import { CLUSTER_POLICY_NAME_ANNOTATION, POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION } from '@/lib/kube/names'
import { keyOf, type ObjectKey, type ObjectRef } from '@/lib/kube/object'
import type { Informers } from '@/server/kube/informer'
import { type Binding, findBinding } from '../shared/binding-kinds'
import type { InterpreterContext } from '../shared/interpreter'

/** A binding to assess, with its rule and its health record. */
export interface FailoverSnapshot {
  binding: Binding
  rule: ApplicationRule
  record: HealthRecord
}

/**
 * Returns undefined if the binding does not exist, is being deleted, or is not assessed. The record in memory takes
 * precedence over the stored one.
 */
export function observe(
  context: InterpreterContext,
  key: ObjectKey,
  remembered: HealthRecord | undefined,
): FailoverSnapshot | undefined {
  const binding = findBinding(context.informers, key)
  if (!binding || binding.metadata.deletionTimestamp) return undefined
  const rule = applicationRuleOf(binding, policyOf(context.informers, binding))
  if (!rule || exemptionOf(binding, context.interpreter.hasHealthRule(binding.spec.resource))) return undefined
  return { binding, rule, record: remembered ?? readRecord(binding) }
}

/** Returns the policy that created a binding, from its annotations. */
export function policyRefOf({ metadata: { annotations = {} } }: Binding): ObjectRef | undefined {
  const namespace = annotations[POLICY_NAMESPACE_ANNOTATION]
  const name = annotations[POLICY_NAME_ANNOTATION]
  if (namespace !== undefined && name !== undefined) return { namespace, name }
  const clusterName = annotations[CLUSTER_POLICY_NAME_ANNOTATION]
  return clusterName === undefined ? undefined : { name: clusterName }
}

function policyOf(informers: Informers, binding: Binding) {
  const ref = policyRefOf(binding)
  return ref && informers.of(ref.namespace === undefined ? clusterPropagationPolicy : propagationPolicy).get(keyOf(ref))
}
