import { defineKind, type ObjectOf } from '../kind'
import { boolean, int32, int64, intOrString, object, oneOf } from '../schema'
import { labelSelector } from './affinity'
import { podTemplate } from './pod-template'
import { workloadConditions } from './workload-status'

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
  subresources: {
    status: true,
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  printerColumns: [
    { name: 'Up-to-date', type: 'string', jsonPath: '.status.updatedReplicas' },
    { name: 'Available', type: 'string', jsonPath: '.status.availableReplicas' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Containers', type: 'string', jsonPath: '.spec.template.spec.containers[*].name', priority: 1 },
    { name: 'Images', type: 'string', jsonPath: '.spec.template.spec.containers[*].image', priority: 1 },
  ],
  fields: object({
    spec: object({
      minReadySeconds: int32(),
      paused: boolean(),
      progressDeadlineSeconds: int32(),
      replicas: int32(),
      revisionHistoryLimit: int32(),
      selector: labelSelector,
      strategy: object({
        rollingUpdate: object({ maxSurge: intOrString(), maxUnavailable: intOrString() }),
        type: oneOf(['Recreate', 'RollingUpdate']),
      }, { 'x-kubernetes-patch-strategy': 'retainKeys' }),
      template: podTemplate,
    }, { required: ['selector', 'template'] }),
    status: object({
      availableReplicas: int32(),
      collisionCount: int32(),
      conditions: workloadConditions,
      observedGeneration: int64(),
      readyReplicas: int32(),
      replicas: int32(),
      terminatingReplicas: int32(),
      unavailableReplicas: int32(),
      updatedReplicas: int32(),
    }),
  }, { required: ['spec'] }),
})

export type Deployment = ObjectOf<typeof deployment>
