/** Which objects a policy owns, and which another policy wins. */
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

/** What becomes of an object that the policy selects. */
export interface Ownership {
  /** `owned`: the policy has claimed it. `claims`: it would. `other`: another policy keeps it. */
  state: 'owned' | 'claims' | 'other'
  /** The policy that has it now, by id. */
  owner?: string
  why: Message
}

interface Contest {
  policy: Policy
  /** Those that the reader sees. */
  policies: readonly Policy[]
}

/** Decides as the detector does: a claim stays unless the policy may preempt it; what is unclaimed goes to the best policy. */
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
  const all = [...policies, policy]
  const best = selectPolicy(
    {
      propagationPolicies: all.filter(({ metadata }) => metadata.namespace !== undefined),
      clusterPropagationPolicies: all.filter(({ metadata }) => metadata.namespace === undefined),
    },
    template,
  )
  if (best === policy || best === undefined) return { state: 'claims', why: message('policies.owner.free') }
  const winner = policyId(best.metadata)
  return { state: 'other', owner: winner, why: strengthOf(template, policy, best) }
}

function contested(template: KubeObject, policy: Policy, holder: Policy): Omit<Ownership, 'owner'> {
  if (!mayPreempt(policy, holder)) return { state: 'other', why: strengthOf(template, policy, holder) }
  if (policy.spec.preemption !== 'Always') return { state: 'other', why: message('policies.owner.preemptionNever') }
  // upstream: karmada detector, preemption takes only templates that the policy selects by name
  const isNamed = implicitPriority(policy.spec.resourceSelectors, template) === BY_NAME
  return { state: 'other', why: message(isNamed ? 'policies.owner.preempts' : 'policies.owner.notNamed') }
}

const BY_NAME: ImplicitPriority = 3
const FITS = { 0: 'kind', 1: 'kind', 2: 'labels', 3: 'name' } satisfies Record<ImplicitPriority, string>

/** Why the other policy is the stronger one. */
function strengthOf(template: KubeObject, policy: Policy, other: Policy): Message {
  const [own, its] = [policy, other].map(({ spec }) => spec.priority ?? 0) as [number, number]
  if (other.metadata.namespace !== undefined && policy.metadata.namespace === undefined)
    return message('policies.owner.namespaced')
  if (its > own) return message('policies.owner.priority', { own, its })
  const [fit, itsFit] = [policy, other].map(({ spec }) => implicitPriority(spec.resourceSelectors, template))
  if (itsFit! > fit!) return message('policies.owner.closer', { how: FITS[itsFit!] })
  return message('policies.owner.first', { priority: own })
}
