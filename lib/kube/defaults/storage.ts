/** The defaults of storage. */
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../kinds'
import type { UnknownObject } from '../object'
import type { StatusContext, WriteContext } from '../rules'
import { defaultClaimSpec } from './claim'
import { defaultSharedSources } from './volumes'

/** A PersistentVolumeClaim as an API server completes it. */
export function defaultClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  return {
    ...claim,
    spec: defaultClaimSpec(claim.spec ?? {}),
    status: { ...claim.status, phase: claim.status?.phase ?? 'Pending' },
  }
}

/** A PersistentVolume as an API server completes it. */
export function defaultVolumeResource(volume: PersistentVolume): PersistentVolume {
  const { storageClassName: name, ...spec } = volume.spec ?? {}
  return {
    ...volume,
    spec: {
      ...spec,
      ...(name && { storageClassName: name }),
      ...defaultSharedSources(spec),
      persistentVolumeReclaimPolicy: spec.persistentVolumeReclaimPolicy ?? 'Retain',
      volumeMode: spec.volumeMode ?? 'Filesystem',
    },
    status: { ...volume.status, phase: volume.status?.phase ?? 'Pending' },
  }
}

/** A new PersistentVolume waits since now. */
export function startVolume(object: UnknownObject, { now }: WriteContext): UnknownObject {
  return { ...object, status: { phase: 'Pending', lastPhaseTransitionTime: now } }
}

/** A change of the phase is noted with its time. */
export function stampPhase(next: UnknownObject, old: UnknownObject, { now }: StatusContext): UnknownObject {
  const [status, before] = [next.status, old.status] as (
    | { phase?: string; lastPhaseTransitionTime?: string }
    | undefined
  )[]
  const moved = status?.phase !== before?.phase
  const time = moved
    ? status?.lastPhaseTransitionTime === before?.lastPhaseTransitionTime
      ? now
      : (status?.lastPhaseTransitionTime ?? now)
    : before?.lastPhaseTransitionTime
  return { ...next, status: { ...status, ...(time !== undefined && { lastPhaseTransitionTime: time }) } }
}

/** A StorageClass as an API server completes it. */
export function defaultStorageClass(object: StorageClass): StorageClass {
  const { reclaimPolicy = 'Delete', volumeBindingMode = 'Immediate' } = object
  return { ...object, reclaimPolicy, volumeBindingMode }
}
