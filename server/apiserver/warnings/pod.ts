/** Warnings about pods and pod templates: accepted, but probably not intended. */
import type { Container, Job, PodSpec, PodTemplate } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { ownField } from '@/lib/std/fields'
import { repeats } from '@/lib/std/repeats'
import type { Resource } from '../registry/resource'
import { addressWarnings } from './addresses'
import { claimWarnings, fractionWarnings } from './amounts'
import { jobWarnings } from './kinds'
import { type Placed, portNameWarnings, portWarnings } from './pod-ports'
import { affinityWarnings, schedulingWarnings } from './pod-scheduling'
import { pathWarnings } from './volume-paths'
import { sourceWarnings } from './volume-sources'

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
  const annotated = { annotations: metadata?.annotations ?? {}, path: `${path}metadata.annotations` }
  return [
    ...indexWarnings(object, place),
    ...(spec ? schedulingWarnings(spec, `${path}spec`) : []),
    ...oldAnnotationWarnings(annotated),
    ...(spec ? specWarnings(spec, `${path}spec`, annotated) : []),
  ]
}

type Fields = Record<string, unknown>

/** Jobs are judged with their pods. */
function indexWarnings({ spec }: UnknownObject, place: string): string[] {
  const { jobTemplate, ...own } = (spec ?? {}) as Fields & { jobTemplate?: { spec: Job['spec'] } }
  const path = place.replace(/\.?template$/, '')
  return jobTemplate ? jobWarnings(jobTemplate.spec, path) : jobWarnings(own as unknown as Job['spec'], path)
}

const OLD_ANNOTATIONS: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
}
const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/'
const APP_ARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/'
const USE_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead'
const USE_APP_ARMOR = 'deprecated since v1.30; use the "appArmorProfile" field instead'

interface Annotated {
  annotations: Readonly<Record<string, string>>
  path: string
}

function oldAnnotationWarnings({ annotations, path }: Annotated): string[] {
  return Object.entries(OLD_ANNOTATIONS).flatMap(([key, advice]) =>
    Object.hasOwn(annotations, key) ? [`${path}[${key}]: ${advice}`] : [],
  )
}

function volumeWarnings(volumes: NonNullable<PodSpec['volumes']>, path: string): string[] {
  return volumes.flatMap((volume, index) => {
    const at = `${path}.volumes[${index}]`
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec
    return [
      ...Object.keys(volume).flatMap((source) => sourceWarnings(source, at)),
      ...(claim ? claimWarnings(claim, `${at}.ephemeral.volumeClaimTemplate.spec`) : []),
    ]
  })
}

function specWarnings(spec: PodSpec, path: string, { annotations, path: annotated }: Annotated): string[] {
  const containers = (['initContainers', 'containers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index): Placed => ({ container, path: `${path}.${list}[${index}]` })),
  )
  const hasNoProfile = (spec.securityContext?.seccompProfile ?? undefined) === undefined
  const grace =
    (spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []
  return [
    ...volumeWarnings(spec.volumes ?? [], path),
    ...pathWarnings(spec.volumes ?? []),
    ...repeatedWarnings(spec, path),
    ...fractionWarnings(spec.overhead, `${path}.overhead`, BYTES),
    ...(hasNoProfile && Object.hasOwn(annotations, SECCOMP) ? [`${annotated}[${SECCOMP}]: ${USE_SECCOMP}`] : []),
    ...containers.flatMap(({ container, path: at }) => [
      ...profileWarnings(container, { annotations, path: annotated }),
      ...containerWarnings(container, at),
    ]),
    ...portWarnings(containers),
    ...portNameWarnings(containers),
    ...grace,
    ...affinityWarnings(spec, path),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      addressWarnings(server, `${path}.dnsConfig.nameservers[${index}]`),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) => addressWarnings(ip, `${path}.hostAliases[${index}].ip`)),
  ]
}

/** Profiles that annotations still name, where no field says it. */
function profileWarnings({ name, securityContext }: Container, { annotations, path }: Annotated): string[] {
  const { seccompProfile, appArmorProfile } = (securityContext ?? {}) as Fields
  const [seccomp, appArmor] = [`${SECCOMP_PREFIX}${name}`, `${APP_ARMOR_PREFIX}${name}`]
  return [
    ...(seccompProfile === undefined && Object.hasOwn(annotations, seccomp)
      ? [`${path}[${seccomp}]: ${USE_SECCOMP}`]
      : []),
    ...(appArmorProfile === undefined && Object.hasOwn(annotations, appArmor)
      ? [`${path}[${appArmor}]: ${USE_APP_ARMOR}`]
      : []),
  ]
}

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

const BYTES = ['memory', 'ephemeral-storage']
