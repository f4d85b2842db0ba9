import { defineKind, type ObjectOf } from '../kind'
import { int32, int64, object } from '../schema'
import { labelSelector } from './affinity'
import { podTemplate } from './pod-template'
import { workloadConditions } from './workload-status'

/** A fixed number of replicas of one template. */
export const replicaSet = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: {
    status: true,
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  printerColumns: [
    { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Current', type: 'integer', jsonPath: '.status.replicas' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Containers', type: 'string', jsonPath: '.spec.template.spec.containers[*].name', priority: 1 },
    { name: 'Images', type: 'string', jsonPath: '.spec.template.spec.containers[*].image', priority: 1 },
  ],
  fields: object({
    spec: object({
      minReadySeconds: int32(),
      replicas: int32(),
      selector: labelSelector,
      template: podTemplate,
    }, { required: ['selector'] }),
    status: object({
      availableReplicas: int32(),
      conditions: workloadConditions,
      fullyLabeledReplicas: int32(),
      observedGeneration: int64(),
      readyReplicas: int32(),
      replicas: int32(),
      terminatingReplicas: int32(),
    }),
  }, { required: ['spec'] }),
})

export type ReplicaSet = ObjectOf<typeof replicaSet>
