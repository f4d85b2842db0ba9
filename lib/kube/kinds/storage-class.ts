import { defineKind, type ObjectOf } from '../kind'
import { boolean, map, object, oneOf, string } from '../schema'
import { atomicList, atomicStrings } from './lists'

const topologyTerm = object(
  {
    matchLabelExpressions: atomicList(
      object({ key: string(), values: atomicStrings() }, { required: ['key', 'values'] }),
    ),
  },
  { 'x-kubernetes-map-type': 'atomic' },
)

/** How volumes of a class are made. */
export const storageClass = defineKind({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  scope: 'Cluster',
  origin: 'builtin',
  fields: object(
    {
      allowVolumeExpansion: boolean(),
      allowedTopologies: atomicList(topologyTerm),
      mountOptions: atomicStrings(),
      parameters: map(string()),
      provisioner: string(),
      reclaimPolicy: oneOf(['Delete', 'Retain']),
      volumeBindingMode: oneOf(['Immediate', 'WaitForFirstConsumer']),
    },
    { required: ['provisioner'] },
  ),
})

export type StorageClass = ObjectOf<typeof storageClass>
