/** What pods and nodes use now: computed when they are read, never stored. */
import { defineKind, type Kind, type ObjectOf } from '../kind'
import { array, map, object, quantity, string, time } from '../schema'

const metrics = { group: 'metrics.k8s.io', version: 'v1beta1', origin: 'aggregated', readOnly: true } as const
const usage = map(quantity())

/** Usage of a node. */
export const nodeMetrics = defineKind({
  ...metrics,
  kind: 'NodeMetrics',
  plural: 'nodes',
  singular: '',
  scope: 'Cluster',
  fields: object({ timestamp: time(), window: string(), usage }),
})

/** Usage of the containers of a pod. */
export const podMetrics = defineKind({
  ...metrics,
  kind: 'PodMetrics',
  plural: 'pods',
  singular: '',
  scope: 'Namespaced',
  fields: object({ timestamp: time(), window: string(), containers: array(object({ name: string(), usage })) }),
})

export type PodMetrics = ObjectOf<typeof podMetrics>

export const metricsKinds: readonly Kind[] = [nodeMetrics, podMetrics]
