import { defineKind, type ObjectOf } from '../kind'
import { type Infer, int32, int64, object, oneOf, quantity, string, time } from '../schema'
import { labelSelector } from './affinity'
import { atomicList, keyedList } from './lists'
import { workloadCondition } from './workload-status'

export const scaleTarget = object(
  { apiVersion: string(), kind: string(), name: string() },
  { required: ['kind', 'name'] },
)
const metricIdentifier = object({ name: string(), selector: labelSelector }, { required: ['name'] })

const metricTarget = object(
  { averageUtilization: int32(), averageValue: quantity(), type: string(), value: quantity() },
  { required: ['type'] },
)

const metricCurrent = object({ averageUtilization: int32(), averageValue: quantity(), value: quantity() })

const describedObject = object({ apiVersion: string(), kind: string(), name: string() }, { required: ['kind', 'name'] })

/** One metric. Exactly one source is set, the one that `type` names. */
export const metricSpec = object(
  {
    containerResource: object(
      { container: string(), name: string(), target: metricTarget },
      { required: ['container', 'name', 'target'] },
    ),
    external: object({ metric: metricIdentifier, target: metricTarget }, { required: ['metric', 'target'] }),
    object: object(
      { describedObject, metric: metricIdentifier, target: metricTarget },
      { required: ['describedObject', 'metric', 'target'] },
    ),
    pods: object({ metric: metricIdentifier, target: metricTarget }, { required: ['metric', 'target'] }),
    resource: object({ name: string(), target: metricTarget }, { required: ['name', 'target'] }),
    type: string(),
  },
  { required: ['type'] },
)

export const metricStatus = object(
  {
    containerResource: object(
      { container: string(), current: metricCurrent, name: string() },
      { required: ['container', 'current', 'name'] },
    ),
    external: object({ current: metricCurrent, metric: metricIdentifier }, { required: ['current', 'metric'] }),
    object: object(
      { current: metricCurrent, describedObject, metric: metricIdentifier },
      { required: ['current', 'describedObject', 'metric'] },
    ),
    pods: object({ current: metricCurrent, metric: metricIdentifier }, { required: ['current', 'metric'] }),
    resource: object({ current: metricCurrent, name: string() }, { required: ['current', 'name'] }),
    type: string(),
  },
  { required: ['type'] },
)

/** How fast replicas may be added or removed; `selectPolicy` is an enumeration for typed servers only. */
export const scalingFields = {
  policies: atomicList(
    object(
      { periodSeconds: int32(), type: string(), value: int32() },
      { required: ['periodSeconds', 'type', 'value'] },
    ),
  ),
  selectPolicy: string(),
  stabilizationWindowSeconds: int32(),
  tolerance: quantity(),
}

const scalingRules = object({ ...scalingFields, selectPolicy: oneOf(['Disabled', 'Max', 'Min']) })

/** What an autoscaler reports beside its conditions. */
export const scalerCounts = {
  currentMetrics: atomicList(metricStatus),
  currentReplicas: int32(),
  desiredReplicas: int32(),
  lastScaleTime: time(),
  observedGeneration: int64(),
}

/** Scales a workload by its metrics. */
export const horizontalPodAutoscaler = defineKind({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object(
        {
          behavior: object({ scaleDown: scalingRules, scaleUp: scalingRules }),
          maxReplicas: int32(),
          metrics: atomicList(metricSpec),
          minReplicas: int32(),
          scaleTargetRef: scaleTarget,
        },
        { required: ['scaleTargetRef', 'maxReplicas'] },
      ),
      status: object(
        { conditions: keyedList(workloadCondition, 'type'), ...scalerCounts },
        { required: ['desiredReplicas'] },
      ),
    },
    { required: ['spec'] },
  ),
})

export type HorizontalPodAutoscaler = ObjectOf<typeof horizontalPodAutoscaler>
export type MetricSpec = Infer<typeof metricSpec>
export type MetricStatus = Infer<typeof metricStatus>
