/** HorizontalPodAutoscalers as `autoscaling/v1` shows them: one share of CPU; all else is in annotations. */
import { defineKind, type Kind } from '../kind'
import type { UnknownObject } from '../object'
import { int32, int64, object, time } from '../schema'
import {
  type HorizontalPodAutoscaler,
  horizontalPodAutoscaler,
  type MetricSpec,
  type MetricStatus,
  scaleTarget,
} from './horizontal-pod-autoscaler'

const PREFIX = 'autoscaling.alpha.kubernetes.io/'
const UTILIZATION = 'targetCPUUtilizationPercentage'
const CURRENT_UTILIZATION = 'currentCPUUtilizationPercentage'

const isCpu = (metric: MetricSpec | MetricStatus): boolean =>
  metric.type === 'Resource' && metric.resource?.name === 'cpu'

/** Fields that version 1 lacks, by their annotation. */
type Kept = Readonly<Record<string, unknown>>

function read(object: UnknownObject): UnknownObject {
  if (object.apiVersion === 'autoscaling/v1') return object
  const { spec, status, metadata } = object as unknown as HorizontalPodAutoscaler
  const { metrics = [], behavior, ...shared } = spec
  const { currentMetrics, conditions, ...counts } = status ?? { desiredReplicas: 0 }
  const target = metrics.find((metric) => isCpu(metric) && metric.resource?.target.averageUtilization !== undefined)
  const current = (currentMetrics ?? []).find(isCpu)?.resource?.current.averageUtilization
  const others = metrics.filter((metric) => metric !== target)
  const kept = annotated({
    metrics: others.length > 0 ? others : undefined,
    behavior,
    'current-metrics': currentMetrics ?? undefined,
    conditions,
  })
  const annotations = { ...metadata.annotations, ...kept }
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: { ...shared, ...(target && { [UTILIZATION]: target.resource?.target.averageUtilization }) },
    status: { currentReplicas: 0, ...counts, ...(current !== undefined && { [CURRENT_UTILIZATION]: current }) },
  }
}

function annotated(kept: Kept): Record<string, string> {
  const present = Object.entries(kept).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present.map(([name, value]) => [`${PREFIX}${name}`, JSON.stringify(value)]))
}

function write(object: UnknownObject): UnknownObject {
  if (object.apiVersion === 'autoscaling/v2') return object
  const { metadata } = object
  const { [UTILIZATION]: utilization, ...shared } = (object.spec ?? {}) as Record<string, unknown>
  const { metrics = [], behavior, 'current-metrics': currentMetrics, conditions } = keptIn(metadata.annotations)
  const target = { type: 'Utilization', averageUtilization: utilization }
  const cpu = utilization === undefined ? [] : [{ type: 'Resource', resource: { name: 'cpu', target } }]
  const all = [...cpu, ...(Array.isArray(metrics) ? (metrics as unknown[]) : [])]
  const { [CURRENT_UTILIZATION]: current, ...counts } = (object.status ?? {}) as Record<string, unknown>
  const used = current === undefined ? null : [currentCpu(current)]
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withoutKept(metadata),
    spec: { ...shared, ...(all.length > 0 && { metrics: all }), ...(behavior !== undefined && { behavior }) },
    status: { ...counts, currentMetrics: currentMetrics ?? used, ...(conditions !== undefined && { conditions }) },
  }
}

const currentCpu = (averageUtilization: unknown): object => ({
  type: 'Resource',
  resource: { name: 'cpu', current: { averageUtilization } },
})

/** The values in the annotations. Invalid JSON in an annotation of a user is ignored. */
function keptIn(annotations: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const own = Object.entries(annotations).filter(([name]) => name.startsWith(PREFIX))
  return Object.fromEntries(own.map(([name, text]) => [name.slice(PREFIX.length), parsed(text)]))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function withoutKept({ annotations, ...metadata }: UnknownObject['metadata']): UnknownObject['metadata'] {
  const others = Object.entries(annotations ?? {}).filter(([name]) => !name.startsWith(PREFIX))
  return others.length > 0 ? { ...metadata, annotations: Object.fromEntries(others) } : metadata
}

const { group, kind, plural, shortNames, categories, scope, origin, subresources } = horizontalPodAutoscaler

const definition = defineKind({
  group,
  version: 'v1',
  kind,
  plural,
  shortNames,
  categories,
  scope,
  origin,
  subresources,
  fields: object(
    {
      spec: object(
        {
          maxReplicas: int32(),
          minReplicas: int32(),
          scaleTargetRef: { ...scaleTarget, 'x-kubernetes-map-type': 'atomic' },
          [UTILIZATION]: int32(),
        },
        { required: ['scaleTargetRef', 'maxReplicas'] },
      ),
      status: object(
        {
          currentCPUUtilizationPercentage: int32(),
          currentReplicas: int32(),
          desiredReplicas: int32(),
          lastScaleTime: time(),
          observedGeneration: int64(),
        },
        { required: ['currentReplicas', 'desiredReplicas'] },
      ),
    },
    { required: ['spec'] },
  ),
})

export const horizontalPodAutoscalerV1: Kind = { ...definition, storedAs: { group, version: 'v2', read, write } }
