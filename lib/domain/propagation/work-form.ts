/** References between Works and the objects created from them. */
import type { Work } from '../../kube/kinds/work'
import { WORK_NAME_ANNOTATION, WORK_NAMESPACE_ANNOTATION } from '../../kube/names'
import { keyOf, type ObjectKey, type UnknownObject } from '../../kube/object'
import type { Manifest } from '../interpreter'

/** Returns the manifests of a Work. */
export function manifestsOf({ spec }: Work): readonly Manifest[] {
  return (spec.workload?.manifests ?? []) as unknown as Manifest[]
}

/** Returns the key of the Work that an object was created from; undefined for objects that were not propagated. */
export function ownerWorkKeyOf({ metadata: { annotations = {} } }: UnknownObject): ObjectKey | undefined {
  const namespace = annotations[WORK_NAMESPACE_ANNOTATION]
  const name = annotations[WORK_NAME_ANNOTATION]
  return namespace && name ? keyOf({ namespace, name }) : undefined
}
