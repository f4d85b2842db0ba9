/** Validates a pod spec. */
import { deepEqual } from '@/lib/std/equal'
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { Container, PodSpec, PodTemplate } from '../kinds'
import { validateAffinity, validateSpread } from './affinity'
import { type PodContext, validateContainer, validateImage, validateRestarts } from './container'
import { validateLasting } from './handlers'
import { validateAnnotations, validateLabels } from './object-meta'
import { validatePodAnnotations } from './pod-annotations'
import {
  validateDns,
  validateFileVolumes,
  validateHostname,
  validateHostUsers,
  validateNodePorts,
  validateSameSeccomp,
  validateUsedPorts,
} from './pod-host'
import { validateGates, validateHostFields, validateNames } from './pod-parts'
import { validatePodResources } from './pod-resources'
import { validatePodClaims } from './resource-claims'
import { validatePodSecurity } from './security-context'
import { validateVolumes } from './volumes'
import { validateHostProcess, validateSystem } from './windows'

/** The rules of a template: its labels and annotations, and its pod. */
export function validateTemplate(template: PodTemplate, field: string): FieldError[] {
  const annotations = template.metadata?.annotations ?? {}
  return [
    ...validateTemplateMeta(template, field),
    ...validatePodAnnotations(annotations, template.spec, { field: `${field}.annotations` }),
    ...validatePodSpec(template.spec, `${field}.spec`),
    ...validateSameSeccomp(annotations, template.spec, `${field}.spec`),
    ...(template.spec.ephemeralContainers?.length
      ? [forbiddenField(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ]
}

/** The labels and annotations of a template alone. */
export function validateTemplateMeta({ metadata }: PodTemplate, field: string): FieldError[] {
  return [
    ...validateLabels(metadata?.labels, `${field}.labels`),
    ...validateAnnotations(metadata?.annotations, `${field}.annotations`),
  ]
}

const RESTARTS = ['Always', 'OnFailure', 'Never']
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

/** What kind of spec it is. */
interface Kind {
  /** The name of the pod; undefined for the spec of a template. */
  pod?: string | undefined
  isPod?: boolean
}

/** The rules of a pod spec, after defaulting. */
export function validatePodSpec(spec: PodSpec, field: string, { pod, isPod = false }: Kind = {}): FieldError[] {
  const { findings, mountable } = validateVolumes(spec.volumes ?? [], `${field}.volumes`, { pod, isPod })
  const claims = new Set((spec.resourceClaims ?? []).flatMap(({ name }) => name || []))
  const context: PodContext = { spec, isPod, volumes: mountable, claims }
  return [
    ...findings,
    ...validatePodClaims(spec.resourceClaims ?? [], `${field}.resourceClaims`),
    ...validateContainers(spec, field, context),
    ...validateInitContainers(spec, field, context),
    ...validateEphemeralContainers(spec, `${field}.ephemeralContainers`, context),
    ...validatePodResources(spec, `${field}.resources`, claims),
    ...validateNodePorts(spec, `${field}.containers`, isPod),
    ...validateChoice(spec.restartPolicy || undefined, RESTARTS, `${field}.restartPolicy`),
    ...validateChoice(spec.dnsPolicy, DNS_POLICIES, `${field}.dnsPolicy`),
    ...validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...validatePodSecurity(spec, `${field}.securityContext`),
    ...validateAffinity(spec.affinity, `${field}.affinity`),
    ...validateDns(spec, `${field}.dnsConfig`),
    ...validateGates(spec, field),
    ...validateSpread(spec.topologySpreadConstraints ?? [], `${field}.topologySpreadConstraints`),
    ...validateHostProcess(spec, field),
    ...validateHostUsers(spec, field),
    ...validateHostname(spec, `${field}.hostnameOverride`),
    ...validateNames(spec, field),
    ...validateHostFields(spec, field),
    ...validateSystem(spec, field),
    ...validateFileVolumes(spec, field),
  ]
}

const graceOf = ({ spec }: PodContext): number => spec.terminationGracePeriodSeconds ?? 0

function validateContainers({ containers }: PodSpec, field: string, context: PodContext): FieldError[] {
  if (!containers?.length) return [requiredField(`${field}.containers`)]
  const isRepeated = repeats()
  return [
    ...containers.flatMap((container, index) => {
      const at = `${field}.containers[${index}]`
      const twice = isRepeated(container.name)
      return [
        ...validateContainer(container, at, context),
        ...(twice ? [duplicateField(`${at}.name`, container.name ?? '')] : []),
        ...validateLasting(container, graceOf(context), at),
        ...validateRestarts(container, at),
      ]
    }),
    ...validateUsedPorts(containers, `${field}.containers`),
  ]
}

const LASTING = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const

/** Only those that run beside the others may have probes and hooks. */
function validateInitContainers(
  { containers, initContainers = [] }: PodSpec,
  field: string,
  context: PodContext,
): FieldError[] {
  const names = new Set<string | undefined>(containers?.map(({ name }) => name))
  const list = `${field}.initContainers`
  return initContainers.flatMap((container, index) => {
    const at = `${list}[${index}]`
    const twice = names.has(container.name)
    if (container.name) names.add(container.name)
    return [
      ...validateContainer(container, at, context),
      ...validateRestarts(container, at),
      ...(twice ? [duplicateField(`${at}.name`, container.name ?? '')] : []),
      // They run one after the other.
      ...validateUsedPorts([container], list),
      ...(container.restartPolicy === 'Always'
        ? validateLasting(container, graceOf(context), at)
        : [...refuseLasting(container, at), ...refuseRestart(container, at)]),
    ]
  })
}

function refuseLasting(container: Container, field: string): FieldError[] {
  const rule = 'may not be set for init containers without restartPolicy=Always'
  return LASTING.filter((name) => container[name] !== undefined).map((name) => forbiddenField(`${field}.${name}`, rule))
}

function refuseRestart({ resizePolicy = [] }: Container, field: string): FieldError[] {
  const rule = "must not be set to 'RestartContainer' for non-sidecar initContainers"
  return resizePolicy.flatMap(({ restartPolicy }, index) =>
    restartPolicy === 'RestartContainer'
      ? [invalidField(`${field}.resizePolicy[${index}].restartPolicy`, restartPolicy, rule)]
      : [],
  )
}

/** What a container for a look inside may not have, in the order of its fields. */
const BARRED = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const

function validateEphemeralContainers(spec: PodSpec, field: string, context: PodContext): FieldError[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec
  const others = new Set([...containers, ...initContainers].map(({ name }) => name ?? ''))
  const taken = new Set(others)
  return ephemeralContainers.flatMap((container, index) => {
    const at = `${field}[${index}]`
    const { name = '', targetContainerName: target } = container
    const twice = taken.has(name)
    taken.add(name)
    return [
      ...validateContainer(container, at, context),
      ...validateImage(container, at),
      ...(twice ? [duplicateField(`${at}.name`, name)] : []),
      ...(target && !others.has(target) ? [notFoundField(`${at}.targetContainerName`, target)] : []),
      ...refuseService(container, at),
    ]
  })
}

function refuseService(container: Container, field: string): FieldError[] {
  const refuse = (place: string): FieldError => forbiddenField(place, 'cannot be set for an Ephemeral Container')
  const isSet = (value: unknown): boolean => value !== undefined && !deepEqual(value, {})
  return [
    ...BARRED.filter((name) => isSet(container[name])).map((name) => refuse(`${field}.${name}`)),
    ...(container.volumeMounts ?? []).flatMap((mount, index) =>
      (['subPath', 'subPathExpr'] as const)
        .filter((name) => mount[name])
        .map((name) => refuse(`${field}.volumeMounts[${index}].${name}`)),
    ),
  ]
}

/** Templates of workloads that keep pods running must restart them always. */
export function validateRestartPolicy(spec: PodSpec, field: string): FieldError[] {
  return spec.restartPolicy === 'Always'
    ? []
    : [unsupportedField(`${field}.restartPolicy`, spec.restartPolicy, ['Always'])]
}
