/** Warnings about pods and pod templates: accepted, but probably not intended. */
import type { Container, PodSpec, PodTemplate } from '@/lib/kube/kinds'
import { compareQuantity, quantityOf, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import type { UnknownObject } from '@/lib/kube/object'
import { ownField } from '@/lib/std/fields'
import { repeats } from '@/lib/std/repeats'
import type { Resource } from '../registry/resource'

/** Where the template of a kind is; the pod itself at the empty path. */
const TEMPLATES: Readonly<Record<string, string>> = {
  pods: '',
  podtemplates: 'template',
  replicationcontrollers: 'spec.template',
  'deployments.apps': 'spec.template',
  'replicasets.apps': 'spec.template',
  'statefulsets.apps': 'spec.template',
  'daemonsets.apps': 'spec.template',
  'jobs.batch': 'spec.template',
  'cronjobs.batch': 'spec.jobTemplate.spec.template',
}

/** Warnings about the pods of an object, in the order of kube-apiserver. */
export function podWarnings(resource: Resource, object: UnknownObject): string[] {
  const place = ownField(TEMPLATES, resource.id)
  if (place === undefined) return []
  const template = place
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], object)
  const { metadata, spec } = (template ?? {}) as Partial<PodTemplate>
  const path = place === '' ? '' : `${place}.`
  return [
    ...(spec ? spreadWarnings(spec, `${path}spec`) : []),
    ...annotationWarnings(metadata?.annotations ?? {}, `${path}metadata.annotations`),
    ...(spec ? specWarnings(spec, `${path}spec`) : []),
  ]
}

type Fields = Record<string, unknown>

const SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead'
const SYSCTLS = 'non-functional in v1.11+; use the "sysctls" field instead'
const OLD_ANNOTATIONS: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': SYSCTLS,
  'security.alpha.kubernetes.io/unsafe-sysctls': SYSCTLS,
  'seccomp.security.alpha.kubernetes.io/pod': SECCOMP,
}
const OLD_PREFIXES: Readonly<Record<string, string>> = {
  'container.seccomp.security.alpha.kubernetes.io/': SECCOMP,
  'container.apparmor.security.beta.kubernetes.io/': 'deprecated since v1.30; use the "appArmorProfile" field instead',
}

function annotationWarnings(annotations: Readonly<Record<string, string>>, path: string): string[] {
  return Object.keys(annotations).flatMap((key) => {
    const prefix = Object.keys(OLD_PREFIXES).find((one) => key.startsWith(one))
    const advice = ownField(OLD_ANNOTATIONS, key) ?? (prefix && OLD_PREFIXES[prefix])
    return advice ? [`${path}[${key}]: ${advice}`] : []
  })
}

const OLD_VOLUMES: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
}

function specWarnings(spec: PodSpec, path: string): string[] {
  const volumes = (spec.volumes ?? []).flatMap((volume, index) =>
    Object.keys(volume).flatMap((source) => {
      const advice = ownField(OLD_VOLUMES, source)
      return advice ? [`${path}.volumes[${index}].${source === 'storageos' ? 'storageOS' : source}: ${advice}`] : []
    }),
  )
  const containers = (['initContainers', 'containers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index): Placed => ({ container, path: `${path}.${list}[${index}]` })),
  )
  const grace =
    (spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []
  return [
    ...volumes,
    ...repeatedWarnings(spec, path),
    ...fractionWarnings(spec.overhead, `${path}.overhead`),
    ...containers.flatMap(({ container, path: at }) => containerWarnings(container, at)),
    ...portWarnings(containers),
    ...portNameWarnings(containers),
    ...grace,
  ]
}

interface Placed {
  container: Container
  path: string
}

function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, path: string): string[] {
  return topologySpreadConstraints.flatMap(({ labelSelector }, index) =>
    labelSelector ? [] : [`${path}.topologySpreadConstraints[${index}].labelSelector: ${NULL_SELECTOR}`],
  )
}

const NULL_SELECTOR = 'a null labelSelector results in matching no pod'

function repeatedWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: string): string[] {
  const [isKnownAddress, isKnownSecret] = [repeats(), repeats()]
  return [
    ...hostAliases.flatMap(({ ip = '' }, index) =>
      isKnownAddress(ip) ? [`${path}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(ip)}`] : [],
    ),
    ...imagePullSecrets.flatMap(({ name = '' }, index) =>
      isKnownSecret(name) ? [`${path}.imagePullSecrets[${index}].name: duplicate name ${JSON.stringify(name)}`] : [],
    ),
    ...imagePullSecrets.flatMap(({ name = '' }, index) =>
      name === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
  ]
}

type Port = NonNullable<Container['ports']>[number]

/** The ports of all containers share one network. */
function portWarnings(containers: readonly Placed[]): string[] {
  const known = new Map<string, { port: Port; at: string }[]>()
  return portsOf(containers).flatMap(({ port, at }) => {
    const key = `${port.containerPort}/${port.protocol}`
    const others = known.get(key) ?? []
    known.set(key, [...others, { port, at }])
    return [
      ...(port.hostIP && !port.hostPort ? [`${at}: hostIP set without hostPort: ${portText(port)}`] : []),
      ...others.flatMap((other) => {
        const overlap = overlapOf(port, other.port)
        return overlap === undefined ? [] : [`${at}: ${overlap} port definition with ${other.at}`]
      }),
    ]
  })
}

function portText({ name = '', hostPort = 0, containerPort, protocol = 'TCP', hostIP = '' }: Port): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}

function overlapOf(one: Port, other: Port): string | undefined {
  const [a, b] = [one.hostIP ?? '', other.hostIP ?? '']
  const [port, otherPort] = [one.hostPort ?? 0, other.hostPort ?? 0]
  if (a === b && port === otherPort) return 'duplicate'
  if (port === 0 || otherPort === 0) return 'overlapping'
  return port === otherPort && (a === '') !== (b === '') ? 'dangerously ambiguous' : undefined
}

function portNameWarnings(containers: readonly Placed[]): string[] {
  const places = new Map<string, string>()
  return portsOf(containers).flatMap(({ port: { name }, at }) => {
    if (!name) return []
    const other = places.get(name)
    if (other === undefined) places.set(name, at)
    const use = `services and probes that select ports by name will use ${other}`
    return other === undefined ? [] : [`${at}: duplicate port name ${JSON.stringify(name)} with ${other}, ${use}`]
  })
}

function portsOf(containers: readonly Placed[]): { port: Port; at: string }[] {
  return containers.flatMap(({ container: { ports = [] }, path }) =>
    ports.map((port, index) => ({ port, at: `${path}.ports[${index}]` })),
  )
}

function containerWarnings({ env = [], resources = {} }: Container, path: string): string[] {
  const { limits, requests } = resources
  return [
    ...BYTES.flatMap((name) => [
      ...fractionWarnings(limits, `${path}.resources.limits`, [name]),
      ...fractionWarnings(requests, `${path}.resources.requests`, [name]),
    ]),
    ...hiddenNames(env, path),
  ]
}

/** A value that refers to the one that it hides is meant. */
function hiddenNames(env: NonNullable<Container['env']>, path: string): string[] {
  const isKnown = repeats()
  return env.flatMap(({ name, value = '', valueFrom }, index) => {
    const reference = `$(${name})`
    const isExtension = !valueFrom && value !== reference && value.includes(reference)
    if (!isKnown(name) || isExtension) return []
    const why = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`
    return [`${path}.env[${index}]: ${why}`]
  })
}

const BYTES = ['memory', 'ephemeral-storage'] as const

/** Bytes come in whole numbers. */
function fractionWarnings(
  amounts: Readonly<Record<string, number | string>> = {},
  path: string,
  names: readonly string[] = BYTES,
): string[] {
  return names.flatMap((name) => {
    const amount = amounts[name] === undefined ? undefined : tryParseQuantity(amounts[name])
    if (!amount || compareQuantity(amount, quantityOf(quantityValue(amount))) === 0) return []
    return [
      `${path}[${name}]: fractional byte value ${JSON.stringify(String(amounts[name]))} is invalid, must be an integer`,
    ]
  })
}
