import { defineKind, type ObjectOf } from '../kind'
import { boolean, int32, intOrString, object, oneOf } from '../schema'
import { podMakerFields, replicaScale } from './pod-template'
import { replicaCounts, workloadConditions } from './workload-status'

/** Interchangeable replicas of one template, replaced step by step when the template changes. */
export const deployment = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true, scale: replicaScale },
  fields: object(
    {
      spec: object(
        {
          ...podMakerFields,
          paused: boolean(),
          progressDeadlineSeconds: int32(),
          replicas: int32(),
          revisionHistoryLimit: int32(),
          strategy: object(
            {
              rollingUpdate: object({ maxSurge: intOrString(), maxUnavailable: intOrString() }),
              type: oneOf(['Recreate', 'RollingUpdate']),
            },
            { 'x-kubernetes-patch-strategy': 'retainKeys' },
          ),
        },
        { required: ['selector', 'template'] },
      ),
      status: object({
        ...replicaCounts,
        collisionCount: int32(),
        conditions: workloadConditions,
        terminatingReplicas: int32(),
        unavailableReplicas: int32(),
        updatedReplicas: int32(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type Deployment = ObjectOf<typeof deployment>
