/** The kinds whose objects travel to members, and how to read one of them. */
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
  tellingOverrides,
} from './overrides'

/** As much of a binding as names its template. */
export interface NamesTemplate {
  metadata: { namespace?: string }
  spec: { resource: ObjectReference }
}

/**
 * The template that a binding names, of the binding's own namespace, whatever else it says: who writes bindings in one
 * namespace has no say about the objects of another, or of none. From the cache, or from the server while the cache is behind the version that
 * the binding was made from. Undefined when it does not exist, or its kind is not served any more.
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

/** Versions of one server are ordered where they are whole numbers; others are taken as equally new. */
function isBehind(cached: string, wanted: string | undefined): boolean {
  if (wanted === undefined || !/^\d+$/.test(cached) || !/^\d+$/.test(wanted)) return false
  return BigInt(cached) < BigInt(wanted)
}
