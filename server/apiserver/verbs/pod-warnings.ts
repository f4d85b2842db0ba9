/** Warnings about pods and pod templates: accepted, but probably not intended. */
import type { Container, PodSpec, PodTemplate } from '@/lib/kube/kinds'
import { compareQuantity, quantityOf, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'
import type { UnknownObject } from '@/lib/kube/object'
import { ownField } from '@/lib/std/fields'
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
  const lists = ['initContainers', 'containers'] as const
  const containers = lists.flatMap((list) =>
    (spec[list] ?? []).flatMap((container, index) => containerWarnings(container, `${path}.${list}[${index}]`)),
  )
  const grace =
    (spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []
  const spread = (spec.topologySpreadConstraints ?? []).flatMap(({ labelSelector }, index) =>
    labelSelector ? [] : [`${path}.topologySpreadConstraints[${index}].labelSelector: ${NULL_SELECTOR}`],
  )
  return [...volumes, ...containers, ...grace, ...spread]
}

const NULL_SELECTOR = 'a null labelSelector results in matching no pod'

function containerWarnings({ env = [], resources = {} }: Container, path: string): string[] {
  return [
    ...hiddenNames(env, path),
    ...(['limits', 'requests'] as const).flatMap((part) =>
      fractionWarnings(resources[part], `${path}.resources.${part}`),
    ),
  ]
}

function hiddenNames(env: readonly { name: string }[], path: string): string[] {
  const seen = new Set<string>()
  return env.flatMap(({ name }, index) => {
    if (seen.size < seen.add(name).size) return []
    const why = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`
    return [`${path}.env[${index}]: ${why}`]
  })
}

/** Bytes come in whole numbers. */
function fractionWarnings(amounts: Readonly<Record<string, number | string>> = {}, path: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => {
    const amount = amounts[name] === undefined ? undefined : tryParseQuantity(amounts[name])
    if (!amount || compareQuantity(amount, quantityOf(quantityValue(amount))) === 0) return []
    return [
      `${path}[${name}]: fractional byte value ${JSON.stringify(String(amounts[name]))} is invalid, must be an integer`,
    ]
  })
}
