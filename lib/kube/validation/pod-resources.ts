/** The rules of what a pod asks for as a whole, beside its containers. */
import { ownField } from '@/lib/std/fields'
import { type FieldError, forbiddenField, invalidField, unsupportedField } from '../field-error'
import type { PodSpec } from '../kinds'
import { sumOfContainers } from '../pod-resources'
import { compareQuantity, formatQuantity, tryParseQuantity } from '../quantity'
import { checkResourceName, isHugePages, POD_NAMES } from './resource-names'
import { validateRequirements } from './resources'

const SUPPORTED = [...POD_NAMES, 'hugepages-'].toSorted()

export function validatePodResources(spec: PodSpec, field: string, claims: ReadonlySet<string>): FieldError[] {
  const { resources, os } = spec
  if (!resources) return []
  if (os?.name === 'windows') return [forbiddenField(field, 'may not be set for a windows pod')]
  return [
    ...(resources.claims
      ? [forbiddenField(`${field}.claims`, 'claims may not be set for Resources at pod-level')]
      : []),
    ...validateRequirements(resources, field, { checkName, claims }),
    ...validateSums(spec, field),
    ...validateLimits(spec, field),
  ]
}

function checkName(name: string, field: string): FieldError[] {
  const problems = checkResourceName(name).map((problem) => invalidField(field, name, problem))
  if (problems.length > 0 || POD_NAMES.has(name) || isHugePages(name)) return problems
  return [unsupportedField(field, name, SUPPORTED)]
}

/** What all containers ask for together is not more than what their pod does. Pages of memory are never shared. */
function validateSums(spec: PodSpec, field: string): FieldError[] {
  return (['requests', 'limits'] as const).flatMap((list) =>
    [...sumOfContainers(spec, list)].flatMap(([name, sum]) => {
      const own = spec.resources?.[list]?.[name]
      const quantity = own === undefined ? undefined : tryParseQuantity(own)
      const isCompared = list === 'requests' || isHugePages(name)
      if (!quantity || !isCompared || compareQuantity(sum, quantity) <= 0) return []
      const rule = `must be greater than or equal to aggregate container ${list} of ${formatQuantity(sum)}`
      return [invalidField(`${field}.${list}[${name}]`, String(own), rule)]
    }),
  )
}

/** No container may use more than its pod. */
function validateLimits({ containers = [], resources }: PodSpec, field: string): FieldError[] {
  return containers.flatMap((container, index) =>
    Object.entries(container.resources?.limits ?? {}).flatMap(([name, amount]) => {
      const most = ownField(resources?.limits ?? {}, name)
      const [limit, ofPod] = [tryParseQuantity(amount), most === undefined ? undefined : tryParseQuantity(most)]
      if (!limit || !ofPod || compareQuantity(limit, ofPod) <= 0) return []
      const rule = `must be less than or equal to pod limits of ${String(most)}`
      return [invalidField(`${field}.containers[${index}][${name}].limits`, String(amount), rule)]
    }),
  )
}
