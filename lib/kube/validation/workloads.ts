/** The rules of the kinds that make pods. */
import { deepEqual } from '@/lib/std/equal'
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { Deployment, LabelSelector, PodTemplate } from '../kinds'
import type { UnknownObject } from '../object'
import { matchesRequirements, requirementsOf } from '../selector'
import { checkDnsLabel } from './formats'
import { validateLabelSelector } from './label-selector'
import { validateCount, validateShare, validateShareOfWhole } from './numbers'
import { validateRestartPolicy, validateTemplate, validateTemplateMeta } from './pod'

interface WorkloadSpec {
  replicas?: number
  minReadySeconds?: number
  progressDeadlineSeconds?: number
  revisionHistoryLimit?: number
  selector?: LabelSelector
  template?: PodTemplate
}

const specOf = (object: UnknownObject): WorkloadSpec => (object.spec ?? {}) as WorkloadSpec

/** Deployment, ReplicaSet, StatefulSet and DaemonSet: counts, template, and a selector that finds its pods. */
export function validateWorkload(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const { replicas, minReadySeconds, selector, template } = specOf(object)
  return [
    ...validateCount(replicas, 'spec.replicas'),
    ...validateCount(minReadySeconds, 'spec.minReadySeconds'),
    ...(old ? [] : validateServiceName(object)),
    ...validateSelector(selector, object.kind),
    ...validateMatch(selector, template, object.kind),
    ...(template ? validateOwnTemplate(template, object.kind) : [requiredField(missingTemplate(object.kind))]),
  ]
}

/** The Service of a StatefulSet names its pods. */
function validateServiceName({ kind, spec }: UnknownObject): FieldError[] {
  const { serviceName } = (spec ?? {}) as { serviceName?: string }
  if (kind !== 'StatefulSet' || !serviceName) return []
  return checkDnsLabel(serviceName).map((problem) => invalidField('spec.serviceName', serviceName, problem))
}

/** Only a ReplicationController may be without a template; the others have an empty one. */
function missingTemplate(kind: string): string {
  return kind === 'ReplicationController' ? 'spec.template' : 'spec.template.spec.containers'
}

/** A workload that keeps pods running restarts them always, and for as long as it is there. */
function validateOwnTemplate(template: PodTemplate, kind: string): FieldError[] {
  const field = 'spec.template.spec'
  const { restartPolicy, activeDeadlineSeconds } = template.spec
  const owner = kind === 'Deployment' || kind === 'ReplicationController' ? 'ReplicaSet' : kind
  // The volumes that a StatefulSet claims for its pods are not in its template, so that is not looked into.
  const validate = kind === 'StatefulSet' ? validateTemplateMeta : validateTemplate
  return [
    ...validate(template, 'spec.template'),
    ...(restartPolicy === undefined ? [] : validateRestartPolicy(template.spec, field)),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [forbiddenField(`${field}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${owner} is not Supported`)]),
  ]
}

/** ReplicationController: like the others, but its selector is a plain map. */
export function validateReplicationController(object: UnknownObject): FieldError[] {
  const { selector, ...spec } = specOf(object) as WorkloadSpec & { selector?: Record<string, string> }
  const chosen = selector && Object.keys(selector).length > 0
  return validateWorkload({ ...object, spec: { ...spec, ...(chosen && { selector: { matchLabels: selector } }) } })
}

/** Deployment: besides what holds for all, a way of replacing pods that can get somewhere. */
export function validateDeployment(object: UnknownObject): FieldError[] {
  const { minReadySeconds, progressDeadlineSeconds, revisionHistoryLimit } = specOf(object)
  return [
    ...validateWorkload(object),
    ...validateStrategy((object as unknown as Deployment).spec.strategy),
    ...validateCount(revisionHistoryLimit, 'spec.revisionHistoryLimit'),
    ...validateDeadline(progressDeadlineSeconds, minReadySeconds),
  ]
}

function validateStrategy(strategy: Deployment['spec']['strategy'] = {}): FieldError[] {
  const { type, rollingUpdate } = strategy
  if (type === 'Recreate' && rollingUpdate) {
    const rule = "may not be specified when strategy `type` is 'Recreate'"
    return [forbiddenField('spec.strategy.rollingUpdate', rule)]
  }
  if (!rollingUpdate) return []
  const field = 'spec.strategy.rollingUpdate'
  const { maxUnavailable, maxSurge } = rollingUpdate
  const stuck = Number.parseInt(String(maxUnavailable), 10) === 0 && Number.parseInt(String(maxSurge), 10) === 0
  return [
    ...validateShareOfWhole(maxUnavailable, `${field}.maxUnavailable`),
    ...validateShare(maxSurge, `${field}.maxSurge`),
    ...(stuck ? [invalidField(`${field}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
  ]
}

function validateDeadline(deadline: number | undefined, minReady = 0): FieldError[] {
  if (deadline === undefined) return []
  const field = 'spec.progressDeadlineSeconds'
  const late = deadline <= minReady ? [invalidField(field, deadline, 'must be greater than minReadySeconds')] : []
  return [...validateCount(deadline, field), ...late]
}

function validateSelector(selector: LabelSelector | undefined, kind: string): FieldError[] {
  if (!selector) return kind === 'DaemonSet' ? [] : [requiredField('spec.selector')]
  const empty = !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length
  if (empty) return [invalidField('spec.selector', selector, `empty selector is invalid for ${nameInTexts(kind)}`)]
  return validateLabelSelector(selector, 'spec.selector')
}

/** The real server took the text for ReplicaSets from Deployments. */
function nameInTexts(kind: string): string {
  return kind === 'ReplicaSet' ? 'deployment' : kind.toLowerCase()
}

/** What finds no pods at all does not find those of the template either: so does a selector that is not there. */
function validateMatch(
  selector: LabelSelector | undefined,
  template: PodTemplate | undefined,
  kind: string,
): FieldError[] {
  // A ReplicationController without a template only hears that it lacks one.
  if (!template && kind === 'ReplicationController') return []
  const requirements = requirementsOf(selector ?? {})
  if (!requirements.ok) return unreadable(selector, kind)
  const labels = template?.metadata?.labels
  if (selector ? matchesRequirements(requirements.value, labels) : kind === 'ReplicationController') return []
  return [invalidField('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`')]
}

function unreadable(selector: LabelSelector | undefined, kind: string): FieldError[] {
  if (kind === 'DaemonSet') return []
  return [invalidField('spec.selector', selector, kind === 'StatefulSet' ? '' : 'invalid label selector')]
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

/** Mutable fields of a StatefulSet. */
export function validateStatefulSetUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const fixed = (spec: WorkloadSpec): object =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !STATEFUL_MUTABLE.has(name)))
  if (deepEqual(fixed(specOf(next)), fixed(specOf(old)))) return []
  return [
    forbiddenField(
      'spec',
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
        + "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' "
        + 'are forbidden',
    ),
  ]
}
