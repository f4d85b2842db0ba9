/** The schema of `metadata`, shared by every kind and by pod templates. */
import { type Infer, anything, array, boolean, int64, map, object, string, time } from './schema'

const ownerReference = object(
  {
    apiVersion: string(),
    kind: string(),
    name: string(),
    uid: string(),
    controller: boolean(),
    blockOwnerDeletion: boolean(),
  },
  { required: ['apiVersion', 'kind', 'name', 'uid'], 'x-kubernetes-map-type': 'atomic' },
)

/**
 * `metav1.ObjectMeta`. All fields are optional, because a template or a draft has only the fields that its writer set.
 */
export const objectMeta = object({
  annotations: map(string()),
  creationTimestamp: time(),
  deletionGracePeriodSeconds: int64(),
  deletionTimestamp: time(),
  finalizers: array(string(), { 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' }),
  generateName: string(),
  generation: int64(),
  labels: map(string()),
  managedFields: array(anything(), { 'x-kubernetes-list-type': 'atomic' }),
  name: string(),
  namespace: string(),
  ownerReferences: array(ownerReference, {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['uid'],
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': 'uid',
  }),
  resourceVersion: string(),
  selfLink: string(),
  uid: string(),
})

/** The metadata of a template: what its objects are given when they are made. */
export type TemplateMeta = Infer<typeof objectMeta>
