import { defineKind, type ObjectOf } from '../kind'
import { type Infer, map, object, oneOf, quantity, string } from '../schema'
import { labelSelector } from './affinity'
import { atomicStrings } from './lists'
import { typedLocalReference } from './object-reference'
import { workloadConditions } from './workload-status'

/** `v1.VolumeResourceRequirements`. */
const volumeResources = object({ limits: map(quantity()), requests: map(quantity()) })

/** `v1.PersistentVolumeClaimSpec`, also the heart of claim templates. */
export const persistentVolumeClaimSpec = object({
  accessModes: atomicStrings(),
  dataSource: typedLocalReference,
  dataSourceRef: object(
    { apiGroup: string(), kind: string(), name: string(), namespace: string() },
    { required: ['kind', 'name'] },
  ),
  resources: volumeResources,
  selector: labelSelector,
  storageClassName: string(),
  volumeAttributesClassName: string(),
  volumeMode: oneOf(['Block', 'Filesystem']),
  volumeName: string(),
})

/** A workload's demand for storage. */
export const persistentVolumeClaim = defineKind({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: persistentVolumeClaimSpec,
      status: object({
        accessModes: atomicStrings(),
        allocatedResourceStatuses: map(string(), { 'x-kubernetes-map-type': 'granular' }),
        allocatedResources: map(quantity()),
        capacity: map(quantity()),
        conditions: workloadConditions,
        currentVolumeAttributesClassName: string(),
        modifyVolumeStatus: object(
          { status: string(), targetVolumeAttributesClassName: string() },
          { required: ['status'] },
        ),
        phase: string(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type PersistentVolumeClaim = ObjectOf<typeof persistentVolumeClaim>
export type PersistentVolumeClaimSpec = Infer<typeof persistentVolumeClaimSpec>
