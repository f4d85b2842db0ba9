/** The kinds whose objects are propagated, and functions to read them. */
import { isNotFound } from '@/lib/kube/errors'
import { keyOf, type ObjectReference, type UnknownObject } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { findTemplateKind } from './catalog'

export { acquireTemplateKinds, findTemplateKind, type TemplateKinds, type TemplateKindsLease } from './catalog'
export {
  concerns,
  type OverrideAttempt,
  overrideKinds,
  overridePoliciesOf,
  overridesOn,
  withOverrideEvents,
} from './overrides'

/** The fields of a binding that refer to its template. */
export interface NamesTemplate {
  metadata: { namespace?: string }
  spec: { resource: ObjectReference }
}

/**
 * Returns the template of a binding. It is always read from the binding's own namespace, because a user who writes
 * bindings in one namespace must not gain access to objects of others or to cluster-scoped ones. Reads the cache, or
 * the server if the cache is older than the version in the binding. Undefined if it does not exist or its kind is no
 * longer served.
 */
export async function readTemplate(
  context: ReconcilerContext,
  { metadata: { namespace }, spec: { resource } }: NamesTemplate,
): Promise<UnknownObject | undefined> {
  const kind = findTemplateKind(context, resource.apiVersion, resource.kind)
  if (!kind || (kind.scope === 'Namespaced') !== (namespace !== undefined)) return undefined
  const { name, resourceVersion } = resource
  const ref = { name, ...(namespace !== undefined && { namespace }) }
  const cached = context.informers.of(kind).get(keyOf(ref))
  if (cached && !isBehind(cached.metadata.resourceVersion, resourceVersion)) return cached
  try {
    return await context.client.get(kind, ref)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Versions are compared if both are whole numbers; otherwise they count as equally new. */
function isBehind(cached: string, wanted: string | undefined): boolean {
  if (wanted === undefined || !/^\d+$/.test(cached) || !/^\d+$/.test(wanted)) return false
  return BigInt(cached) < BigInt(wanted)
}
