/** Selects the policy for a template. */
import { matchesLabelSelector } from '../../kube/selector'
import type { PropagationSpec, ResourceSelector } from '../../kube/kinds/propagation-spec'
import type { KubeObject } from '../../kube/object'

/** A PropagationPolicy or a ClusterPropagationPolicy. */
export type Policy = KubeObject & { spec: PropagationSpec }

/** How closely selectors match: not at all, by kind, by labels, by name. */
export type ImplicitPriority = 0 | 1 | 2 | 3

/** Returns the closest match of the selectors. */
export function implicitPriority(selectors: readonly ResourceSelector[], resource: KubeObject): ImplicitPriority {
  return Math.max(0, ...selectors.map((selector) => fit(selector, resource))) as ImplicitPriority
}

/** Reports whether any selector of the policy matches the resource. */
export function selects(policy: Policy, resource: KubeObject): boolean {
  return implicitPriority(policy.spec.resourceSelectors, resource) > 0
}

/** A name takes precedence over labels, which are ignored then. */
function fit(selector: ResourceSelector, { apiVersion, kind, metadata }: KubeObject): ImplicitPriority {
  if (selector.apiVersion !== apiVersion || selector.kind !== kind) return 0
  if (selector.namespace && selector.namespace !== metadata.namespace) return 0
  if (selector.name) return selector.name === metadata.name ? 3 : 0
  if (!selector.labelSelector) return 1
  return matchesLabelSelector(selector.labelSelector, metadata.labels ?? {}) ? 2 : 0
}

/**
 * Returns the policy that claims the resource: highest explicit priority, then closest selector, then smallest name.
 * Policies that are being deleted are ignored.
 */
export function bestPolicy<P extends Policy>(policies: readonly P[], resource: KubeObject): P | undefined {
  let best: { policy: P; fit: number } | undefined
  for (const policy of policies) {
    if (policy.metadata.deletionTimestamp) continue
    const candidate = { policy, fit: implicitPriority(policy.spec.resourceSelectors, resource) }
    if (candidate.fit > 0 && (!best || isBetter(candidate, best))) best = candidate
  }
  return best?.policy
}

function isBetter(left: { policy: Policy; fit: number }, right: { policy: Policy; fit: number }): boolean {
  const byPriority = (left.policy.spec.priority ?? 0) - (right.policy.spec.priority ?? 0)
  const order = byPriority || left.fit - right.fit
  return order === 0 ? left.policy.metadata.name < right.policy.metadata.name : order > 0
}

/** The policies among which to select. */
export interface PolicySnapshot<P extends Policy, C extends Policy> {
  /** Policies of other namespaces are ignored. */
  propagationPolicies: readonly P[]
  clusterPropagationPolicies: readonly C[]
}

/**
 * Selects the policy. PropagationPolicies of the resource's namespace take precedence over all
 * ClusterPropagationPolicies, regardless of priority.
 */
export function selectPolicy<P extends Policy, C extends Policy>(
  { propagationPolicies, clusterPropagationPolicies }: PolicySnapshot<P, C>,
  resource: KubeObject,
): P | C | undefined {
  const { namespace } = resource.metadata
  const own = namespace ? propagationPolicies.filter((policy) => policy.metadata.namespace === namespace) : []
  return bestPolicy(own, resource) ?? bestPolicy(clusterPropagationPolicies, resource)
}
