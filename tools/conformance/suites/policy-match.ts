/** Which policy claims a resource, against the real detector. */
import { bestPolicy, implicitPriority, type Policy, selectPolicy } from '@/lib/domain/propagation'
import type { KubeObject } from '@/lib/kube/object'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  resource: KubeObject
  propagationPolicies?: Policy[]
  clusterPropagationPolicies?: Policy[]
}

interface Output {
  propagationPolicy: string | null
  clusterPropagationPolicy: string | null
  winner: { kind: string; name: string; namespace?: string } | null
  implicitPriorities?: number[]
  clusterImplicitPriorities?: number[]
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const { resource, propagationPolicies = [], clusterPropagationPolicies = [] } = input
  const { namespace } = resource.metadata
  const own = propagationPolicies.filter(({ metadata }) => namespace && metadata.namespace === namespace)
  const winner = selectPolicy({ propagationPolicies, clusterPropagationPolicies }, resource)
  const priorities = (policies: Policy[]) =>
    policies.map(({ spec }) => implicitPriority(spec.resourceSelectors, resource))
  return differs(
    'match',
    {
      propagationPolicy: bestPolicy(own, resource)?.metadata.name ?? null,
      clusterPropagationPolicy: bestPolicy(clusterPropagationPolicies, resource)?.metadata.name ?? null,
      winner: winner ? describe(winner) : null,
      implicitPriorities: priorities(propagationPolicies),
      clusterImplicitPriorities: priorities(clusterPropagationPolicies),
    },
    { implicitPriorities: [], clusterImplicitPriorities: [], ...withoutNulls(output) },
  )
}

/** The recorder writes an empty list as null or leaves it out. */
function withoutNulls({ implicitPriorities, clusterImplicitPriorities, ...rest }: Output): Partial<Output> {
  return {
    ...rest,
    ...(implicitPriorities && { implicitPriorities }),
    ...(clusterImplicitPriorities && { clusterImplicitPriorities }),
  }
}

function describe({ metadata: { name, namespace } }: Policy): { kind: string; name: string; namespace?: string } {
  return namespace ? { kind: 'PropagationPolicy', name, namespace } : { kind: 'ClusterPropagationPolicy', name }
}

export const suite: Suite = { name: 'policy-match', judge: judge as Judge }
