import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, int32, int64, object, string, time } from '../schema'

/** The template of a workload, by name. */
export const objectReference = object(
  { apiVersion: string(), kind: string(), name: string(), namespace: string() },
  { required: ['apiVersion', 'kind', 'name'] },
)

/** Result for one workload: `Successful` once its trigger was written, else `Failed` with a reason. */
export const observedWorkload = object(
  { reason: string(), result: string(), workload: objectReference },
  { required: ['workload'] },
)

/** Triggers a fresh rescheduling of the listed workloads once. */
export const workloadRebalancer = defineKind({
  group: 'apps.karmada.io',
  version: 'v1alpha1',
  kind: 'WorkloadRebalancer',
  plural: 'workloadrebalancers',
  scope: 'Cluster',
  origin: 'crd',
  subresources: { status: true },
  fields: object(
    {
      spec: object(
        { ttlSecondsAfterFinished: int32(), workloads: array(objectReference, { minItems: 1 }) },
        { required: ['workloads'] },
      ),
      status: object({ finishTime: time(), observedGeneration: int64(), observedWorkloads: array(observedWorkload) }),
    },
    { required: ['spec'] },
  ),
})

export type WorkloadRebalancer = ObjectOf<typeof workloadRebalancer>
export type WorkloadReference = Infer<typeof objectReference>
export type ObservedWorkload = Infer<typeof observedWorkload>
