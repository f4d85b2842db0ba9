import { defineKind, type ObjectOf } from '../kind'
import { anything, boolean, int32, int64, map, object, string, time } from '../schema'
import { labelSelector } from './affinity'
import { atomicList } from './lists'
import { podTemplate } from './pod-template'
import { workloadCondition } from './workload-status'

/** Pods that run until enough of them have succeeded. */
export const job = defineKind({
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  printerColumns: [
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Containers', type: 'string', jsonPath: '.spec.template.spec.containers[*].name', priority: 1 },
    { name: 'Images', type: 'string', jsonPath: '.spec.template.spec.containers[*].image', priority: 1 },
  ],
  fields: object({
    spec: object({
      activeDeadlineSeconds: int64(),
      backoffLimit: int32(),
      backoffLimitPerIndex: int32(),
      completionMode: string(),
      completions: int32(),
      managedBy: string(),
      manualSelector: boolean(),
      maxFailedIndexes: int32(),
      parallelism: int32(),
      podFailurePolicy: anything(),
      podReplacementPolicy: string(),
      selector: labelSelector,
      successPolicy: anything(),
      suspend: boolean(),
      template: podTemplate,
      ttlSecondsAfterFinished: int32(),
    }, { required: ['template'] }),
    status: object({
      active: int32(),
      completedIndexes: string(),
      completionTime: time(),
      conditions: atomicList(workloadCondition),
      failed: int32(),
      failedIndexes: string(),
      ready: int32(),
      startTime: time(),
      succeeded: int32(),
      terminating: int32(),
      uncountedTerminatedPods: map(atomicList(string())),
    }),
  }, { required: ['spec'] }),
})

export type Job = ObjectOf<typeof job>
