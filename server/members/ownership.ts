/** Owner references inside a member. */
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { keyOf, type KubeObject, type ObjectKey, type OwnerReference } from '@/lib/kube/object'
import type { Informer } from '@/server/kube/informer'

const BY_CONTROLLER = 'controller'

/** The owner reference to `owner`. */
export function ownedBy(kind: Kind, owner: KubeObject): OwnerReference {
  const { name, uid } = owner.metadata
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** The owner that manages the object. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find((reference) => reference.controller)
}

/** The key of the owner if it has that kind. */
export function ownerKey(object: KubeObject, kind: Kind): ObjectKey | undefined {
  const owner = controllerOf(object)
  return owner?.kind === kind.kind ? keyOf({ namespace: object.metadata.namespace, name: owner.name }) : undefined
}

/** Lets `ownedObjects` find objects by their owner. */
export function indexByController<T extends KubeObject>(informer: Informer<T>): void {
  informer.addIndex(BY_CONTROLLER, (object) => {
    const uid = controllerOf(object)?.uid
    return uid === undefined ? [] : [uid]
  })
}

/** The objects that an owner manages. Needs `indexByController`. */
export function ownedObjects<T extends KubeObject>(informer: Informer<T>, owner: KubeObject): readonly T[] {
  return ownedByUid(informer, owner.metadata.uid)
}

/** The same, by the UID of the owner. */
export function ownedByUid<T extends KubeObject>(informer: Informer<T>, uid: string): readonly T[] {
  return informer.byIndex(BY_CONTROLLER, uid)
}
