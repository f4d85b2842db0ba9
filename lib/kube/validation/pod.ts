/** Validates a pod spec. */
import { ownField } from '@/lib/std/fields'
import { duplicateField, type FieldError, invalidField, requiredField, unsupportedField } from '../field-error'
import type { Container, PodSpec, PodTemplate } from '../kinds'
import { compareQuantity, tryParseQuantity, ZERO } from '../quantity'
import { checkDnsLabel } from './formats'
import { validateAnnotations, validateLabels } from './object-meta'
import { validateEnv, validatePorts, validateProbes } from './container'
import { validateMounts, validateVolumes, validateHostFields } from './pod-parts'

const QUANTITY_RULE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/** The rules of a template: its labels and annotations, and its pod. */
export function validateTemplate(template: PodTemplate, field: string): FieldError[] {
  return [...validateTemplateMeta(template, field), ...validatePodSpec(template.spec, `${field}.spec`)]
}

/** The labels and annotations of a template alone. */
export function validateTemplateMeta({ metadata }: PodTemplate, field: string): FieldError[] {
  return [
    ...validateLabels(metadata?.labels, `${field}.labels`),
    ...validateAnnotations(metadata?.annotations, `${field}.annotations`),
  ]
}

/** The rules of a pod spec, after defaulting. */
export function validatePodSpec(spec: PodSpec, field: string): FieldError[] {
  const findings: FieldError[] = []
  if (!spec.containers?.length) findings.push(requiredField(`${field}.containers`))
  const names = new Set<string>()
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      for (const finding of validateContainer(container, `${field}.${list}[${index}]`, names)) findings.push(finding)
    }
  }
  const volumes = validateVolumes(spec.volumes ?? [], `${field}.volumes`)
  const mounts = (['containers', 'initContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ volumeMounts = [] }, index) =>
      validateMounts(volumeMounts, `${field}.${list}[${index}].volumeMounts`, volumes.names),
    ),
  )
  return [...volumes.findings, ...findings, ...mounts, ...validateHostFields(spec, field)]
}

function validateContainer(container: Container, field: string, names: Set<string>): FieldError[] {
  const findings: FieldError[] = []
  const { name, image } = container
  if (!name) findings.push(requiredField(`${field}.name`))
  else findings.push(...checkDnsLabel(name).map((problem) => invalidField(`${field}.name`, name, problem)))
  if (name && names.has(name)) findings.push(duplicateField(`${field}.name`, name))
  if (name) names.add(name)
  if (!image) findings.push(requiredField(`${field}.image`))
  else if (image !== image.trim())
    findings.push(invalidField(`${field}.image`, image, 'must not have leading or trailing whitespace'))
  return [
    ...findings,
    ...validatePorts(container.ports ?? [], `${field}.ports`),
    ...validateEnv(container.env ?? [], `${field}.env`),
    ...validateProbes(container, field),
    ...validateResources(container, field),
  ]
}

function validateResources({ resources = {} }: Container, field: string): FieldError[] {
  const { limits = {}, requests = {} } = resources
  return [
    ...validateAmounts(limits, `${field}.resources.limits`),
    ...validateAmounts(requests, `${field}.resources.requests`),
    ...Object.entries(requests).flatMap(([name, amount]) => {
      const limit = ownField(limits, name)
      const [asked, most] = [tryParseQuantity(amount), limit === undefined ? undefined : tryParseQuantity(limit)]
      if (!asked || !most || compareQuantity(asked, most) <= 0) return []
      return [
        invalidField(
          `${field}.resources.requests`,
          String(amount),
          `must be less than or equal to ${name} limit of ${String(limit)}`,
        ),
      ]
    }),
  ]
}

/** Every amount is a quantity and none is negative. */
export function validateAmounts(amounts: Readonly<Record<string, number | string>>, field: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const quantity = tryParseQuantity(amount)
    if (!quantity) return [invalidField(`${field}[${name}]`, amount, QUANTITY_RULE)]
    return compareQuantity(quantity, ZERO) < 0
      ? [invalidField(`${field}[${name}]`, String(amount), 'must be greater than or equal to 0')]
      : []
  })
}

/** Templates of workloads that keep pods running must restart them always. */
export function validateRestartPolicy(spec: PodSpec, field: string): FieldError[] {
  return spec.restartPolicy === 'Always'
    ? []
    : [unsupportedField(`${field}.restartPolicy`, spec.restartPolicy, ['Always'])]
}
