/** The rules of the kinds that make pods. */
import { deepEqual } from '@/lib/std/equal'
import { type FieldError, forbiddenField, invalidField, requiredField, unsupportedField } from '../field-error'
import type { LabelSelector, PodTemplate } from '../kinds'
import type { UnknownObject } from '../object'
import { matchesRequirements, requirementsOf } from '../selector'
import { validateRestartPolicy, validateTemplate } from './pod'

interface WorkloadSpec {
  replicas?: number
  minReadySeconds?: number
  progressDeadlineSeconds?: number
  selector?: LabelSelector
  template?: PodTemplate
}

const specOf = (object: UnknownObject): WorkloadSpec => (object.spec ?? {}) as WorkloadSpec

/** Deployment, ReplicaSet, StatefulSet and DaemonSet: counts, template, and a selector that finds its pods. */
export function validateWorkload(object: UnknownObject): FieldError[] {
  const { replicas, minReadySeconds, progressDeadlineSeconds, selector, template } = specOf(object)
  return [
    ...validateCount(replicas, 'spec.replicas'),
    ...validateCount(minReadySeconds, 'spec.minReadySeconds'),
    ...validateSelector(selector, object.kind),
    ...validateMatch(selector, template),
    ...(template ? validateTemplate(template, 'spec.template') : [requiredField('spec.template.spec.containers')]),
    ...(template?.spec.restartPolicy === undefined ? [] : validateRestartPolicy(template.spec, 'spec.template.spec')),
    ...validateDeadline(progressDeadlineSeconds, minReadySeconds),
  ]
}

function validateCount(value: number | undefined, field: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalidField(field, value, 'must be greater than or equal to 0')] : []
}

function validateDeadline(deadline: number | undefined, minReady = 0): FieldError[] {
  if (deadline === undefined || deadline > minReady) return []
  return [invalidField('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
}

function validateSelector(selector: LabelSelector | undefined, kind: string): FieldError[] {
  if (!selector) return [requiredField('spec.selector')]
  const empty = !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length
  if (empty) return [invalidField('spec.selector', selector, `empty selector is invalid for ${nameInTexts(kind)}`)]
  const requirements = requirementsOf(selector)
  return requirements.ok ? [] : [invalidField('spec.selector', selector, requirements.error)]
}

/** The real server took the text for ReplicaSets from Deployments. */
function nameInTexts(kind: string): string {
  return kind === 'ReplicaSet' ? 'deployment' : kind.toLowerCase()
}

function validateMatch(selector: LabelSelector | undefined, template: PodTemplate | undefined): FieldError[] {
  const requirements = requirementsOf(selector ?? {})
  const labels = template?.metadata?.labels
  if (!selector || !requirements.ok || matchesRequirements(requirements.value, labels)) return []
  return [invalidField('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`')]
}

/** The selector is part of a workload's identity. */
export function validateSelectorUnchanged(next: UnknownObject, old: UnknownObject): FieldError[] {
  const selector = specOf(next).selector
  return deepEqual(selector, specOf(old).selector)
    ? []
    : [invalidField('spec.selector', selector, 'field is immutable')]
}

const STATEFUL_MUTABLE = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
])

/** What a running StatefulSet may still change. */
export function validateStatefulSetUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const fixed = (spec: WorkloadSpec): object =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !STATEFUL_MUTABLE.has(name)))
  if (deepEqual(fixed(specOf(next)), fixed(specOf(old)))) return []
  return [
    forbiddenField(
      'spec',
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', " +
        "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' " +
        'are forbidden',
    ),
  ]
}

/** Job: its counts, and a template whose pods may end. */
export function validateJob(object: UnknownObject): FieldError[] {
  const spec = (object.spec ?? {}) as Record<string, number | undefined> & { template?: PodTemplate }
  const counts = ['parallelism', 'completions', 'backoffLimit', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished']
  const template = spec.template as PodTemplate | undefined
  return [
    ...counts.flatMap((name) => validateCount(spec[name], `spec.${name}`)),
    ...(template ? validateTemplate(template, 'spec.template') : [requiredField('spec.template.spec.containers')]),
    ...(template?.spec.restartPolicy === 'Always'
      ? [unsupportedField('spec.template.spec.restartPolicy', 'Always', ['OnFailure', 'Never'])]
      : []),
  ]
}
