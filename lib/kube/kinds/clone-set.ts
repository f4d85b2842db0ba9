/** Interchangeable replicas of one template, as OpenKruise keeps them. */
import { defineKind, type ObjectOf } from '../kind'
import { type Schema, array, boolean, int32, int64, intOrString, map, object, string, time } from '../schema'
import { labelSelector } from './affinity'
import { type PodTemplate } from './pod-template'

const raw = { 'x-kubernetes-preserve-unknown-fields': true } as const
const template: Schema<PodTemplate> = raw
const claimTemplates: Schema<unknown> = raw

const lifecycleHook = object({
  finalizersHandler: array(string()),
  labelsHandler: map(string()),
  markPodNotReady: boolean(),
})

const updateStrategy = object({
  inPlaceUpdateStrategy: object({
    gracePeriodSeconds: int32(),
    imagePreDownloadMinUpdatedReadyPods: int32(),
    imagePreDownloadParallelism: intOrString(),
    imagePreDownloadTimeoutSeconds: int32(),
  }),
  maxSurge: intOrString(),
  maxUnavailable: intOrString(),
  partition: intOrString(),
  paused: boolean(),
  priorityStrategy: object({
    orderPriority: array(object({ orderedKey: string() }, { required: ['orderedKey'] })),
    weightPriority: array(
      object({ matchSelector: labelSelector, weight: int32() }, { required: ['matchSelector', 'weight'] }),
    ),
  }),
  scatterStrategy: array(object({ key: string(), value: string() }, { required: ['key', 'value'] })),
  type: string(),
})

/** Pods of one template; a new template replaces them according to `updateStrategy`. */
export const cloneSet = defineKind({
  group: 'apps.kruise.io',
  version: 'v1alpha1',
  kind: 'CloneSet',
  plural: 'clonesets',
  shortNames: ['clone'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: {
    status: true,
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.labelSelector',
    },
  },
  printerColumns: [
    { name: 'DESIRED', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'UPDATED', type: 'integer', jsonPath: '.status.updatedReplicas' },
    { name: 'UPDATED_READY', type: 'integer', jsonPath: '.status.updatedReadyReplicas' },
    { name: 'UPDATED_AVAILABLE', type: 'integer', jsonPath: '.status.updatedAvailableReplicas' },
    { name: 'READY', type: 'integer', jsonPath: '.status.readyReplicas' },
    { name: 'TOTAL', type: 'integer', jsonPath: '.status.replicas' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'CONTAINERS', type: 'string', jsonPath: '.spec.template.spec.containers[*].name', priority: 1 },
    { name: 'IMAGES', type: 'string', jsonPath: '.spec.template.spec.containers[*].image', priority: 1 },
    { name: 'SELECTOR', type: 'string', jsonPath: '.status.labelSelector', priority: 1 },
  ],
  fields: object({
    spec: object(
      {
        lifecycle: object({ inPlaceUpdate: lifecycleHook, preDelete: lifecycleHook, preNormal: lifecycleHook }),
        minReadySeconds: int32(),
        progressDeadlineSeconds: int32(),
        replicas: int32(),
        revisionHistoryLimit: int32(),
        scaleStrategy: object({
          disablePVCReuse: boolean(),
          maxUnavailable: intOrString(),
          podsToDelete: array(string()),
        }),
        selector: labelSelector,
        template,
        updateStrategy,
        volumeClaimTemplates: claimTemplates,
      },
      { required: ['selector', 'template'] },
    ),
    status: object(
      {
        availableReplicas: int32(),
        collisionCount: int32(),
        conditions: array(
          object(
            {
              lastTransitionTime: time(),
              lastUpdateTime: time(),
              message: string(),
              reason: string(),
              status: string(),
              type: string(),
            },
            { required: ['status', 'type'] },
          ),
        ),
        currentRevision: string(),
        expectedUpdatedReplicas: int32(),
        labelSelector: string(),
        observedGeneration: int64(),
        readyReplicas: int32(),
        replicas: int32(),
        updateRevision: string(),
        updatedAvailableReplicas: int32(),
        updatedReadyReplicas: int32(),
        updatedReplicas: int32(),
      },
      { required: ['availableReplicas', 'readyReplicas', 'replicas', 'updatedReadyReplicas', 'updatedReplicas'] },
    ),
  }),
})

export type CloneSet = ObjectOf<typeof cloneSet>
