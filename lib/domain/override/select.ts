/** Which override policies concern a template, and which of their rules concern a cluster. */
import type { Cluster } from '../../kube/kinds/cluster'
import type { Overriders, OverrideSpec } from '../../kube/kinds/override-spec'
import type { KubeObject } from '../../kube/object'
import { matchesAffinity } from '../placement/affinity'
import { factsOf } from '../placement/facts'
import { implicitPriority } from '../propagation/select-policy'

/** An OverridePolicy, or a ClusterOverridePolicy: that is one without a namespace. */
export type OverridePolicyLike = KubeObject & { spec: OverrideSpec }

/** One rule that is to be applied, with the policy it comes from. */
export interface OverrideStep {
  policy: OverridePolicyLike
  overriders: Overriders
}

/** Everything that makes the copy for one cluster differ, in the order of application. */
export interface ClusterOverrides {
  cluster: string
  steps: readonly OverrideStep[]
}

/** True when the policy concerns the template: one of its selectors fits, or it has none. */
export function appliesTo(policy: OverridePolicyLike, template: KubeObject): boolean {
  return closeness(policy, template) > 0
}

/** A policy without selectors concerns every object that it may, as loosely as one that names only the kind. */
function closeness({ metadata, spec: { resourceSelectors = [] } }: OverridePolicyLike, template: KubeObject): number {
  if (metadata.namespace !== undefined && metadata.namespace !== template.metadata.namespace) return 0
  return resourceSelectors.length === 0 ? 1 : implicitPriority(resourceSelectors, template)
}

/**
 * The policies that concern a template, in the order of application: those of the cluster scope first, then by how
 * closely they select, then by name, so that the most particular one has the last word. Selectors see the template as
 * it is, never what another policy made of it.
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

/** The rules of selected policies that concern a cluster. Policies without rules carry one in the deprecated form. */
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
