/** The rules of budgets, priorities and autoscaling. */
import { deepEqual } from '@/lib/std/equal'
import { isFields } from '@/lib/std/fields'
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { HorizontalPodAutoscaler, Lease, PodDisruptionBudget, PriorityClass } from '../kinds'
import type { UnknownObject } from '../object'
import { validateConditions } from './conditions'
import { validateBehavior, validateMetric, validateSegment } from './autoscaling'
import { validateLabelSelector } from './label-selector'
import { validateCount, validateCounts, validateShareOfWhole } from './numbers'

/** PodDisruptionBudget: one of its two limits, and pods to count. */
export function validateBudget(object: UnknownObject): FieldError[] {
  const { spec } = object as unknown as PodDisruptionBudget
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy = null } = spec
  const shown = {
    MinAvailable: minAvailable,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
  }
  const both = minAvailable !== undefined && maxUnavailable !== undefined
  return [
    ...(both ? [invalidField('spec', shown, 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...validateShareOfWhole(minAvailable, 'spec.minAvailable'),
    ...validateShareOfWhole(maxUnavailable, 'spec.maxUnavailable'),
    ...validateLabelSelector(selector, 'spec.selector'),
  ]
}

/** The counts of a budget. */
export function validateBudgetStatus(next: UnknownObject): FieldError[] {
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']
  const { conditions = [] } = (next.status ?? {}) as NonNullable<PodDisruptionBudget['status']>
  return [
    ...validateConditions(conditions, 'status.conditions'),
    ...validateCounts((next.status ?? {}) as object, counts, 'status'),
  ]
}

const HIGHEST_USER_PRIORITY = 1_000_000_000
const RESERVED = 'system-'
/** The classes that a kube-apiserver creates itself, with their values. */
const SYSTEM_CLASSES: ReadonlyMap<string, number> = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
])

/** PriorityClass: values of users stay below those of the system. */
export function validatePriorityClass(object: UnknownObject): FieldError[] {
  const { metadata, value, globalDefault = false } = object as unknown as PriorityClass
  if (metadata.name?.startsWith(RESERVED)) {
    const error = notOfSystem(metadata.name, value, globalDefault)
    const rule = "priority class names with 'system-' prefix are reserved for system use only"
    return error === undefined ? [] : [forbiddenField('metadata.name', `${rule}. error: ${error}`)]
  }
  if (value <= HIGHEST_USER_PRIORITY) return []
  return [forbiddenField('value', `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`)]
}

/** Upstream's IsKnownSystemPriorityClass. */
function notOfSystem(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = SYSTEM_CLASSES.get(name)
  if (known === undefined) return `${name} is not a known system priority class`
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined
}

/** The value of a priority class is immutable. */
export function validatePriorityClassUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  return [
    ...(next.value === old.value ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
    ...(next.preemptionPolicy === old.preemptionPolicy
      ? []
      : [invalidField('preemptionPolicy', next.preemptionPolicy, 'field is immutable')]),
  ]
}

/** ControllerRevision: it records something, and is counted upwards. */
export function validateRevision(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const { data } = object as { data?: unknown }
  const isMissing = data === undefined || data === null
  const problem = isMissing ? 'data is mandatory' : isFields(data) ? undefined : 'data must be a valid JSON object'
  const missing = old || problem === undefined ? [] : [requiredField('data', problem)]
  return [...missing, ...validateCount(object.revision as number | undefined, 'revision')]
}

/** Lease: held for a while, by one after the other. */
export function validateLease(object: UnknownObject): FieldError[] {
  const { leaseDurationSeconds: duration, leaseTransitions } = (object as unknown as Lease).spec ?? {}
  const field = 'spec.leaseDurationSeconds'
  return [
    ...(duration !== undefined && duration <= 0 ? [invalidField(field, duration, 'must be greater than 0')] : []),
    ...validateCount(leaseTransitions, 'spec.leaseTransitions'),
  ]
}

/** ControllerRevision: it records, and a record does not change. */
export function validateRevisionUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  if (deepEqual(next.data, old.data)) return []
  // What a patch goes through is sorted, and what it copies or sends stays as it is.
  const shown = isFields(next.data)
    ? Object.fromEntries(Object.entries(next.data).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : next.data
  return [invalidField('data', shown ?? null, 'field is immutable')]
}

/** HorizontalPodAutoscaler: bounds, a target, and metrics that name their source. */
export function validateAutoscaler(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const { spec } = object as unknown as HorizontalPodAutoscaler
  const { minReplicas = 1, maxReplicas, scaleTargetRef: target, metrics = [], behavior } = spec
  return [
    ...(minReplicas < 1 ? [invalidField('spec.minReplicas', minReplicas, 'must be greater than or equal to 1')] : []),
    ...validateMost(maxReplicas),
    ...(maxReplicas < minReplicas
      ? [invalidField('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...validateReference(
      target,
      'spec.scaleTargetRef',
      (old as HorizontalPodAutoscaler | undefined)?.spec.scaleTargetRef,
    ),
    ...metrics.flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`)),
    ...(minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')
      ? [forbiddenField('spec.metrics', NOTHING_AT_ZERO)]
      : []),
    ...validateBehavior(behavior, 'spec.behavior'),
  ]
}

const NOTHING_AT_ZERO = 'must specify at least one Object or External metric to support scaling to zero replicas'

function validateMost(most: number): FieldError[] {
  if (most === 0) return [requiredField('spec.maxReplicas', 'must be set and greater than 0')]
  return most < 0 ? [invalidField('spec.maxReplicas', most, 'must be greater than or equal to 1')] : []
}

/** The counts of an autoscaler. */
export function validateAutoscalerStatus(next: UnknownObject): FieldError[] {
  return validateCounts((next.status ?? {}) as object, ['currentReplicas', 'desiredReplicas'], 'status')
}

type Target = Partial<HorizontalPodAutoscaler['spec']['scaleTargetRef']>

function validateReference(target: Target = {}, field: string, before?: Target): FieldError[] {
  return [
    ...(['kind', 'name'] as const).flatMap((name) => validateSegment(target[name], `${field}.${name}`)),
    ...validateTargetVersion(target, `${field}.apiVersion`, before),
  ]
}

/** Of the core group only ReplicationController is scaled. An update may keep what was accepted once. */
function validateTargetVersion(target: Target, field: string, before?: Target): FieldError[] {
  const { apiVersion = '', kind = '' } = target
  if (before && (before.apiVersion ?? '') === apiVersion && (before.kind ?? '') === kind) return []
  const parts = apiVersion.split('/')
  if (parts.length > 2) return [invalidField(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  if (kind === 'ReplicationController' || (parts.length === 2 && parts[0] !== '')) return []
  return [invalidField(field, apiVersion, 'apiVersion must specify API group')]
}
