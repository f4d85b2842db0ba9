import { defineKind, type ObjectOf } from '../kind'
import { array, boolean, int32, object, string, time } from '../schema'
import { federatedScaleTarget } from './federated-hpa'

const rule = object(
  {
    failedHistoryLimit: int32({ default: 3, maximum: 32, minimum: 0 }),
    name: string({ maxLength: 32, minLength: 1 }),
    schedule: string(),
    successfulHistoryLimit: int32({ default: 3, maximum: 32, minimum: 1 }),
    suspend: boolean({ default: false }),
    targetMaxReplicas: int32(),
    targetMinReplicas: int32(),
    targetReplicas: int32(),
    timeZone: string(),
  },
  { required: ['name', 'schedule'] },
)

const history = object(
  {
    failedExecutions: array(
      object(
        { executionTime: time(), message: string(), scheduleTime: time() },
        { required: ['executionTime', 'message', 'scheduleTime'] },
      ),
    ),
    nextExecutionTime: time(),
    ruleName: string(),
    successfulExecutions: array(
      object(
        {
          appliedMaxReplicas: int32(),
          appliedMinReplicas: int32(),
          appliedReplicas: int32(),
          executionTime: time(),
          scheduleTime: time(),
        },
        { required: ['executionTime', 'scheduleTime'] },
      ),
    ),
  },
  { required: ['ruleName'] },
)

/** Sets the replicas of a workload, or the bounds of its FederatedHPA, at the times of a schedule. */
export const cronFederatedHpa = defineKind({
  group: 'autoscaling.karmada.io',
  version: 'v1alpha1',
  kind: 'CronFederatedHPA',
  plural: 'cronfederatedhpas',
  shortNames: ['cronfhpa'],
  categories: ['karmada-io'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { jsonPath: '.spec.scaleTargetRef.kind', name: 'REFERENCE-KIND', type: 'string' },
    { jsonPath: '.spec.scaleTargetRef.name', name: 'REFERENCE-NAME', type: 'string' },
    { jsonPath: '.metadata.creationTimestamp', name: 'AGE', type: 'date' },
  ],
  fields: object(
    {
      spec: object(
        { rules: array(rule), scaleTargetRef: federatedScaleTarget },
        { required: ['rules', 'scaleTargetRef'] },
      ),
      status: object({ executionHistories: array(history) }),
    },
    { required: ['spec'] },
  ),
})

export type CronFederatedHpa = ObjectOf<typeof cronFederatedHpa>
