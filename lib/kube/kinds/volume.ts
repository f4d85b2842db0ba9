/** What a pod may mount. The sources that the project reads are spelled out; the others are passed through. */
import { type Infer, anything, boolean, int32, int64, object, quantity, string } from '../schema'
import { fieldRef, resourceFieldRef } from './container'
import { atomicList } from './lists'

const keyToPath = object({
  key: string(),
  mode: int32(),
  path: string(),
}, { required: ['key', 'path'] })

const configMapProjection = object({
  items: atomicList(keyToPath),
  name: string({ default: '' }),
  optional: boolean(),
})

const downwardFile = object({
  fieldRef,
  mode: int32(),
  path: string(),
  resourceFieldRef,
}, { required: ['path'] })

const projection = object({
  clusterTrustBundle: anything(),
  configMap: configMapProjection,
  downwardAPI: object({ items: atomicList(downwardFile) }),
  podCertificate: anything(),
  secret: configMapProjection,
  serviceAccountToken: object({
    audience: string(),
    expirationSeconds: int64(),
    path: string(),
  }, { required: ['path'] }),
})

/** `v1.Volume`: a name and exactly one source. */
export const volume = object({
  awsElasticBlockStore: anything(),
  azureDisk: anything(),
  azureFile: anything(),
  cephfs: anything(),
  cinder: anything(),
  configMap: object({
    defaultMode: int32(),
    items: atomicList(keyToPath),
    name: string({ default: '' }),
    optional: boolean(),
  }),
  csi: anything(),
  downwardAPI: object({ defaultMode: int32(), items: atomicList(downwardFile) }),
  emptyDir: object({ medium: string(), sizeLimit: quantity() }),
  ephemeral: anything(),
  fc: anything(),
  flexVolume: anything(),
  flocker: anything(),
  gcePersistentDisk: anything(),
  gitRepo: anything(),
  glusterfs: anything(),
  hostPath: object({ path: string(), type: string() }, { required: ['path'] }),
  image: object({ pullPolicy: string(), reference: string() }),
  iscsi: anything(),
  name: string(),
  nfs: object({ path: string(), readOnly: boolean(), server: string() }, { required: ['server', 'path'] }),
  persistentVolumeClaim: object({ claimName: string(), readOnly: boolean() }, { required: ['claimName'] }),
  photonPersistentDisk: anything(),
  portworxVolume: anything(),
  projected: object({ defaultMode: int32(), sources: atomicList(projection) }),
  quobyte: anything(),
  rbd: anything(),
  scaleIO: anything(),
  secret: object({
    defaultMode: int32(),
    items: atomicList(keyToPath),
    optional: boolean(),
    secretName: string(),
  }),
  storageos: anything(),
  vsphereVolume: anything(),
}, { required: ['name'] })

export type Volume = Infer<typeof volume>
