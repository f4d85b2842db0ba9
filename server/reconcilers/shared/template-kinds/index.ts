/** The kinds whose objects travel to members, and how to read one of them. */
import { isPropagatableKind } from '@/lib/domain/propagation'
import { isNotFound } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import { keyOf, type ObjectReference, type UnknownObject } from '@/lib/kube/object'
import { type ReconcilerContext, TerminalError } from '@/server/runtime/controller'

export {
  concerns, type OverrideAttempt, overrideKinds, overridePoliciesOf, overridesOn, tellingOverrides,
} from './overrides'

/** Every known kind that a policy may select. */
export const templateKinds = (allKinds as readonly Kind<UnknownObject>[]).filter(isPropagatableKind)

const byName = new Map(templateKinds.map(kind => [`${apiVersionOf(kind)}/${kind.kind}`, kind]))

/** The kind of that name; undefined when this process does not know it. */
export function findTemplateKind(apiVersion: string, kind: string): Kind<UnknownObject> | undefined {
  return byName.get(`${apiVersion}/${kind}`)
}

/** The kind of that name. Throws a TerminalError when this process does not know it: trying again cannot help. */
export function templateKindOf({ apiVersion, kind }: { apiVersion: string; kind: string }): Kind<UnknownObject> {
  const found = findTemplateKind(apiVersion, kind)
  if (!found) throw new TerminalError(`the kind ${kind} of ${apiVersion} is not known to this process`)
  return found
}

/**
 * The template that a binding names: from the cache, or from the server while the cache is behind the version that
 * the binding was made from. Undefined when it does not exist.
 */
export async function readTemplate(
  context: ReconcilerContext, resource: ObjectReference,
): Promise<UnknownObject | undefined> {
  const kind = templateKindOf(resource)
  const { name, namespace, resourceVersion } = resource
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
