import { defineKind, type ObjectOf } from '../kind'
import { int32, intOrString, object, oneOf, string } from '../schema'
import { atomicList } from './lists'
import { persistentVolumeClaim } from './persistent-volume-claim'
import { podMakerFields, replicaScale } from './pod-template'
import { replicaCounts, workloadConditions } from './workload-status'

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
  subresources: { status: true, scale: replicaScale },
  fields: object(
    {
      spec: object(
        {
          ...podMakerFields,
          ordinals: object({ start: int32() }, { required: ['start'] }),
          persistentVolumeClaimRetentionPolicy: object({ whenDeleted: string(), whenScaled: string() }),
          podManagementPolicy: oneOf(['OrderedReady', 'Parallel']),
          replicas: int32(),
          revisionHistoryLimit: int32(),
          serviceName: string(),
          updateStrategy: object({
            rollingUpdate: object({ maxUnavailable: intOrString(), partition: int32() }),
            type: oneOf(['OnDelete', 'RollingUpdate']),
          }),
          volumeClaimTemplates: atomicList(persistentVolumeClaim.schema),
        },
        { required: ['selector', 'template', 'serviceName'] },
      ),
      status: object({
        ...replicaCounts,
        collisionCount: int32(),
        conditions: workloadConditions,
        currentReplicas: int32(),
        currentRevision: string(),
        updateRevision: string(),
        updatedReplicas: int32(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type StatefulSet = ObjectOf<typeof statefulSet>
