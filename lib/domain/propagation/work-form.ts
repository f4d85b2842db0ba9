/** How Works and the objects made from them name each other. */
import type { Work } from '../../kube/kinds/work'
import { WORK_NAME_ANNOTATION, WORK_NAMESPACE_ANNOTATION } from '../../kube/names'
import { keyOf, type ObjectKey, type UnknownObject } from '../../kube/object'
import type { Manifest } from '../interpreter'

/** What a Work brings to its cluster. */
export function manifestsOf({ spec }: Work): readonly Manifest[] {
  return (spec.workload?.manifests ?? []) as unknown as Manifest[]
}

/** The key of the Work that an object came from; undefined for objects that were not propagated. */
export function ownerWorkKeyOf({ metadata: { annotations = {} } }: UnknownObject): ObjectKey | undefined {
  const namespace = annotations[WORK_NAMESPACE_ANNOTATION]
  const name = annotations[WORK_NAME_ANNOTATION]
  return namespace && name ? keyOf({ namespace, name }) : undefined
}
