/** The rules of the users and the kernel settings that pods and containers run with. */
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { Container, PodSpec } from '../kinds'

const LAST_ID = 2_147_483_647
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'
const SYSCTL_NAME = new RegExp(SYSCTL)
const LONGEST_SYSCTL = 253

/** What holds for all containers of a pod. */
export function validatePodSecurity(context: PodSpec['securityContext'], field: string): FieldError[] {
  if (!context) return []
  const { supplementalGroups = [], sysctls = [], fsGroupChangePolicy: change } = context
  const changes = ['Always', 'OnRootMismatch']
  return [
    ...validateId(context.fsGroup, `${field}.fsGroup`),
    ...validateId(context.runAsUser, `${field}.runAsUser`),
    ...validateId(context.runAsGroup, `${field}.runAsGroup`),
    ...supplementalGroups.flatMap((group, index) => validateId(group, `${field}.supplementalGroups[${index}]`)),
    ...validateSysctls(sysctls, `${field}.sysctls`),
    ...validateChoice(change, changes, `${field}.fsGroupChangePolicy`),
    ...validateSeccomp(context.seccompProfile, `${field}.seccompProfile`),
    ...validateAppArmor(context.appArmorProfile, `${field}.appArmorProfile`),
  ]
}

/** What a container adds to it. */
export function validateContainerSecurity(context: Container['securityContext'], field: string): FieldError[] {
  if (!context) return []
  const procMounts = ['Default', 'Unmasked']
  const { procMount } = context
  return [
    ...validateId(context.runAsUser, `${field}.runAsUser`),
    ...validateId(context.runAsGroup, `${field}.runAsGroup`),
    ...validateChoice(procMount, procMounts, `${field}.procMount`),
    ...validateSeccomp(context.seccompProfile, `${field}.seccompProfile`),
    ...validateAppArmor(context.appArmorProfile, `${field}.appArmorProfile`),
  ]
}

export function validateId(id: number | undefined, field: string): FieldError[] {
  if (id === undefined || (id >= 0 && id <= LAST_ID)) return []
  return [invalidField(field, id, `must be between 0 and ${LAST_ID}, inclusive`)]
}

type Sysctls = NonNullable<NonNullable<PodSpec['securityContext']>['sysctls']>

function validateSysctls(sysctls: Sysctls, field: string): FieldError[] {
  const isRepeated = repeats()
  return sysctls.flatMap(({ name }, index) => {
    const at = `${field}[${index}].name`
    const twice = isRepeated(name)
    if (!name) return [requiredField(at)]
    if (name.length > LONGEST_SYSCTL || !SYSCTL_NAME.test(name))
      return [invalidField(at, name, `must have at most ${LONGEST_SYSCTL} characters and match regex ${SYSCTL}`)]
    return twice ? [duplicateField(at, name)] : []
  })
}

type Profile = { type?: string; localhostProfile?: string } | undefined
const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined']

function validateSeccomp(profile: Profile, field: string): FieldError[] {
  if (!profile) return []
  const { type, localhostProfile } = profile
  const named = type === 'Localhost'
  return [
    ...(type ? [] : [requiredField(`${field}.type`, 'type is required when seccompProfile is set')]),
    ...(!type || PROFILES.includes(type) ? [] : [unsupportedField(`${field}.type`, type, PROFILES)]),
    ...(named && localhostProfile === undefined
      ? [requiredField(`${field}.localhostProfile`, 'must be set when seccomp type is Localhost')]
      : []),
    ...(!named && localhostProfile !== undefined
      ? [
          invalidField(
            `${field}.localhostProfile`,
            { Type: type ?? '', LocalhostProfile: localhostProfile },
            'can only be set when seccomp type is Localhost',
          ),
        ]
      : []),
  ]
}

function validateAppArmor(profile: Profile, field: string): FieldError[] {
  if (!profile) return []
  const { type, localhostProfile: name } = profile
  const at = `${field}.localhostProfile`
  if (!type) return [requiredField(`${field}.type`, 'type is required when appArmorProfile is set')]
  if (!PROFILES.includes(type)) return [unsupportedField(`${field}.type`, type, PROFILES)]
  if (type !== 'Localhost')
    return name === undefined ? [] : [invalidField(at, name, 'can only be set when AppArmor type is Localhost')]
  if (name !== undefined && name !== name.trim()) return [invalidField(at, name, 'must not be padded with whitespace')]
  return name ? [] : [requiredField(at, 'must be set when AppArmor type is Localhost')]
}
