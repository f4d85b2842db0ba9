/** The targets of a HorizontalPodAutoscaler, as `kubectl get` shows them. */
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { NONE } from './reading'

const UNKNOWN = '<unknown>'
const SHOWN = 2

type Source = 'containerResource' | 'external' | 'object' | 'pods' | 'resource'

/** `cpu: 10%/80%, 3/5`, current value before target. */
export function metricTargets(object: UnknownObject): string {
  const { spec, status } = object as unknown as HorizontalPodAutoscaler
  const metrics = spec.metrics ?? []
  if (metrics.length === 0) return NONE
  const texts = metrics.map((metric, index) => targetText(metric, status?.currentMetrics?.[index]))
  const shown = texts.slice(0, SHOWN).join(', ')
  return texts.length > SHOWN ? `${shown} + ${texts.length - SHOWN} more...` : shown
}

function targetText(metric: MetricSpec, current: MetricStatus | undefined): string {
  const source = `${metric.type[0]?.toLowerCase() ?? ''}${metric.type.slice(1)}` as Source
  const target = metric[source]?.target
  const now = current?.[source]?.current
  if (!target) return '<unknown type>'
  const isResource = source === 'resource' || source === 'containerResource'
  const name = isResource ? `${(metric[source] as { name: string }).name}: ` : ''
  if (target.averageValue !== undefined) {
    const average = isResource || source === 'pods' ? '' : ' (avg)'
    return `${name}${now?.averageValue ?? UNKNOWN}/${target.averageValue}${average}`
  }
  if (!isResource) return `${now?.value ?? UNKNOWN}/${target.value ?? UNKNOWN}`
  const percent = (value: number | undefined, absent: string): string => (value === undefined ? absent : `${value}%`)
  return `${name}${percent(now?.averageUtilization, UNKNOWN)}/${percent(target.averageUtilization, '<auto>')}`
}
