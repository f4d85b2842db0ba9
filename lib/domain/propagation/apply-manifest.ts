/** Decides what to send to a member for a manifest, given the member's object. */
import { CONFLICT_RESOLUTION_ANNOTATION, MANAGED_LABEL, MANAGED_LABEL_VALUE } from '../../kube/names'
import type { UnknownObject } from '../../kube/object'
import { deepEqual } from '../../std/equal'
import { type Manifest, pruneManifest, retainObserved } from '../interpreter'

/** Action for one manifest in one member. */
export type ManifestVerdict =
  | { act: 'create'; object: Manifest }
  | { act: 'update'; object: Manifest }
  | { act: 'nothing' }
  /** The member's object is not managed by the control plane and must not be overwritten. */
  | { act: 'refuse'; message: string }

/** Reports whether the object was propagated. */
export function isManaged({ metadata }: Pick<UnknownObject, 'metadata'>): boolean {
  return metadata.labels?.[MANAGED_LABEL] === MANAGED_LABEL_VALUE
}

/**
 * Creates a missing object, takes over an unmanaged one only with `overwrite`, retains what the member owns, and leaves
 * an object that already matches.
 */
export function assessManifest(
  manifest: Manifest,
  observed: UnknownObject | undefined,
  cluster: string,
): ManifestVerdict {
  if (!observed) return { act: 'create', object: manifest }
  const resolution = manifest.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION]
  if (!isManaged(observed) && resolution !== 'overwrite') {
    return { act: 'refuse', message: conflictText(manifest, cluster) }
  }
  const object = retainObserved(manifest, observed)
  return deepEqual(pruneManifest(object), pruneManifest(observed)) ? { act: 'nothing' } : { act: 'update', object }
}

/** Returns upstream's message, which is the same for the strategy `abort`. */
function conflictText({ kind, metadata: { namespace, name } }: Manifest, cluster: string): string {
  const what = namespace === undefined ? name : `${namespace}/${name}`
  // upstream: Karmada execution controller
  return (
    `resource(kind=${kind}, ${what}) already exists in the cluster ${cluster} and the `
    // upstream: the same message
    + `${CONFLICT_RESOLUTION_ANNOTATION} strategy value is empty, Karmada will not manage this resource`
  )
}
