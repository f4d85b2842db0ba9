/** Selects the override policies for a template, and their rules for a cluster. */
import type { Cluster } from '../../kube/kinds/cluster'
import type { Overriders, OverrideSpec } from '../../kube/kinds/override-spec'
import type { KubeObject } from '../../kube/object'
import { matchesAffinity } from '../placement/affinity'
import { factsOf } from '../placement/facts'
import { implicitPriority } from '../propagation/select-policy'

/** An OverridePolicy, or a ClusterOverridePolicy, which has no namespace. */
export type OverridePolicyLike = KubeObject & { spec: OverrideSpec }

/** One rule to apply, with its policy. */
export interface OverrideStep {
  policy: OverridePolicyLike
  overriders: Overriders
}

/** The rules for one cluster, in the order of application. */
export interface ClusterOverrides {
  cluster: string
  steps: readonly OverrideStep[]
}

/** Reports whether the policy applies to the template: one of its selectors matches, or it has none. */
export function appliesTo(policy: OverridePolicyLike, template: KubeObject): boolean {
  return closeness(policy, template) > 0
}

/**
 * A policy without selectors applies to every object in its scope, with the priority of one that selects by kind only.
 */
function closeness({ metadata, spec: { resourceSelectors = [] } }: OverridePolicyLike, template: KubeObject): number {
  if (metadata.namespace !== undefined && metadata.namespace !== template.metadata.namespace) return 0
  return resourceSelectors.length === 0 ? 1 : implicitPriority(resourceSelectors, template)
}

/**
 * Returns the policies for a template in the order of application: cluster-scoped ones first, then by how closely they
 * select, then by name, so the most specific one is applied last. Selectors match the original template, not the result
 * of other policies.
 */
export function selectOverridePolicies(
  policies: readonly OverridePolicyLike[],
  template: KubeObject,
): readonly OverridePolicyLike[] {
  return policies
    .filter((policy) => appliesTo(policy, template))
    .toSorted(
      (left, right) =>
        scopeRank(left) - scopeRank(right)
        || closeness(left, template) - closeness(right, template)
        || (left.metadata.name < right.metadata.name ? -1 : 1),
    )
}

const scopeRank = ({ metadata }: OverridePolicyLike): number => (metadata.namespace === undefined ? 0 : 1)

/** Returns the rules of policies that apply to a cluster. A policy without rules has one in the deprecated form. */
export function overridesFor(policies: readonly OverridePolicyLike[], cluster: Cluster): ClusterOverrides {
  const facts = factsOf(cluster)
  const steps = policies.flatMap((policy) =>
    rulesOf(policy)
      .filter(({ targetCluster }) => !targetCluster || matchesAffinity(targetCluster, facts))
      .map(({ overriders }) => ({ policy, overriders })),
  )
  return { cluster: facts.name, steps }
}

type Rule = NonNullable<OverrideSpec['overrideRules']>[number]

function rulesOf({ spec: { overrideRules, overriders = {}, targetCluster } }: OverridePolicyLike): readonly Rule[] {
  if (overrideRules?.length) return overrideRules
  return [{ overriders, ...(targetCluster && { targetCluster }) }]
}
