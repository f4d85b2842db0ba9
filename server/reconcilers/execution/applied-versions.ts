/**
 * Remembers the resourceVersion of the last write to each member object, to distinguish own changes from those of other
 * clients.
 */
import type { Kind } from '@/lib/kube/kind'
import { keyOf, type ObjectRef, type UnknownObject } from '@/lib/kube/object'

export interface AppliedVersions {
  remember(cluster: string, kind: Kind<UnknownObject>, object: UnknownObject): void
  forget(cluster: string, kind: Kind<UnknownObject>, ref: ObjectRef): void
  /** Returns the resourceVersion in the answer to the last write. */
  of(cluster: string, kind: Kind<UnknownObject>, ref: ObjectRef): string | undefined
}

export function appliedVersions(): AppliedVersions {
  const versions = new Map<string, string>()
  const key = (cluster: string, kind: Kind<UnknownObject>, ref: ObjectRef): string =>
    `${cluster}/${kind.group}/${kind.kind}/${keyOf(ref)}`
  return {
    remember: (cluster, kind, { metadata }) =>
      void versions.set(key(cluster, kind, metadata), metadata.resourceVersion),
    forget: (cluster, kind, ref) => void versions.delete(key(cluster, kind, ref)),
    of: (cluster, kind, ref) => versions.get(key(cluster, kind, ref)),
  }
}
