/** The rules of annotations that pods and their templates are read for. */
import { ownField } from '@/lib/std/fields'
import { type FieldError, forbiddenField, invalidField } from '../field-error'
import type { PodSpec } from '../kinds'
import { validateDescendingPath } from './volume-files'

const MIRROR = 'kubernetes.io/config.mirror'
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost'
const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/'

export type Annotations = Readonly<Record<string, string>>

/** A deletion cost that was invalid before may stay so. */
export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  { field, old }: { field: string; old?: Annotations | undefined },
): FieldError[] {
  const [mirror, cost] = [ownField(annotations, MIRROR), ownField(annotations, DELETION_COST)]
  const oldCost = old && ownField(old, DELETION_COST)
  const isKept = oldCost !== undefined && !isCost(oldCost)
  return [
    ...(mirror === undefined || spec.nodeName
      ? []
      : [invalidField(`${field}[${MIRROR}]`, mirror, 'must set spec.nodeName if mirror pod annotation is set')]),
    ...(cost === undefined || isKept || isCost(cost)
      ? []
      : [invalidField(`${field}[${DELETION_COST}]`, cost, 'must be a 32bit integer')]),
    ...validateSeccomp(annotations, field),
    ...validateAppArmor(annotations, spec, field),
  ]
}

const MAX_COST = 2_147_483_647

/** Without a plus sign and zeros in front. */
function isCost(text: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(text) && Number(text) <= MAX_COST && Number(text) >= -MAX_COST - 1
}

function validateSeccomp(annotations: Annotations, field: string): FieldError[] {
  const ofPod = ownField(annotations, SECCOMP_OF_POD)
  const ofContainers = Object.entries(annotations).filter(([name]) => name.startsWith(SECCOMP_OF_CONTAINER))
  return [
    ...(ofPod === undefined ? [] : validateProfile(ofPod, `${field}.${SECCOMP_OF_POD}`)),
    ...ofContainers.flatMap(([name, profile]) => validateProfile(profile, `${field}.${name}`)),
  ]
}

const PROFILES = new Set(['runtime/default', 'docker/default', 'unconfined'])
const LOCAL = 'localhost/'

function validateProfile(profile: string, field: string): FieldError[] {
  if (PROFILES.has(profile)) return []
  return profile.startsWith(LOCAL)
    ? validateDescendingPath(profile.slice(LOCAL.length), field)
    : [invalidField(field, profile, 'must be a valid seccomp profile')]
}

function validateAppArmor(
  annotations: Annotations,
  { containers = [], initContainers = [] }: PodSpec,
  field: string,
): FieldError[] {
  const names = new Set([...containers, ...initContainers].map(({ name }) => name))
  return Object.entries(annotations)
    .filter(([name]) => name.startsWith(APP_ARMOR))
    .flatMap(([name, profile]) => {
      const container = name.slice(APP_ARMOR.length)
      const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(LOCAL)
      const why = `invalid AppArmor profile name: ${JSON.stringify(profile)}`
      return [
        ...(names.has(container) ? [] : [invalidField(`${field}[${name}]`, container, 'container not found')]),
        ...(isKnown ? [] : [invalidField(`${field}[${name}]`, profile, why)]),
      ]
    })
}

/** What says of a pod who made it and how it is confined stays. */
export function validateAnnotationUpdate(next: Annotations, old: Annotations, field: string): FieldError[] {
  const isFixed = (name: string): boolean => name === MIRROR || name.startsWith(APP_ARMOR)
  const what = (name: string): string => (name === MIRROR ? 'mirror pod annotation' : 'AppArmor annotations')
  const changed = Object.entries(old).filter(([name, value]) => isFixed(name) && ownField(next, name) !== value)
  const added = Object.keys(next).filter((name) => isFixed(name) && !Object.hasOwn(old, name))
  return [
    ...changed.map(([name]) => forbiddenField(`${field}[${name}]`, `may not remove or update ${what(name)}`)),
    ...added.map((name) => forbiddenField(`${field}[${name}]`, `may not add ${what(name)}`)),
  ]
}
