import { defineKind, type ObjectOf } from '../kind'
import { boolean, int32, int64, object, string, time } from '../schema'
import { labelSelector } from './affinity'
import { atomicList, setOf } from './lists'
import { podTemplate } from './pod-template'
import { workloadCondition } from './workload-status'

const podFailureRule = object(
  {
    action: string(),
    onExitCodes: object(
      { containerName: string(), operator: string(), values: setOf(int32()) },
      { required: ['operator', 'values'] },
    ),
    onPodConditions: atomicList(object({ status: string(), type: string() }, { required: ['type', 'status'] })),
  },
  { required: ['action'] },
)

/** `batch.v1.JobSpec`, also the heart of the template of a CronJob. */
export const jobSpec = object(
  {
    activeDeadlineSeconds: int64(),
    backoffLimit: int32(),
    backoffLimitPerIndex: int32(),
    completionMode: string(),
    completions: int32(),
    managedBy: string(),
    manualSelector: boolean(),
    maxFailedIndexes: int32(),
    parallelism: int32(),
    podFailurePolicy: object({ rules: atomicList(podFailureRule) }, { required: ['rules'] }),
    podReplacementPolicy: string(),
    selector: labelSelector,
    successPolicy: object(
      { rules: atomicList(object({ succeededCount: int32(), succeededIndexes: string() })) },
      { required: ['rules'] },
    ),
    suspend: boolean(),
    template: podTemplate,
    ttlSecondsAfterFinished: int32(),
  },
  { required: ['template'] },
)

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
  fields: object(
    {
      spec: jobSpec,
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
        uncountedTerminatedPods: object({ failed: setOf(string()), succeeded: setOf(string()) }),
      }),
    },
    { required: ['spec'] },
  ),
})

export type Job = ObjectOf<typeof job>
