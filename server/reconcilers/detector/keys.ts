/** Keys of the detector's single queue, for templates and policies. */
import type { Policy } from '@/lib/domain/propagation'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { clusterPropagationPolicy, propagationPolicy } from '@/lib/kube/kinds'
import { keyOf, type KubeObject, objectKey, type ObjectKey, type ObjectRef } from '@/lib/kube/object'

/** A parsed key. `key` is the object's own. */
export type DetectorKey =
  | { type: 'template'; apiVersion: string; kind: string; key: ObjectKey }
  | { type: 'policy'; kind: Kind<Policy>; key: ObjectKey }

/** Both kinds of policies with one type. */
export const policyKinds: readonly Kind<Policy>[] = [
  propagationPolicy as Kind<Policy>,
  clusterPropagationPolicy as Kind<Policy>,
]

/** Returns `template:<apiVersion>:<kind>:<key>`. Names may contain colons, the parts before them cannot. */
export function templateKeyOf(
  kind: Pick<Kind, 'group' | 'version' | 'kind'>,
  { metadata }: { metadata: ObjectRef },
): ObjectKey {
  return `template:${apiVersionOf(kind)}:${kind.kind}:${keyOf(metadata)}`
}

/** Returns `policy:<kind>:<key>`. */
export function policyKeyOf(kind: Kind, policy: KubeObject): ObjectKey {
  return `policy:${kind.kind}:${objectKey(policy)}`
}

/** Parses keys of both functions. Throws for any other text. */
export function parseDetectorKey(text: ObjectKey): DetectorKey {
  const [, type, first = '', second = '', rest = ''] = /^(template|policy):([^:]*):([^:]*):?(.*)$/s.exec(text) ?? []
  if (type === 'template') return { type, apiVersion: first, kind: second, key: rest }
  const kind = policyKinds.find((candidate) => candidate.kind === first)
  if (type !== 'policy' || !kind) throw new Error(`"${text}" is not a key of the detector`)
  return { type, kind, key: text.slice(`policy:${first}:`.length) }
}
