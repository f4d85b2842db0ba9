import { defineKind, type ObjectOf } from '../kind'
import { array, int32, object, string, time } from '../schema'
import { metricSpec, scalerCounts, scalingFields } from './horizontal-pod-autoscaler'

/** The workload that is scaled. */
export const federatedScaleTarget = object(
  { apiVersion: string(), kind: string(), name: string() },
  { required: ['kind', 'name'] },
)

const condition = object(
  { lastTransitionTime: time(), message: string(), reason: string(), status: string(), type: string() },
  { required: ['status', 'type'] },
)

/** Scales a workload by the metrics of all member clusters together. */
export const federatedHpa = defineKind({
  group: 'autoscaling.karmada.io',
  version: 'v1alpha1',
  kind: 'FederatedHPA',
  plural: 'federatedhpas',
  shortNames: ['fhpa'],
  categories: ['karmada-io'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { jsonPath: '.spec.scaleTargetRef.kind', name: 'REFERENCE-KIND', type: 'string' },
    { jsonPath: '.spec.scaleTargetRef.name', name: 'REFERENCE-NAME', type: 'string' },
    { jsonPath: '.spec.minReplicas', name: 'MINPODS', type: 'integer' },
    { jsonPath: '.spec.maxReplicas', name: 'MAXPODS', type: 'integer' },
    { jsonPath: '.status.currentReplicas', name: 'REPLICAS', type: 'integer' },
    { jsonPath: '.metadata.creationTimestamp', name: 'AGE', type: 'date' },
  ],
  fields: object(
    {
      spec: object(
        {
          behavior: object({ scaleDown: object(scalingFields), scaleUp: object(scalingFields) }),
          maxReplicas: int32(),
          metrics: array(metricSpec),
          minReplicas: int32(),
          scaleTargetRef: federatedScaleTarget,
        },
        { required: ['maxReplicas', 'scaleTargetRef'] },
      ),
      status: object(
        {
          conditions: array(condition, { 'x-kubernetes-list-map-keys': ['type'], 'x-kubernetes-list-type': 'map' }),
          ...scalerCounts,
        },
        { required: ['desiredReplicas'] },
      ),
    },
    { required: ['spec'] },
  ),
})

export type FederatedHpa = ObjectOf<typeof federatedHpa>
