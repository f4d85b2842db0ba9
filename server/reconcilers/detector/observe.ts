/** Reads templates, policies and bindings from the caches. */
import { type Claim, claimOn, type Policy, selectPolicy } from '@/lib/domain/propagation'
import { isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { clusterPropagationPolicy, propagationPolicy } from '@/lib/kube/kinds'
import { bindingNameOf } from '@/lib/kube/names'
import { keyOf, type KubeObject, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import type { Informer, Informers } from '@/server/kube/informer'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKinds } from '../shared/binding-kinds'
import { policyKinds } from './keys'

const CLAIM_INDEX = 'claim-id'

/** Indexes the objects of a kind by the policy that claimed them. */
export function indexByClaim(informers: Informers, kind: Kind): void {
  informers.of(kind).addIndex(CLAIM_INDEX, claimIds)
}

function claimIds({ metadata }: KubeObject): string[] {
  const claim = claimOn(metadata)
  return claim ? [claim.id] : []
}

/** Returns the objects with a claim. */
export function claimedBy<T extends KubeObject>(informer: Informer<T>, { id }: Claim): readonly T[] {
  return id ? informer.byIndex(CLAIM_INDEX, id) : []
}

/** Returns the policy that should claim an unclaimed template. */
export function matchingPolicy({ informers }: ReconcilerContext, template: UnknownObject): Policy | undefined {
  const { namespace } = template.metadata
  return selectPolicy(
    {
      propagationPolicies: namespace === undefined ? [] : informers.of(propagationPolicy).listNamespace(namespace),
      clusterPropagationPolicies: informers.of(clusterPropagationPolicy).list(),
    },
    template,
  ) as Policy | undefined
}

/**
 * Returns the policy of a claim. Reads it from the server before treating it as deleted, because the cache may be
 * outdated.
 */
export async function claimingPolicy(context: ReconcilerContext, claim: Claim): Promise<Policy | undefined> {
  const kind = policyKinds.find(({ scope }) => scope === claim.scope)!
  const ref = claim.scope === 'Cluster' ? { name: claim.name } : { namespace: claim.namespace, name: claim.name }
  const cached = context.informers.of(kind).get(keyOf(ref))
  if (cached) return cached
  try {
    return await context.client.get(kind, ref)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Key of a template's binding, and the cached binding. */
export interface BindingPlace {
  kind: Kind<Binding>
  key: ObjectKey
  existing: Binding | undefined
}

export function bindingOf({ informers }: ReconcilerContext, template: KubeObject): BindingPlace {
  const { namespace, name } = template.metadata
  const scope = namespace === undefined ? 'Cluster' : 'Namespaced'
  const kind = bindingKinds.find((candidate) => candidate.scope === scope)!
  const key = keyOf({ name: bindingNameOf(template.kind, name), ...(namespace !== undefined && { namespace }) })
  return { kind, key, existing: informers.of(kind).get(key) }
}
