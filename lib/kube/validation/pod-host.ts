/** The rules of what a pod shares with its node, and of the names that it is found by and finds others by. */
import { ownField } from '@/lib/std/fields'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  tooLongField,
} from '../field-error'
import type { Container, PodSpec } from '../kinds'
import { validateAddress } from './addresses'
import { checkSubdomain, checkUnderscoredName } from './formats'
import { placedContainers } from './windows'

const MOST_NAMESERVERS = 3
const MOST_SEARCHES = 32
const LONGEST_SEARCH = 2048

/** Where a pod looks up names. */
export function validateDns({ dnsPolicy, dnsConfig }: PodSpec, field: string): FieldError[] {
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {}
  if (dnsPolicy === 'None' && !dnsConfig)
    return [requiredField(field, 'must provide `dnsConfig` when `dnsPolicy` is None')]
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    const rule = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
    return [requiredField(`${field}.nameservers`, rule)]
  }
  const wrong = (rule: string): FieldError => invalidField(`${field}.searches`, searches, rule)
  const characters = `must not have more than ${LONGEST_SEARCH} characters (including spaces) in the search list`
  return [
    ...(nameservers.length > MOST_NAMESERVERS
      ? [invalidField(`${field}.nameservers`, nameservers, `must not have more than ${MOST_NAMESERVERS} nameservers`)]
      : []),
    ...nameservers.flatMap((address, index) => validateAddress(address, `${field}.nameservers[${index}]`)),
    ...(searches.length > MOST_SEARCHES ? [wrong(`must not have more than ${MOST_SEARCHES} search paths`)] : []),
    ...(searches.join(' ').length > LONGEST_SEARCH ? [wrong(characters)] : []),
    ...searches.flatMap((search, index) => validateSearch(search, `${field}.searches[${index}]`)),
    ...options.flatMap(({ name }, index) =>
      name ? [] : [requiredField(`${field}.options[${index}]`, 'must not be empty')],
    ),
  ]
}

/** A domain, or the root of all. */
function validateSearch(search: string, field: string): FieldError[] {
  if (search === '.') return []
  const name = search.replace(/\.$/, '')
  return checkUnderscoredName(name).map((problem) => invalidField(field, name, problem))
}

/** A pod in the network of its node has the ports of the node. Those of a template may be left open. */
export function validateNodePorts({ hostNetwork, containers = [] }: PodSpec, field: string, isPod: boolean) {
  if (!hostNetwork) return []
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, containerPort = 0 }, at) => {
      const isOpen = !isPod && hostPort === 0
      const rule = 'must match `containerPort` when `hostNetwork` is true'
      return isOpen || hostPort === containerPort
        ? []
        : [invalidField(`${field}[${index}].ports[${at}].hostPort`, hostPort, rule)]
    }),
  )
}

/** Ports of the node that several containers want. */
export function validateUsedPorts(containers: readonly Container[], field: string): FieldError[] {
  const taken = new Set<string>()
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort, hostIP = '', protocol = 'TCP' }, at) => {
      const port = `${protocol}/${hostIP}/${hostPort}`
      if (!hostPort) return []
      if (taken.has(port)) return [duplicateField(`${field}[${index}].ports[${at}].hostPort`, port)]
      taken.add(port)
      return []
    }),
  )
}

/** Users of its own do not go with other namespaces of the host. */
export function validateHostUsers(spec: PodSpec, field: string): FieldError[] {
  if (spec.hostUsers !== false) return []
  const refuse = (place: string): FieldError => forbiddenField(place, 'when `hostUsers` is false')
  return [
    ...(spec.hostNetwork ? [refuse(`${field}.hostNetwork`)] : []),
    ...(spec.hostPID ? [refuse(`${field}.HostPID`)] : []),
    ...(spec.hostIPC ? [refuse(`${field}.HostIPC`)] : []),
    ...placedContainers(spec, field).flatMap(([{ volumeDevices = [] }, at]) =>
      volumeDevices.length > 0 ? [refuse(`${at}.volumeDevices`)] : [],
    ),
  ]
}

const LONGEST_HOSTNAME = 64

/** A host name that replaces all others. */
export function validateHostname(spec: PodSpec, field: string): FieldError[] {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec
  if (name === undefined) return []
  return [
    ...(setHostnameAsFQDN ? [forbiddenField(field, 'may not be specified when setHostnameAsFQDN is true')] : []),
    ...(hostNetwork ? [forbiddenField(field, 'may not be specified when hostNetwork is true')] : []),
    ...(name.length > LONGEST_HOSTNAME ? [tooLongField(field, LONGEST_HOSTNAME)] : []),
    ...checkSubdomain(name).map((problem) => invalidField(field, name, problem)),
  ]
}

/** Variables from files are in room for files. */
export function validateFileVolumes(spec: PodSpec, field: string): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume]))
  return placedContainers(spec, field).flatMap(([{ env = [] }, at]) =>
    env.flatMap(({ valueFrom }, index) => {
      const { volumeName: name = '' } = valueFrom?.fileKeyRef ?? {}
      const place = `${at}.env[${index}].valueFrom.fileKeyRef.volumeName`
      if (!valueFrom?.fileKeyRef) return []
      if (!volumes.has(name)) return [notFoundField(place, name)]
      return volumes.get(name)?.emptyDir
        ? []
        : [invalidField(place, name, 'referenced volume must be of type emptyDir')]
    }),
  )
}

const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'

/** A profile that an old annotation names is the one in the field for it. */
export function validateSameSeccomp(
  annotations: Readonly<Record<string, string>> = {},
  spec: PodSpec,
  field: string,
): FieldError[] {
  const contexts: [key: string, context: PodSpec['securityContext'] | Container['securityContext'], at: string][] = [
    [SECCOMP_OF_POD, spec.securityContext, field],
    ...placedContainers(spec, field).map(
      ([{ name, securityContext }, at]): [string, Container['securityContext'], string] => [
        `${SECCOMP_OF_CONTAINER}${name}`,
        securityContext,
        at,
      ],
    ),
  ]
  return contexts.flatMap(([key, context, at]) => {
    const [annotation, profile] = [ownField(annotations, key), context?.seccompProfile]
    return annotation === undefined || !profile
      ? []
      : validateSameProfile(annotation, profile, `${at}.securityContext.seccompProfile`)
  })
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  Unconfined: ['unconfined'],
  RuntimeDefault: ['runtime/default', 'docker/default'],
}
const LOCAL = 'localhost/'

function validateSameProfile(
  annotation: string,
  { type = '', localhostProfile }: { type?: string; localhostProfile?: string },
  field: string,
): FieldError[] {
  const types = [forbiddenField(`${field}.type`, 'seccomp type in annotation and field must match')]
  if (type !== 'Localhost') return ownField(NAMES, type)?.includes(annotation) === false ? types : []
  if (!annotation.startsWith(LOCAL)) return types
  return annotation.slice(LOCAL.length) === localhostProfile
    ? []
    : [forbiddenField(`${field}.localhostProfile`, 'seccomp profile in annotation and field must match')]
}
