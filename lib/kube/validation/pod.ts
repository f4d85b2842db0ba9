/** Validates a pod spec. */
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { Container, PodSpec, PodTemplate } from '../kinds'
import { validateAffinity, validateSpread } from './affinity'
import { validateContainer, validateProbes } from './container'
import { validateAnnotations, validateLabels } from './object-meta'
import { validatePodAnnotations } from './pod-annotations'
import { validateGates, validateHostFields, validateNames, validateVolumes } from './pod-parts'
import { validatePodSecurity } from './security-context'

/** The rules of a template: its labels and annotations, and its pod. */
export function validateTemplate(template: PodTemplate, field: string): FieldError[] {
  const annotations = template.metadata?.annotations ?? {}
  return [
    ...validateTemplateMeta(template, field),
    ...validatePodAnnotations(annotations, template.spec, { field: `${field}.annotations` }),
    ...validatePodSpec(template.spec, `${field}.spec`),
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

/** The rules of a pod spec, after defaulting. */
export function validatePodSpec(spec: PodSpec, field: string): FieldError[] {
  const volumes = validateVolumes(spec.volumes ?? [], `${field}.volumes`)
  const { restartPolicy, dnsPolicy } = spec
  return [
    ...volumes.findings,
    ...validateContainers(spec, field, volumes.names),
    ...validateInitContainers(spec, field, volumes.names),
    ...validateChoice(restartPolicy || undefined, RESTARTS, `${field}.restartPolicy`),
    ...validateChoice(dnsPolicy, DNS_POLICIES, `${field}.dnsPolicy`),
    ...validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...validatePodSecurity(spec.securityContext, `${field}.securityContext`),
    ...validateAffinity(spec.affinity, `${field}.affinity`),
    ...validateGates(spec, field),
    ...validateSpread(spec.topologySpreadConstraints ?? [], `${field}.topologySpreadConstraints`),
    ...validateNames(spec, field),
    ...validateHostFields(spec, field),
  ]
}

function validateContainers({ containers }: PodSpec, field: string, volumes: ReadonlySet<string>): FieldError[] {
  if (!containers?.length) return [requiredField(`${field}.containers`)]
  const isRepeated = repeats()
  return containers.flatMap((container, index) => {
    const at = `${field}.containers[${index}]`
    const twice = isRepeated(container.name)
    return [
      ...validateContainer(container, at, volumes),
      ...(twice ? [duplicateField(`${at}.name`, container.name ?? '')] : []),
      ...validateProbes(container, at),
    ]
  })
}

const LASTING = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const

/** Only those that run beside the others may have probes and hooks. */
function validateInitContainers(
  { containers, initContainers = [] }: PodSpec,
  field: string,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const names = new Set<string | undefined>(containers?.map(({ name }) => name))
  return initContainers.flatMap((container, index) => {
    const at = `${field}.initContainers[${index}]`
    const twice = names.has(container.name)
    if (container.name) names.add(container.name)
    return [
      ...validateContainer(container, at, volumes),
      ...(twice ? [duplicateField(`${at}.name`, container.name ?? '')] : []),
      ...(container.restartPolicy === 'Always' ? validateProbes(container, at) : refuseLasting(container, at)),
    ]
  })
}

function refuseLasting(container: Container, field: string): FieldError[] {
  const rule = 'may not be set for init containers without restartPolicy=Always'
  return LASTING.filter((name) => container[name] !== undefined).map((name) => forbiddenField(`${field}.${name}`, rule))
}

/** Templates of workloads that keep pods running must restart them always. */
export function validateRestartPolicy(spec: PodSpec, field: string): FieldError[] {
  return spec.restartPolicy === 'Always'
    ? []
    : [unsupportedField(`${field}.restartPolicy`, spec.restartPolicy, ['Always'])]
}
