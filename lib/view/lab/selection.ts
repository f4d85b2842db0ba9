/** Decides which objects a policy owns, and which another policy claims. */
import {
  claimOn,
  type ImplicitPriority,
  implicitPriority,
  mayPreempt,
  type Policy,
  selectPolicy,
} from '@/lib/domain/propagation'
import type { KubeObject } from '@/lib/kube/object'
import { message, type Message } from '@/lib/messages/message'
import { policyId } from '../policy-model'

/** Decision about an object that the policy selects. */
export interface Ownership {
  /** `owned`: the policy has claimed it. `claims`: it would claim it. `other`: another policy keeps it. */
  state: 'owned' | 'claims' | 'other'
  /** ID of the policy that has claimed it. */
  owner?: string
  why: Message
}

interface Contest {
  policy: Policy
  /** Policies that the reader may view. */
  policies: readonly Policy[]
}

/**
 * Decides as the detector does: a claim stays unless the policy may preempt it; an unclaimed object goes to the best
 * policy.
 */
export function ownershipOf(template: KubeObject, { policy, policies }: Contest): Ownership {
  const claim = claimOn(template.metadata)
  const own = policyId(policy.metadata)
  const owner = claim && policyId({ ...('namespace' in claim && { namespace: claim.namespace }), name: claim.name })
  if (owner === own) return { state: 'owned', owner, why: message('policies.owner.this') }
  const others = policies.filter(({ metadata }) => policyId(metadata) !== own)
  const holder = owner === undefined ? undefined : others.find(({ metadata }) => policyId(metadata) === owner)
  if (owner === undefined) return unclaimed(template, { policy, policies: others })
  if (!holder) return { state: 'other', owner, why: message('policies.owner.unseen') }
  return { owner, ...contested(template, policy, holder) }
}

function unclaimed(template: KubeObject, { policy, policies }: Contest): Ownership {
  const best = bestOf([...policies, policy], template)
  if (best === policy || best === undefined) {
    const next = bestOf(policies, template)
    if (!next) return { state: 'claims', why: message('policies.owner.free') }
    const [other, by] = [policyId(next.metadata), edgeOf(template, policy, next)]
    return { state: 'claims', why: message('policies.owner.ahead', { other, by }) }
  }
  const why = strengthOf(template, policy, best) ?? message('policies.owner.byName', { priority: priorityOf(policy) })
  return { state: 'other', owner: policyId(best.metadata), why }
}

const bestOf = (policies: readonly Policy[], template: KubeObject): Policy | undefined =>
  selectPolicy(
    {
      propagationPolicies: policies.filter(({ metadata }) => metadata.namespace !== undefined),
      clusterPropagationPolicies: policies.filter(({ metadata }) => metadata.namespace === undefined),
    },
    template,
  )

function contested(template: KubeObject, policy: Policy, holder: Policy): Omit<Ownership, 'owner'> {
  if (!mayPreempt(policy, holder)) {
    const why =
      strengthOf(template, policy, holder) ?? message('policies.owner.first', { priority: priorityOf(policy) })
    return { state: 'other', why }
  }
  if (policy.spec.preemption !== 'Always') return { state: 'other', why: message('policies.owner.preemptionNever') }
  // upstream: karmada detector, preemption takes only templates that the policy selects by name
  const isNamed = implicitPriority(policy.spec.resourceSelectors, template) === BY_NAME
  return { state: 'other', why: message(isNamed ? 'policies.owner.preempts' : 'policies.owner.notNamed') }
}

const BY_NAME: ImplicitPriority = 3
const FITS = { 0: 'kind', 1: 'kind', 2: 'labels', 3: 'name' } satisfies Record<ImplicitPriority, string>

const priorityOf = ({ spec }: Policy): number => spec.priority ?? 0
const fitOf = (template: KubeObject, { spec }: Policy): ImplicitPriority =>
  implicitPriority(spec.resourceSelectors, template)

/** Returns the criterion by which one of two policies takes precedence. */
function edgeOf(template: KubeObject, one: Policy, other: Policy): 'scope' | 'priority' | 'selector' | 'name' {
  if ((one.metadata.namespace === undefined) !== (other.metadata.namespace === undefined)) return 'scope'
  if (priorityOf(one) !== priorityOf(other)) return 'priority'
  return fitOf(template, one) === fitOf(template, other) ? 'name' : 'selector'
}

/** Returns why the other policy takes precedence; undefined if it does not. */
function strengthOf(template: KubeObject, policy: Policy, other: Policy): Message | undefined {
  switch (edgeOf(template, policy, other)) {
    case 'scope':
      return message('policies.owner.namespaced')
    case 'priority':
      return message('policies.owner.priority', { own: priorityOf(policy), its: priorityOf(other) })
    case 'selector': {
      const fit = fitOf(template, other)
      return fit > fitOf(template, policy) ? message('policies.owner.closer', { how: FITS[fit] }) : undefined
    }
    case 'name':
      return undefined
  }
}
