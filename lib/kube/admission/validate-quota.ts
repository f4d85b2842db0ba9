/** The rules of a FederatedResourceQuota that the schema cannot express. */
import { type FieldError, invalidField } from '../field-error'
import type { FederatedResourceQuota, StaticClusterAssignment } from '../kinds'
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  type Quantity,
  quantityMilli,
  tryParseQuantity,
  ZERO,
} from '../quantity'
import { checkQualifiedName } from '../validation/formats'
import { validateQuantity } from '../validation/resources'
import { checkClusterName } from './cluster'

/** The name ends up as the value of a label. */
const MAX_NAME = 63

type ResourceList = FederatedResourceQuota['spec']['overall']

/** Validates a quota, in Karmada's order of errors; resources in the order of their list. */
export function validateQuota({ metadata, spec, status = {} }: FederatedResourceQuota): FieldError[] {
  const { name } = metadata
  return [
    ...(name.length > MAX_NAME
      ? [invalidField('metadata.name', name, `must be no more than ${MAX_NAME} characters`)]
      : []),
    ...validateSpec(spec),
    ...validateResources(status.overall, 'status.overall'),
    ...validateResources(status.overallUsed, 'status.overallUsed'),
    ...(status.aggregatedStatus ?? []).flatMap(({ clusterName, hard, used }, index) => {
      const field = `status.aggregatedStatus[${index}]`
      return [
        ...validateClusterName(clusterName, `${field}.clusterName`),
        ...validateResources(hard, `${field}.hard`),
        ...validateResources(used, `${field}.used`),
      ]
    }),
  ]
}

function validateSpec({ overall, staticAssignments = [] }: FederatedResourceQuota['spec']): FieldError[] {
  const shares = staticAssignments.flatMap(({ clusterName, hard }, index) => {
    const field = `spec.staticAssignments[${index}]`
    return [...validateClusterName(clusterName, `${field}.clusterName`), ...validateResources(hard, `${field}.hard`)]
  })
  return [
    ...validateResources(overall, 'spec.overall'),
    ...shares,
    ...validateSums(overall, staticAssignments),
    ...staticAssignments.flatMap(({ hard }, index) =>
      Object.keys(hard)
        .filter((name) => !Object.hasOwn(overall, name))
        .map((name) =>
          invalidField(
            `spec.staticAssignments[${index}].hard[${name}]`,
            name,
            'assignment resourceName is not exist in overall',
          ),
        ),
    ),
  ]
}

/** The clusters together get no more than there is. */
function validateSums(overall: ResourceList, assignments: readonly StaticClusterAssignment[]): FieldError[] {
  const sums = new Map<string, Quantity>()
  for (const [name, amount] of assignments.flatMap(({ hard }) => Object.entries(hard))) {
    sums.set(name, addQuantity(sums.get(name) ?? ZERO, tryParseQuantity(amount) ?? ZERO))
  }
  return Object.entries(overall).flatMap(([name, amount]) => {
    const limit = tryParseQuantity(amount) ?? ZERO
    return compareQuantity(limit, sums.get(name) ?? ZERO) < 0
      ? [invalidField(`spec.overall[${name}]`, formatQuantity(limit), 'overall is less than assignments')]
      : []
  })
}

function validateClusterName(name: string, field: string): FieldError[] {
  const problems = name === '' ? ['must be not empty'] : checkClusterName(name)
  return problems.length > 0 ? [invalidField(field, name, problems.join(','))] : []
}

function validateResources(list: ResourceList = {}, field: string): FieldError[] {
  return Object.entries(list).flatMap(([name, amount]) => [
    ...checkResourceName(name).map((problem) => invalidField(`${field}[${name}]`, name, problem)),
    ...validateQuantity(amount, `${field}[${name}]`),
    ...validateWhole(name, amount, field),
  ])
}

function validateWhole(name: string, amount: number | string, field: string): FieldError[] {
  const quantity = tryParseQuantity(amount)
  if (!quantity || !isCounted(name) || quantityMilli(quantity) % 1000n === 0n) return []
  return [invalidField(`${field}[${name}]`, formatQuantity(quantity), 'must be an integer')]
}

const COUNTED = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
])
const MEASURED = ['cpu', 'memory', 'ephemeral-storage']
/** Names without a prefix that a quota may limit. */
const LIMITABLE = new Set([
  ...COUNTED,
  ...MEASURED,
  ...MEASURED.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
])

/** Validates the name of a limited resource. */
function checkResourceName(name: string): string[] {
  const malformed = checkQualifiedName(name)
  if (name.includes('/')) return malformed
  const limitable = LIMITABLE.has(name) || isHugePages(name)
  const known = limitable || name === 'storage'
  return [
    ...malformed,
    ...(malformed.length === 0 && !known ? ['must be a standard resource type or fully qualified'] : []),
    ...(limitable ? [] : ['must be a standard resource for quota']),
  ]
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-') || name.startsWith('requests.hugepages-')
}

/** Integer resources: object counts and extended resources. */
function isCounted(name: string): boolean {
  if (COUNTED.has(name)) return true
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.')
}
