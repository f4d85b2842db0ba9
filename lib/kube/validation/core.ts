/** The rules of the core kinds. */
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { ConfigMap, Event, Pod, Service } from '../kinds'
import type { UnknownObject } from '../object'
import { validateReporter } from './event-v1'
import { validatePodSpec } from './pod'
import { podSpecDifference } from './pod-dump'

const KEY = /^[-._a-zA-Z0-9]+$/
const KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  " +
  "or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

/** ConfigMap and Secret: their keys can be file names, and no key is in both maps. */
export function validateData(object: UnknownObject): FieldError[] {
  const { data = {}, binaryData = {} } = object as ConfigMap
  return [
    ...Object.keys(data).flatMap((key) => [
      ...checkKey(key, 'data'),
      ...(Object.hasOwn(binaryData, key)
        ? [invalidField(`data[${key}]`, key, 'duplicate of key present in binaryData')]
        : []),
    ]),
    ...Object.keys(binaryData).flatMap((key) => checkKey(key, 'binaryData')),
  ]
}

function checkKey(key: string, field: string): FieldError[] {
  return KEY.test(key) ? [] : [invalidField(`${field}[${key}]`, key, KEY_RULE)]
}

/** What was declared immutable stays as it is, the declaration included. */
export function validateDataUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  if (!old.immutable) return []
  const changed = ['data', 'binaryData'].filter((name) => !deepEqual(next[name], old[name]))
  return [...(next.immutable ? [] : ['immutable']), ...changed].map((name) =>
    forbiddenField(name, 'field is immutable when `immutable` is set'),
  )
}

/** A Pod is checked like a template; its name is its host name. */
export function validatePod(object: UnknownObject): FieldError[] {
  const { spec } = object as unknown as Pod
  return spec ? validatePodSpec(spec, 'spec') : [requiredField('spec.containers')]
}

const POD_RULE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

type Spec = Pod['spec']

/** What a pod may still change after it was made. */
export function validatePodUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [spec, before] = [(next as unknown as Pod).spec, (old as unknown as Pod).spec]
  for (const [list, word] of CONTAINER_LISTS) {
    if ((spec[list]?.length ?? 0) === (before[list]?.length ?? 0)) continue
    return [forbiddenField(`spec.${list}`, `pod updates may not add or remove ${word}`)]
  }
  const kept = withoutAllowedChanges(spec, before)
  const changed = deepEqual(kept, before)
    ? []
    : [forbiddenField('spec', `${POD_RULE}\n${podSpecDifference(before, kept)}`)]
  return [...validateDeadlineUpdate(spec, before), ...validateAddedTolerations(spec, before), ...changed]
}

const CONTAINER_LISTS = [['containers', 'containers'], ['initContainers', 'init containers']] as const

/** The new spec as it would be if what may change had not. */
function withoutAllowedChanges(spec: Spec, before: Spec): Spec {
  const images = (list: 'containers' | 'initContainers'): Spec['containers'] | undefined =>
    spec[list]?.map((container, index) => ({ ...container, image: before[list]?.[index]?.image ?? '' }))
  const initContainers = images('initContainers')
  const grace = before.terminationGracePeriodSeconds
  const mended = (grace ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1
  return {
    ...omit(spec, 'tolerations', 'activeDeadlineSeconds', 'initContainers'),
    ...(before.tolerations && { tolerations: before.tolerations }),
    ...(before.activeDeadlineSeconds !== undefined && { activeDeadlineSeconds: before.activeDeadlineSeconds }),
    ...(mended && { terminationGracePeriodSeconds: grace }),
    ...(initContainers && { initContainers }),
    containers: images('containers') ?? [],
  }
}

function validateDeadlineUpdate({ activeDeadlineSeconds: next }: Spec, { activeDeadlineSeconds: old }: Spec): FieldError[] {
  const field = 'spec.activeDeadlineSeconds'
  if (old === undefined) return []
  if (next === undefined) return [invalidField(field, null, 'must not update from a positive integer to nil value')]
  return next > old ? [invalidField(field, next, 'must be less than or equal to previous value')] : []
}

function validateAddedTolerations({ tolerations = [] }: Spec, { tolerations: before = [] }: Spec): FieldError[] {
  const same = (one: object, other: object): boolean =>
    deepEqual({ ...one, tolerationSeconds: 0 }, { ...other, tolerationSeconds: 0 })
  if (before.every((old) => tolerations.some((toleration) => same(toleration, old)))) return []
  const rule = 'existing toleration can not be modified except its tolerationSeconds'
  return [forbiddenField('spec.tolerations', rule)]
}

/** An Event lives in the namespace of what it is about, and with cluster-scoped objects in `default`. */
export function validateEvent(object: UnknownObject): FieldError[] {
  const { involvedObject, metadata } = object as unknown as Event
  const about = involvedObject?.namespace ?? ''
  const fits =
    about === ''
      ? metadata.namespace === 'default' || metadata.namespace === 'kube-system'
      : about === metadata.namespace
  const findings = fits ? [] : [invalidField('involvedObject.namespace', about, 'does not match event.namespace')]
  // An event with a time of its own is written the new way, and has to say all that the new way asks for.
  return object.eventTime ? [...findings, ...validateReporter(object, 'reportingComponent', 'message')] : findings
}

/** Service: ports that can be reached; only headless and external ones may have none. */
export function validateService(object: UnknownObject): FieldError[] {
  const { spec } = object as unknown as Service
  const portless = spec.clusterIP === 'None' || spec.type === 'ExternalName'
  if (!spec.ports?.length) return portless ? [] : [requiredField('spec.ports')]
  return spec.ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`
    const names = spec.ports!.length > 1 && !port.name ? [requiredField(`${field}.name`)] : []
    return port.port >= 1 && port.port <= 65_535
      ? names
      : [...names, invalidField(`${field}.port`, port.port ?? 0, 'must be between 1 and 65535, inclusive')]
  })
}
