/** References from one object to another. */
import { object, string } from '../schema'

const referenceFields = {
  apiVersion: string(),
  fieldPath: string(),
  kind: string(),
  name: string(),
  namespace: string(),
  resourceVersion: string(),
  uid: string(),
}

/** `v1.ObjectReference`: any object, or a part of it. */
export const objectReference = object(referenceFields, { 'x-kubernetes-map-type': 'atomic' })

/** `v1.LocalObjectReference`: an object of a known kind in the same namespace. */
export const localObjectReference = object({ name: string({ default: '' }) }, { 'x-kubernetes-map-type': 'atomic' })

/** `v1.SecretReference`: a Secret of any namespace. */
export const secretReference = object({ name: string(), namespace: string() }, { 'x-kubernetes-map-type': 'atomic' })

/** `v1.TypedLocalObjectReference`: an object of any kind in the same namespace. */
export const typedLocalReference = object(
  { apiGroup: string(), kind: string(), name: string() },
  { required: ['kind', 'name'], 'x-kubernetes-map-type': 'atomic' },
)
