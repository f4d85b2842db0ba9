/** The rules of pods and events. */
import { canonicalText } from '@/lib/std/canonical'
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { Event, Pod } from '../kinds'
import type { UnknownObject } from '../object'
import { validateImage } from './container'
import { isAboutItsNamespace, validateReporter } from './event-v1'
import { validateGatedChanges, withPlacesOf } from './gated-pod'
import { validatePodSpec } from './pod'
import { validateAnnotationUpdate, validatePodAnnotations } from './pod-annotations'
import { podSpecDifference } from './pod-dump'
import { validateSameSeccomp } from './pod-host'

const ANNOTATIONS = 'metadata.annotations'

/** A Pod is checked like a template; its name is its host name. */
export function validatePod(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const { spec, metadata } = object as unknown as Pod
  if (!spec) return [requiredField('spec.containers')]
  const annotations = validatePodAnnotations(metadata.annotations ?? {}, spec, {
    field: ANNOTATIONS,
    old: old?.metadata.annotations,
  })
  return [
    ...annotations,
    ...validatePodSpec(spec, 'spec', { pod: metadata.name, isPod: true }),
    ...(spec.serviceAccountName ? [] : refuseTokens(spec)),
    ...(['containers', 'initContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, index) => validateImage(container, `spec.${list}[${index}]`)),
    ),
    ...(old ? [] : validateNewPod(metadata.annotations, spec)),
  ]
}

/** What a pod may not have from the start. */
function validateNewPod(annotations: Readonly<Record<string, string>> | undefined, spec: Spec): FieldError[] {
  const isGated = (spec.schedulingGates?.length ?? 0) > 0
  return [
    ...(spec.ephemeralContainers?.length
      ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(spec.nodeName && isGated
      ? [forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
    ...validateSameSeccomp(annotations, spec, 'spec'),
  ]
}

/** Tokens are those of an account. */
function refuseTokens({ volumes = [] }: Spec): FieldError[] {
  return volumes.flatMap(({ projected }, index) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, at) =>
      serviceAccountToken
        ? [
            forbiddenField(
              `spec.volumes[${index}].projected.sources[${at}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ]
        : [],
    ),
  )
}

const POD_RULE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,'
  + '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),'
  + '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

type Spec = Pod['spec']

/** Mutable fields of a pod. */
export function validatePodUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [spec, before] = [(next as unknown as Pod).spec, (old as unknown as Pod).spec]
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list]?.length ?? 0) === (before[list]?.length ?? 0)) continue
    return [forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')]
  }
  const kept = withPlacesOf(before, withoutAllowedChanges(spec, before))
  const changed = deepEqual(kept, before)
    ? []
    : [forbiddenField('spec', `${POD_RULE}\n${podSpecDifference(before, kept)}`)]
  return [
    ...validateAnnotationUpdate(next.metadata.annotations ?? {}, old.metadata.annotations ?? {}, ANNOTATIONS),
    ...validateAddedGates(spec, before),
    ...validateDeadlineUpdate(spec, before),
    ...validateAddedTolerations(spec, before),
    ...validateGatedChanges(spec, before),
    ...changed,
  ]
}

/** The new spec as it would be if what may change had not. */
function withoutAllowedChanges(spec: Spec, before: Spec): Spec {
  const images = (list: 'containers' | 'initContainers'): Spec['containers'] | undefined =>
    spec[list]?.map((container, index) => ({ ...container, image: before[list]?.[index]?.image ?? '' }))
  const initContainers = images('initContainers')
  const grace = before.terminationGracePeriodSeconds
  const mended = (grace ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1
  return {
    ...omit(spec, 'tolerations', 'activeDeadlineSeconds', 'initContainers', 'schedulingGates'),
    ...(before.schedulingGates && { schedulingGates: before.schedulingGates }),
    ...(before.tolerations && { tolerations: before.tolerations }),
    ...(before.activeDeadlineSeconds !== undefined && { activeDeadlineSeconds: before.activeDeadlineSeconds }),
    ...(mended && { terminationGracePeriodSeconds: grace }),
    ...(initContainers && { initContainers }),
    containers: images('containers') ?? [],
  }
}

/** Gates only open. */
function validateAddedGates({ schedulingGates = [] }: Spec, { schedulingGates: before = [] }: Spec): FieldError[] {
  return schedulingGates.flatMap(({ name = '' }, index) =>
    before.some((gate) => (gate.name ?? '') === name)
      ? []
      : [
          forbiddenField(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  )
}

function validateDeadlineUpdate(
  { activeDeadlineSeconds: next }: Spec,
  { activeDeadlineSeconds: old }: Spec,
): FieldError[] {
  const field = 'spec.activeDeadlineSeconds'
  if (old === undefined) return []
  if (next === undefined) return [invalidField(field, null, 'must not update from a positive integer to nil value')]
  return next > old ? [invalidField(field, next, 'must be less than or equal to previous value')] : []
}

function validateAddedTolerations({ tolerations = [] }: Spec, { tolerations: before = [] }: Spec): FieldError[] {
  const textOf = (toleration: object): string => canonicalText({ ...toleration, tolerationSeconds: 0 })
  const present = new Set(tolerations.map(textOf))
  if (before.every((old) => present.has(textOf(old)))) return []
  const rule = 'existing toleration can not be modified except its tolerationSeconds'
  return [forbiddenField('spec.tolerations', rule)]
}

/** Validates an Event. Its namespace is that of the involved object, or `default` for cluster-scoped objects. */
export function validateEvent(object: UnknownObject): FieldError[] {
  const { involvedObject } = object as unknown as Event
  const about = involvedObject?.namespace ?? ''
  const fits = isAboutItsNamespace(object, about)
  const findings = fits ? [] : [invalidField('involvedObject.namespace', about, 'does not match event.namespace')]
  // An event with a time of its own is written the new way, and has to say all that the new way asks for.
  return object.eventTime ? [...findings, ...validateReporter(object, 'reportingComponent', 'message')] : findings
}
