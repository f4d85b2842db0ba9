/** The rules of the users and the kernel settings that pods and containers run with. */
import { byteLength } from '@/lib/std/byte-length'
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { Container, PodSpec } from '../kinds'
import { dumped } from './pod-dump'
import { validateDescendingPath } from './volume-files'
import { validateWindowsOptions } from './windows'

const LAST_ID = 2_147_483_647
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'
const SYSCTL_NAME = new RegExp(SYSCTL)
const LONGEST_SYSCTL = 253

const FS_GROUP_CHANGES = ['Always', 'OnRootMismatch']
const GROUP_POLICIES = ['Merge', 'Strict']
/** The other one needs a gate that is closed by default. */
const SE_LINUX_CHANGES = ['Recursive']

/** What holds for all containers of a pod. */
export function validatePodSecurity(spec: PodSpec, field: string): FieldError[] {
  const context = spec.securityContext
  if (!context) return validateShared(spec, field)
  const { supplementalGroups = [], sysctls = [] } = context
  return [
    ...validateId(context.fsGroup, `${field}.fsGroup`),
    ...validateId(context.runAsUser, `${field}.runAsUser`),
    ...validateId(context.runAsGroup, `${field}.runAsGroup`),
    ...supplementalGroups.flatMap((group, index) => validateId(group, `${field}.supplementalGroups[${index}]`)),
    ...validateShared(spec, field),
    ...validateSysctls(sysctls, spec, `${field}.sysctls`),
    ...validateChoice(context.fsGroupChangePolicy, FS_GROUP_CHANGES, `${field}.fsGroupChangePolicy`),
    ...validateSeccomp(context.seccompProfile, `${field}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${field}.appArmorProfile`),
    ...validateChoice(context.supplementalGroupsPolicy, GROUP_POLICIES, `${field}.supplementalGroupsPolicy`),
    ...validateChoice(context.seLinuxChangePolicy, SE_LINUX_CHANGES, `${field}.seLinuxChangePolicy`),
  ]
}

/** Containers share their processes with each other or with the host. */
function validateShared({ shareProcessNamespace, hostPID }: PodSpec, field: string): FieldError[] {
  const rule = 'ShareProcessNamespace and HostPID cannot both be enabled'
  return shareProcessNamespace && hostPID ? [invalidField(`${field}.shareProcessNamespace`, true, rule)] : []
}

const PROC_MOUNTS = ['Default', 'Unmasked']

/** What a container adds to it. `hostUsers` is false in a pod with users of its own. */
export function validateContainerSecurity(
  context: Container['securityContext'],
  field: string,
  hostUsers: boolean,
): FieldError[] {
  if (!context) return []
  const { procMount } = context
  const unmasked = hostUsers && procMount === 'Unmasked'
  return [
    ...validateId(context.runAsUser, `${field}.runAsUser`),
    ...validateId(context.runAsGroup, `${field}.runAsGroup`),
    ...validateChoice(procMount, PROC_MOUNTS, `${field}.procMount`),
    ...(unmasked ? [invalidField(`${field}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`')] : []),
    ...validateSeccomp(context.seccompProfile, `${field}.seccompProfile`),
    ...validateEscalation(context, field),
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${field}.appArmorProfile`),
  ]
}

/** A process with all rights cannot be kept from getting more. */
function validateEscalation(context: NonNullable<Container['securityContext']>, field: string): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return []
  const wrong = (other: string): FieldError =>
    invalidField(
      field,
      dumped('SecurityContext', context),
      `cannot set \`allowPrivilegeEscalation\` to false and ${other}`,
    )
  const admin = (context.capabilities?.add ?? []).filter((name) => name === 'CAP_SYS_ADMIN')
  return [
    ...(context.privileged ? [wrong('`privileged` to true')] : []),
    ...admin.map((name) => wrong(`\`capabilities.Add\` ${name}`)),
  ]
}

export function validateId(id: number | undefined, field: string): FieldError[] {
  if (id === undefined || (id >= 0 && id <= LAST_ID)) return []
  return [invalidField(field, id, `must be between 0 and ${LAST_ID}, inclusive`)]
}

type Sysctls = NonNullable<NonNullable<PodSpec['securityContext']>['sysctls']>

function validateSysctls(sysctls: Sysctls, spec: PodSpec, field: string): FieldError[] {
  const isRepeated = repeats()
  return sysctls.flatMap(({ name = '' }, index) => {
    const at = `${field}[${index}].name`
    const twice = isRepeated(name)
    return [...validateSysctlName(name, at, twice), ...validateHostSysctl(name, spec, at)]
  })
}

function validateSysctlName(name: string, field: string, twice: boolean): FieldError[] {
  if (!name) return [requiredField(field)]
  if (name.length > LONGEST_SYSCTL || !SYSCTL_NAME.test(name))
    return [invalidField(field, name, `must have at most ${LONGEST_SYSCTL} characters and match regex ${SYSCTL}`)]
  return twice ? [duplicateField(field, name)] : []
}

const OF_NETWORK = /^net\./
const OF_IPC = /^(kernel\.(sem|shm(all|max|mni|_rmid_forced)?|msg(max|mnb|mni)?)$|fs\.mqueue\.)/

/** Settings of a namespace of the kernel need one of the pod's own. */
function validateHostSysctl(name: string, { hostNetwork, hostIPC }: PodSpec, field: string): FieldError[] {
  const isSlashed = /^[^./]*\//.test(name)
  const dotted = isSlashed ? name.replaceAll(/[./]/g, (separator) => (separator === '.' ? '/' : '.')) : name
  const wrong = (host: string): FieldError[] => [
    invalidField(field, name, `may not be specified when '${host}' is true`),
  ]
  if (hostNetwork && OF_NETWORK.test(dotted)) return wrong('hostNetwork')
  return hostIPC && OF_IPC.test(dotted) ? wrong('hostIPC') : []
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
    ...(named && localhostProfile !== undefined
      ? validateDescendingPath(localhostProfile, `${field}.localhostProfile`)
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

const LONGEST_PATH = 4095

function validateAppArmor(profile: Profile, field: string): FieldError[] {
  if (!profile) return []
  const { type, localhostProfile: name } = profile
  const at = `${field}.localhostProfile`
  if (!type) return [requiredField(`${field}.type`, 'type is required when appArmorProfile is set')]
  if (!PROFILES.includes(type)) return [unsupportedField(`${field}.type`, type, PROFILES)]
  if (type !== 'Localhost')
    return name === undefined ? [] : [invalidField(at, name, 'can only be set when AppArmor type is Localhost')]
  if (name === undefined) return [requiredField(at, 'must be set when AppArmor type is Localhost')]
  const isPadded = name !== name.trim()
  return [
    ...(isPadded ? [invalidField(at, name, 'must not be padded with whitespace')] : []),
    ...(name === '' ? [requiredField(at, 'must be set when AppArmor type is Localhost')] : []),
    ...(byteLength(name) > LONGEST_PATH ? [tooLongField(at, LONGEST_PATH)] : []),
  ]
}
