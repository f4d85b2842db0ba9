/** Sources of volumes: those that pods and PersistentVolumes have in common. */
import { type Schema, boolean, int32, map, object, string } from '../schema'
import { atomicStrings } from './lists'

const fsType = string()
const readOnly = boolean()

/** The sources that are spelled the same in both, and those that differ only in how they name a Secret. */
export function sharedSources<S>(secretRef: Schema<S>) {
  return {
    awsElasticBlockStore: object(
      { fsType, partition: int32(), readOnly, volumeID: string() },
      { required: ['volumeID'] },
    ),
    azureDisk: object(
      { cachingMode: string(), diskName: string(), diskURI: string(), fsType, kind: string(), readOnly },
      { required: ['diskName', 'diskURI'] },
    ),
    cephfs: object(
      { monitors: atomicStrings(), path: string(), readOnly, secretFile: string(), secretRef, user: string() },
      { required: ['monitors'] },
    ),
    cinder: object({ fsType, readOnly, secretRef, volumeID: string() }, { required: ['volumeID'] }),
    fc: object({ fsType, lun: int32(), readOnly, targetWWNs: atomicStrings(), wwids: atomicStrings() }),
    flexVolume: object(
      { driver: string(), fsType, options: map(string()), readOnly, secretRef },
      { required: ['driver'] },
    ),
    flocker: object({ datasetName: string(), datasetUUID: string() }),
    gcePersistentDisk: object({ fsType, partition: int32(), pdName: string(), readOnly }, { required: ['pdName'] }),
    hostPath: object({ path: string(), type: string() }, { required: ['path'] }),
    iscsi: object(
      {
        chapAuthDiscovery: boolean(),
        chapAuthSession: boolean(),
        fsType,
        initiatorName: string(),
        iqn: string(),
        iscsiInterface: string(),
        lun: int32(),
        portals: atomicStrings(),
        readOnly,
        secretRef,
        targetPortal: string(),
      },
      { required: ['targetPortal', 'iqn', 'lun'] },
    ),
    nfs: object({ path: string(), readOnly, server: string() }, { required: ['server', 'path'] }),
    photonPersistentDisk: object({ fsType, pdID: string() }, { required: ['pdID'] }),
    portworxVolume: object({ fsType, readOnly, volumeID: string() }, { required: ['volumeID'] }),
    quobyte: object(
      { group: string(), readOnly, registry: string(), tenant: string(), user: string(), volume: string() },
      { required: ['registry', 'volume'] },
    ),
    rbd: object(
      {
        fsType,
        image: string(),
        keyring: string(),
        monitors: atomicStrings(),
        pool: string(),
        readOnly,
        secretRef,
        user: string(),
      },
      { required: ['monitors', 'image'] },
    ),
    scaleIO: object(
      {
        fsType,
        gateway: string(),
        protectionDomain: string(),
        readOnly,
        secretRef,
        sslEnabled: boolean(),
        storageMode: string(),
        storagePool: string(),
        system: string(),
        volumeName: string(),
      },
      { required: ['gateway', 'system', 'secretRef'] },
    ),
    vsphereVolume: object(
      { fsType, storagePolicyID: string(), storagePolicyName: string(), volumePath: string() },
      { required: ['volumePath'] },
    ),
  }
}
