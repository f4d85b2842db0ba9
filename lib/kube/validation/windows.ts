/** The rules of containers on Windows, and of what a pod of one system may not set. */
import { byteLength } from '@/lib/std/byte-length'
import { type FieldError, forbiddenField, invalidField, requiredField, unsupportedField } from '../field-error'
import type { Container, PodSpec } from '../kinds'
import { checkSubdomain } from './formats'

type Options = NonNullable<NonNullable<PodSpec['securityContext']>['windowsOptions']>

const MAX_CREDENTIALS_KIB = 64
const KIB = 1024
const MAX_DOMAIN = 256
const MAX_USER = 104
const CONTROL = /\p{Cc}/u
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const DNS_NAME = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`)

/** Credentials and the user that the processes of a container have on Windows. */
export function validateWindowsOptions(options: Options | undefined, field: string): FieldError[] {
  if (!options) return []
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options
  const bytes = byteLength(spec ?? '')
  const specRule =
    bytes === 0
      ? 'gmsaCredentialSpec cannot be an empty string'
      : `gmsaCredentialSpec size must be under ${MAX_CREDENTIALS_KIB} KiB`
  return [
    ...(name === undefined ? [] : checkSubdomain(name)).map((problem) =>
      invalidField(`${field}.gmsaCredentialSpecName`, name, problem),
    ),
    ...(spec !== undefined && (bytes === 0 || bytes > MAX_CREDENTIALS_KIB * KIB)
      ? [invalidField(`${field}.gmsaCredentialSpec`, spec, specRule)]
      : []),
    ...(user === undefined ? [] : checkUser(user)).map((problem) =>
      invalidField(`${field}.runAsUserName`, user, `runAsUserName${problem}`),
    ),
  ]
}

/** What is wrong with the name of a user, which may begin with its domain. */
function checkUser(text: string): string[] {
  if (text === '') return [' cannot be an empty string']
  if (CONTROL.test(text)) return [' cannot contain control characters']
  const parts = text.split('\\')
  if (parts.length > 2) return [' cannot contain more than one backslash']
  const [user = '', domain] = parts.toReversed()
  const isOdd = domain !== undefined && !NET_BIOS.test(domain) && !DNS_NAME.test(domain)
  return [
    ...((domain ?? '').length >= MAX_DOMAIN ? [`'s Domain length must be under ${MAX_DOMAIN} characters`] : []),
    ...(isOdd ? ["'s Domain doesn't match the NetBios nor the DNS format"] : []),
    ...(user === '' ? ["'s User cannot be empty"] : []),
    ...(user.length > MAX_USER ? [`'s User length must not be longer than ${MAX_USER} characters`] : []),
    ...(/^[. ]+$/.test(user) ? ["'s User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? ['\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]']
      : []),
  ]
}

/** All containers of a pod with their places. */
export function placedContainers(spec: PodSpec, field: string): [container: Container, field: string][] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index): [Container, string] => [container, `${field}.${list}[${index}]`]),
  )
}

/** Processes of the host: all containers or none, and in the network of the host. */
export function validateHostProcess(spec: PodSpec, field: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess
  const placed = placedContainers(spec, field)
  const own = placed.map(([{ securityContext }, at]) => ({ at, value: securityContext?.windowsOptions?.hostProcess }))
  const count = own.filter(({ value }) => value ?? ofPod).length
  const rule = `pod hostProcess value must be identical if both are specified, was ${ofPod}`
  const all = 'If pod contains any hostProcess containers then all containers must be HostProcess containers'
  const network = 'hostNetwork must be true if pod contains any hostProcess containers'
  return [
    ...own.flatMap(({ at, value }) =>
      ofPod !== undefined && value !== undefined && ofPod !== value
        ? [invalidField(`${at}.securityContext.windowsOptions.hostProcess`, value, rule)]
        : [],
    ),
    ...(count > 0 && count !== placed.length ? [invalidField(field, '', all)] : []),
    ...(count > 0 && !spec.hostNetwork ? [invalidField(`${field}.hostNetwork`, false, network)] : []),
  ]
}

const SYSTEMS = ['linux', 'windows']

/** The fields that only the other system has. */
export function validateSystem(spec: PodSpec, field: string): FieldError[] {
  if (!spec.os) return []
  const { name } = spec.os
  if (!name) return [requiredField(`${field}.os.name`)]
  if (!SYSTEMS.includes(name)) return [unsupportedField(`${field}.os`, name, SYSTEMS)]
  return name === 'linux' ? refuseWindows(spec, field) : refuseLinux(spec, field)
}

function refuseWindows(spec: PodSpec, field: string): FieldError[] {
  const contexts: [{ securityContext?: { windowsOptions?: object } }, string][] = [
    [spec, field],
    ...placedContainers(spec, field),
  ]
  return contexts.flatMap(([{ securityContext }, at]) =>
    securityContext?.windowsOptions
      ? [forbiddenField(`${at}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod')]
      : [],
  )
}

/** In the order in which they are read; those with a dot are of the security context. */
const LINUX_OF_POD = [
  '.appArmorProfile',
  '.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  '.seccompProfile',
  '.fsGroup',
  '.fsGroupChangePolicy',
  '.sysctls',
  'shareProcessNamespace',
  '.runAsUser',
  '.runAsGroup',
  '.supplementalGroups',
  '.supplementalGroupsPolicy',
  '.seLinuxChangePolicy',
]
const LINUX_OF_CONTAINER = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
]
/** Flags that say nothing when they are false. */
const FLAGS = new Set(['hostPID', 'hostIPC'])

function refuseLinux(spec: PodSpec, field: string): FieldError[] {
  const refuse = (place: string): FieldError => forbiddenField(place, 'cannot be set for a windows pod')
  const ofPod = spec as Readonly<Record<string, unknown>>
  const context = (spec.securityContext ?? {}) as Readonly<Record<string, unknown>>
  const isSet = (name: string): boolean => {
    const value = name.startsWith('.') ? context[name.slice(1)] : ofPod[name]
    if (name === '.sysctls') return Array.isArray(value) && value.length > 0
    return FLAGS.has(name) ? value === true : value !== undefined
  }
  return [
    ...LINUX_OF_POD.filter(isSet).map((name) =>
      refuse(name.startsWith('.') ? `${field}.securityContext${name}` : `${field}.${name}`),
    ),
    ...placedContainers(spec, field).flatMap(([{ securityContext = {} }, at]) =>
      LINUX_OF_CONTAINER.filter((name) => (securityContext as Record<string, unknown>)[name] !== undefined).map(
        (name) => refuse(`${at}.securityContext.${name}`),
      ),
    ),
  ]
}
