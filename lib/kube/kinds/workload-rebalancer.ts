import { defineKind, type ObjectOf } from '../kind'
import { array, int32, int64, object, string, time } from '../schema'

/** Triggers a fresh rescheduling of the listed workloads once. */
export const workloadRebalancer = defineKind({
  group: 'apps.karmada.io',
  version: 'v1alpha1',
  kind: 'WorkloadRebalancer',
  plural: 'workloadrebalancers',
  shortNames: [],
  categories: [],
  scope: 'Cluster',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
  ],
  fields: object({
    spec: object({
      ttlSecondsAfterFinished: int32(),
      workloads: array(object({
        apiVersion: string(),
        kind: string(),
        name: string(),
        namespace: string(),
      }, { required: ['apiVersion', 'kind', 'name'] }), { minItems: 1 }),
    }, { required: ['workloads'] }),
    status: object({
      finishTime: time(),
      observedGeneration: int64(),
      observedWorkloads: array(object({
        reason: string(),
        result: string(),
        workload: object({
          apiVersion: string(),
          kind: string(),
          name: string(),
          namespace: string(),
        }, { required: ['apiVersion', 'kind', 'name'] }),
      }, { required: ['workload'] })),
    }),
  }, { required: ['spec'] }),
})

export type WorkloadRebalancer = ObjectOf<typeof workloadRebalancer>
