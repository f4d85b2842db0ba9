/** What to send to a member for a manifest, given what it has. */
import { CONFLICT_RESOLUTION_ANNOTATION, MANAGED_LABEL, MANAGED_LABEL_VALUE } from '../../kube/names'
import type { UnknownObject } from '../../kube/object'
import { deepEqual } from '../../std/equal'
import { type Manifest, pruneManifest, retainObserved } from '../interpreter'

/** What is to be done about one manifest in one member. */
export type ManifestVerdict =
  | { act: 'create'; object: Manifest }
  | { act: 'update'; object: Manifest }
  | { act: 'nothing' }
  /** The control plane does not manage the member's object and may not overwrite it. */
  | { act: 'refuse'; message: string }

/** True for objects that were propagated. */
export function isManaged({ metadata }: Pick<UnknownObject, 'metadata'>): boolean {
  return metadata.labels?.[MANAGED_LABEL] === MANAGED_LABEL_VALUE
}

/**
 * Creates what is missing, takes over unmanaged objects only on `overwrite`, keeps what the member owns, and
 * leaves alone what is as wanted already.
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

/** Words of the control plane, also when the strategy is `abort`. */
function conflictText({ kind, metadata: { namespace, name } }: Manifest, cluster: string): string {
  const what = namespace === undefined ? name : `${namespace}/${name}`
  // upstream: Karmada execution controller
  return (
    `resource(kind=${kind}, ${what}) already exists in the cluster ${cluster} and the `
    // upstream: the same message
    + `${CONFLICT_RESOLUTION_ANNOTATION} strategy value is empty, Karmada will not manage this resource`
  )
}
