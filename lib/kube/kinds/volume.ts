/** Volumes that a pod may mount. */
import { objectMeta } from '../object-meta'
import { type Infer, boolean, int32, int64, map, object, quantity, string } from '../schema'
import { labelSelector } from './affinity'
import { fieldRef, resourceFieldRef } from './container'
import { atomicList } from './lists'
import { localObjectReference } from './object-reference'
import { persistentVolumeClaimSpec } from './persistent-volume-claim'
import { sharedSources } from './volume-sources'

const keyToPath = object({ key: string(), mode: int32(), path: string() }, { required: ['key', 'path'] })

const configMapProjection = object({ items: atomicList(keyToPath), name: string({ default: '' }), optional: boolean() })

const downwardFile = object({ fieldRef, mode: int32(), path: string(), resourceFieldRef }, { required: ['path'] })

const projection = object({
  clusterTrustBundle: object(
    { labelSelector, name: string(), optional: boolean(), path: string(), signerName: string() },
    { required: ['path'] },
  ),
  configMap: configMapProjection,
  downwardAPI: object({ items: atomicList(downwardFile) }),
  podCertificate: object(
    {
      certificateChainPath: string(),
      credentialBundlePath: string(),
      keyPath: string(),
      keyType: string(),
      maxExpirationSeconds: int32(),
      signerName: string(),
      userAnnotations: map(string()),
    },
    { required: ['signerName', 'keyType'] },
  ),
  secret: configMapProjection,
  serviceAccountToken: object(
    { audience: string(), expirationSeconds: int64(), path: string() },
    { required: ['path'] },
  ),
})

/** `v1.Volume`: a name and exactly one source. */
export const volume = object(
  {
    ...sharedSources(localObjectReference),
    azureFile: object(
      { readOnly: boolean(), secretName: string(), shareName: string() },
      { required: ['secretName', 'shareName'] },
    ),
    configMap: object({
      defaultMode: int32(),
      items: atomicList(keyToPath),
      name: string({ default: '' }),
      optional: boolean(),
    }),
    csi: object(
      {
        driver: string(),
        fsType: string(),
        nodePublishSecretRef: localObjectReference,
        readOnly: boolean(),
        volumeAttributes: map(string()),
      },
      { required: ['driver'] },
    ),
    downwardAPI: object({ defaultMode: int32(), items: atomicList(downwardFile) }),
    emptyDir: object({ medium: string(), sizeLimit: quantity() }),
    ephemeral: object({
      volumeClaimTemplate: object({ metadata: objectMeta, spec: persistentVolumeClaimSpec }, { required: ['spec'] }),
    }),
    gitRepo: object({ directory: string(), repository: string(), revision: string() }, { required: ['repository'] }),
    glusterfs: object(
      { endpoints: string(), path: string(), readOnly: boolean() },
      { required: ['endpoints', 'path'] },
    ),
    image: object({ pullPolicy: string(), reference: string() }),
    name: string(),
    persistentVolumeClaim: object({ claimName: string(), readOnly: boolean() }, { required: ['claimName'] }),
    projected: object({ defaultMode: int32(), sources: atomicList(projection) }),
    secret: object({ defaultMode: int32(), items: atomicList(keyToPath), optional: boolean(), secretName: string() }),
    storageos: object({
      fsType: string(),
      readOnly: boolean(),
      secretRef: localObjectReference,
      volumeName: string(),
      volumeNamespace: string(),
    }),
  },
  { required: ['name'] },
)

export type Volume = Infer<typeof volume>
