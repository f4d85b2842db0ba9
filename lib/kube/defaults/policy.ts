/** The defaults of budgets, limits, priorities and autoscaling. */
import { omit } from '@/lib/std/omit'
import { emptyOrNull } from '../go-encoding'
import type { HorizontalPodAutoscaler, LimitRange, PodDisruptionBudget, PriorityClass, ResourceQuota } from '../kinds'

/** A PodDisruptionBudget as an API server completes it: its counts are always shown. */
export function defaultBudget(object: PodDisruptionBudget): PodDisruptionBudget {
  const counts = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }
  return { ...object, spec: object.spec ?? {}, status: { ...counts, ...object.status } }
}

/** A ResourceQuota as an API server completes it. */
export function defaultQuota(object: ResourceQuota): ResourceQuota {
  return { ...object, spec: object.spec ?? {}, status: object.status ?? {} }
}

/** A PriorityClass as an API server completes it. */
export function defaultPriorityClass(object: PriorityClass): PriorityClass {
  return { ...object, value: object.value ?? 0, preemptionPolicy: object.preemptionPolicy ?? 'PreemptLowerPriority' }
}

/** A LimitRange as an API server completes it: a container's maximum is its limit, and its limit is its request. */
export function defaultLimitRange(object: LimitRange): LimitRange {
  const limits = (object.spec?.limits ?? []).map((item) => {
    if (item.type !== 'Container') return item
    const limit = { ...item.max, ...item.default }
    const request = { ...item.min, ...limit, ...item.defaultRequest }
    return { ...item, ...filled('default', limit), ...filled('defaultRequest', request) }
  })
  return { ...object, spec: { ...object.spec, limits: limits.length > 0 ? limits : (null as never) } }
}

function filled(name: string, amounts: object): object {
  return Object.keys(amounts).length > 0 ? { [name]: amounts } : {}
}

type Behavior = NonNullable<HorizontalPodAutoscaler['spec']['behavior']>

/** Up at once, by four pods or to the double, whichever is more. */
const SCALE_UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max' as const,
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}
/** Down as far as needed. */
const SCALE_DOWN = { selectPolicy: 'Max' as const, policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] }

const CPU_AT_80_PERCENT = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}

/** A HorizontalPodAutoscaler as an API server completes it. */
export function defaultAutoscaler(object: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  const spec = object.spec ?? {}
  const status = { desiredReplicas: 0, ...object.status }
  return {
    ...object,
    spec: {
      ...spec,
      minReplicas: spec.minReplicas ?? 1,
      maxReplicas: spec.maxReplicas ?? 0,
      metrics: spec.metrics ?? [CPU_AT_80_PERCENT],
      ...(spec.behavior && { behavior: defaultBehavior(spec.behavior) }),
    },
    status: { ...status, currentMetrics: status.currentMetrics ?? (null as never) },
  }
}

/** An empty list of policies is not a missing one. */
const isEmptied = (rules: object | undefined): boolean => rules !== undefined && emptyOrNull(rules, 'policies') !== null

function defaultBehavior({ scaleUp, scaleDown }: Behavior): Behavior {
  return {
    scaleUp: { ...(isEmptied(scaleUp) ? omit(SCALE_UP, 'policies') : SCALE_UP), ...scaleUp },
    scaleDown: { ...(isEmptied(scaleDown) ? omit(SCALE_DOWN, 'policies') : SCALE_DOWN), ...scaleDown },
  }
}
