import { defineKind, type ObjectOf } from '../kind'
import { anything, int32, int64, intOrString, object, oneOf, string } from '../schema'
import { labelSelector } from './affinity'
import { atomicList } from './lists'
import { podTemplate } from './pod-template'
import { workloadConditions } from './workload-status'

/** Numbered replicas with a stable name and storage each. */
export const statefulSet = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: {
    status: true,
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  printerColumns: [
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Containers', type: 'string', jsonPath: '.spec.template.spec.containers[*].name', priority: 1 },
    { name: 'Images', type: 'string', jsonPath: '.spec.template.spec.containers[*].image', priority: 1 },
  ],
  fields: object({
    spec: object({
      minReadySeconds: int32(),
      ordinals: object({ start: int32() }),
      persistentVolumeClaimRetentionPolicy: object({ whenDeleted: string(), whenScaled: string() }),
      podManagementPolicy: oneOf(['OrderedReady', 'Parallel']),
      replicas: int32(),
      revisionHistoryLimit: int32(),
      selector: labelSelector,
      serviceName: string(),
      template: podTemplate,
      updateStrategy: object({
        rollingUpdate: object({ maxUnavailable: intOrString(), partition: int32() }),
        type: oneOf(['OnDelete', 'RollingUpdate']),
      }),
      volumeClaimTemplates: atomicList(anything()),
    }, { required: ['selector', 'template'] }),
    status: object({
      availableReplicas: int32(),
      collisionCount: int32(),
      conditions: workloadConditions,
      currentReplicas: int32(),
      currentRevision: string(),
      observedGeneration: int64(),
      readyReplicas: int32(),
      replicas: int32(),
      updateRevision: string(),
      updatedReplicas: int32(),
    }),
  }, { required: ['spec'] }),
})

export type StatefulSet = ObjectOf<typeof statefulSet>
