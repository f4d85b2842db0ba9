/** Merges the suspension of a policy with that of an existing binding. */
import { hasBeenScheduled } from '../../kube/admission/suspension'
import type { BindingSpec } from '../../kube/kinds/binding'
import { SUSPENDED_BY_POLICY_ANNOTATION } from '../../kube/names'
import { ownSuspensionNotes, suspendingPolicyOf } from '../queue/suspender'
import { omit } from '../../std/omit'
import type { Binding, Words } from './binding-form'
import type { Policy } from './select-policy'

export interface SuspensionRequest {
  policy: Policy
  existing?: Binding | undefined
  /** Clusters to which controllers currently suspend dispatching, regardless of the policy. */
  held?: readonly string[] | undefined
  /** The same template's binding before its deletion: if it was suspended, the new binding is suspended too. */
  lost?: Binding | undefined
}

export interface MergedSuspension {
  suspension: BindingSpec['suspension']
  /** The annotations about who suspends scheduling; undefined removes one. */
  notes: Record<string, string | undefined>
  /** The policy suspends scheduling, but the binding was already scheduled, so it is not suspended. */
  tooLate: boolean
}

/**
 * Merges the suspension. The policy's part replaces that of the previous policy, as upstream's `MergePolicySuspension`
 * does. The binding's own `scheduling`, set by a queue or a user, is kept in addition. A binding that was already
 * scheduled is not suspended (proposal of scheduling suspension).
 */
export function mergeSuspension(request: SuspensionRequest): MergedSuspension {
  const { scheduling, notes, tooLate } = mergeScheduling(request)
  const dispatching = mergeDispatching(request)
  const absent = dispatching === undefined && scheduling === undefined
  const suspension = absent ? undefined : { ...dispatching, ...(scheduling !== undefined && { scheduling }) }
  return { suspension, notes, tooLate }
}

function mergeScheduling({
  policy,
  existing,
  lost,
}: SuspensionRequest): Pick<MergedSuspension, 'notes' | 'tooLate'> & { scheduling: boolean | undefined } {
  const own = existing?.spec.suspension?.scheduling
  const wanted = policy.spec.suspension?.scheduling === true
  const kept = lost && isSuspended(lost) ? ownSuspensionNotes(lost) : undefined
  if (!existing) {
    const notes = { ...kept, ...(wanted && { [SUSPENDED_BY_POLICY_ANNOTATION]: policyName(policy) }) }
    return { scheduling: wanted || kept ? true : undefined, notes, tooLate: false }
  }
  const scheduled = hasBeenScheduled(existing)
  const marked = suspendingPolicyOf(existing) !== undefined
  if (wanted && !scheduled) {
    return { scheduling: true, notes: { [SUSPENDED_BY_POLICY_ANNOTATION]: policyName(policy) }, tooLate: false }
  }
  const lifted = marked && own === true && ownSuspensionNotes(existing) === undefined
  return {
    scheduling: lifted ? undefined : own,
    tooLate: wanted,
    notes: marked ? { [SUSPENDED_BY_POLICY_ANNOTATION]: undefined } : {},
  }
}

const isSuspended = ({ spec }: Binding): boolean => spec.suspension?.scheduling === true

/** Returns `<kind> [<namespace>/]<name>`, as the condition names the policy. */
function policyName({ kind, metadata: { namespace, name } }: Policy): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

function mergeDispatching({ policy, existing, held = [] }: SuspensionRequest): BindingSpec['suspension'] {
  const whole = policy.spec.suspension
  const rest = whole && omit(whole, 'scheduling')
  const fromPolicy = whole?.scheduling !== undefined && Object.keys(rest!).length === 0 ? undefined : rest
  const present = existing?.spec.suspension?.dispatchingOnClusters?.clusterNames ?? []
  const kept = held.filter((name) => present.includes(name))
  if (!fromPolicy && kept.length === 0) return undefined
  const clusterNames = [...new Set([...(fromPolicy?.dispatchingOnClusters?.clusterNames ?? []), ...kept])]
  return { ...fromPolicy, ...(kept.length > 0 && { dispatchingOnClusters: { clusterNames } }) }
}

/** Returns the annotations with these notes merged; undefined removes one. */
export function withNotes(words: Words, notes: MergedSuspension['notes']): Words {
  const merged = Object.entries({ ...words, ...notes })
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
