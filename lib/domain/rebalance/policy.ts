/** Detects policies whose changes have not reached their bindings. */
import type { Placement } from '@/lib/kube/kinds/placement'
import { CLUSTER_POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION, POLICY_NAME_ANNOTATION } from '@/lib/kube/names'
import { type Binding, isSamePlacement } from '../placement'

/** The fields read of a PropagationPolicy (with namespace) or ClusterPropagationPolicy (without). */
export interface PolicySubject {
  metadata: { name: string; namespace?: string }
  spec: { activationPreference?: string; placement?: Placement }
}

/** Reports whether the binding's policy is lazy and has another placement than the binding. */
export function differsFromLazyPolicy(binding: Binding, policies: readonly PolicySubject[]): boolean {
  const policy = policies.find((one) => isPolicyOf(one, binding.metadata.annotations ?? {}))
  if (policy?.spec.activationPreference !== 'Lazy') return false
  return !isSamePlacement(policy.spec.placement ?? {}, binding.spec.placement ?? {})
}

function isPolicyOf({ metadata }: PolicySubject, annotations: Record<string, string>): boolean {
  const { name, namespace } = metadata
  if (!namespace) return annotations[CLUSTER_POLICY_NAME_ANNOTATION] === name
  return annotations[POLICY_NAME_ANNOTATION] === name && annotations[POLICY_NAMESPACE_ANNOTATION] === namespace
}
