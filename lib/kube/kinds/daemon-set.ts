import { defineKind, type ObjectOf } from '../kind'
import { int32, int64, intOrString, object, oneOf } from '../schema'
import { labelSelector } from './affinity'
import { podTemplate } from './pod-template'
import { workloadConditions } from './workload-status'

/** One replica on every node that fits. */
export const daemonSet = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  printerColumns: [
    { name: 'Desired', type: 'integer', jsonPath: '.status.desiredNumberScheduled' },
    { name: 'Current', type: 'integer', jsonPath: '.status.currentNumberScheduled' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.numberReady' },
    { name: 'Up-to-date', type: 'integer', jsonPath: '.status.updatedNumberScheduled' },
    { name: 'Available', type: 'integer', jsonPath: '.status.numberAvailable' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Containers', type: 'string', jsonPath: '.spec.template.spec.containers[*].name', priority: 1 },
    { name: 'Images', type: 'string', jsonPath: '.spec.template.spec.containers[*].image', priority: 1 },
  ],
  fields: object({
    spec: object({
      minReadySeconds: int32(),
      revisionHistoryLimit: int32(),
      selector: labelSelector,
      template: podTemplate,
      updateStrategy: object({
        rollingUpdate: object({ maxSurge: intOrString(), maxUnavailable: intOrString() }),
        type: oneOf(['OnDelete', 'RollingUpdate']),
      }),
    }, { required: ['selector', 'template'] }),
    status: object({
      collisionCount: int32(),
      conditions: workloadConditions,
      currentNumberScheduled: int32(),
      desiredNumberScheduled: int32(),
      numberAvailable: int32(),
      numberMisscheduled: int32(),
      numberReady: int32(),
      numberUnavailable: int32(),
      observedGeneration: int64(),
      updatedNumberScheduled: int32(),
    }),
  }, { required: ['spec'] }),
})

export type DaemonSet = ObjectOf<typeof daemonSet>
