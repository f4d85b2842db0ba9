import { defineKind, type ObjectOf } from '../kind'
import { boolean, map, object, oneOf, quantity, string, time } from '../schema'
import { nodeSelector } from './affinity'
import { atomicStrings } from './lists'
import { objectReference, secretReference } from './object-reference'
import { sharedSources } from './volume-sources'

const fsType = string()
const readOnly = boolean()

/** A piece of storage in the cluster. */
export const persistentVolume = defineKind({
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  scope: 'Cluster',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object({
        ...sharedSources(secretReference),
        accessModes: atomicStrings(),
        azureFile: object(
          { readOnly, secretName: string(), secretNamespace: string(), shareName: string() },
          { required: ['secretName', 'shareName'] },
        ),
        capacity: map(quantity()),
        claimRef: { ...objectReference, 'x-kubernetes-map-type': 'granular' } as typeof objectReference,
        csi: object(
          {
            controllerExpandSecretRef: secretReference,
            controllerPublishSecretRef: secretReference,
            driver: string(),
            fsType,
            nodeExpandSecretRef: secretReference,
            nodePublishSecretRef: secretReference,
            nodeStageSecretRef: secretReference,
            readOnly,
            volumeAttributes: map(string()),
            volumeHandle: string(),
          },
          { required: ['driver', 'volumeHandle'] },
        ),
        glusterfs: object(
          { endpoints: string(), endpointsNamespace: string(), path: string(), readOnly },
          { required: ['endpoints', 'path'] },
        ),
        local: object({ fsType, path: string() }, { required: ['path'] }),
        mountOptions: atomicStrings(),
        nodeAffinity: object({ required: nodeSelector }),
        persistentVolumeReclaimPolicy: oneOf(['Delete', 'Recycle', 'Retain']),
        storageClassName: string(),
        storageos: object({
          fsType,
          readOnly,
          secretRef: objectReference,
          volumeName: string(),
          volumeNamespace: string(),
        }),
        volumeAttributesClassName: string(),
        volumeMode: oneOf(['Block', 'Filesystem']),
      }),
      status: object({ lastPhaseTransitionTime: time(), message: string(), phase: string(), reason: string() }),
    },
    { required: ['spec'] },
  ),
})

export type PersistentVolume = ObjectOf<typeof persistentVolume>
