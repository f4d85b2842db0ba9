/** The rules of references to fields of a pod, and to amounts of its containers. */
import { type FieldError, invalidField, requiredField, unsupportedField } from '../field-error'
import { formatQuantity, tryParseQuantity } from '../quantity'
import { checkQualifiedName } from './formats'

/** Fields of a pod that a variable can hold. */
export const VARIABLE_FIELDS: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]
/** Fields of a pod that a file can hold. */
export const FILE_FIELDS: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]
const FIELDS = new Set([
  ...VARIABLE_FIELDS,
  ...FILE_FIELDS,
  'spec.host',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
])
/** Fields of several values: one of them can be chosen. */
const MAPS = new Set(['metadata.annotations', 'metadata.labels'])

interface FieldReference {
  apiVersion?: string
  fieldPath?: string
}

/** A field that a pod has, and that fits where it goes. */
export function validateFieldRef(
  { apiVersion = 'v1', fieldPath }: FieldReference,
  field: string,
  supported: readonly string[],
): FieldError[] {
  const at = `${field}.fieldPath`
  if (!fieldPath) return [requiredField(at)]
  const unread = (problem: string): FieldError[] => [
    invalidField(at, fieldPath, `error converting fieldPath: ${problem}`),
  ]
  if (apiVersion !== 'v1') return unread(`unsupported pod version: ${apiVersion}`)
  const [, path = fieldPath, subscript] = /^(.*?)\['(.*)'\]$/.exec(fieldPath) ?? []
  if (subscript !== undefined) {
    if (!MAPS.has(path)) return unread(`field label does not support subscript: ${fieldPath}`)
    const key = path === 'metadata.annotations' ? subscript.toLowerCase() : subscript
    return checkQualifiedName(key).map((problem) => invalidField(field, key, problem))
  }
  if (!FIELDS.has(path)) return unread(`field label not supported: ${fieldPath}`)
  const name = path === 'spec.host' ? 'spec.nodeName' : path
  return supported.includes(name) ? [] : [unsupportedField(at, name, supported)]
}

const AMOUNTS = ['limits', 'requests'].flatMap((list) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${list}.${name}`),
)
const HUGE_PAGES = /^(requests|limits)\.hugepages-/

interface AmountReference {
  containerName?: string
  divisor?: number | string
  resource?: string
}

/** An amount that a container asks for or is limited to, in a unit of it. A file names the container. */
export function validateAmountRef(
  { containerName, divisor = 0, resource = '' }: AmountReference,
  field: string,
  { isFile = false } = {},
): FieldError[] {
  const unit = validateDivisor(resource, divisor, `${field}.divisor`)
  if (isFile && !containerName) return [requiredField(`${field}.containerName`), ...unit]
  if (!resource) return [requiredField(`${field}.resource`), ...unit]
  const isKnown = AMOUNTS.includes(resource) || HUGE_PAGES.test(resource)
  return [...(isKnown ? [] : [unsupportedField(`${field}.resource`, resource, AMOUNTS)]), ...unit]
}

const SIZES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']

function validateDivisor(resource: string, divisor: number | string, field: string): FieldError[] {
  const quantity = tryParseQuantity(divisor)
  const text = quantity ? formatQuantity(quantity) : '0'
  if (text === '0') return []
  const wrong = (units: string, what: string): FieldError[] => [
    invalidField(field, resource, `only divisor's values ${units} are supported with the ${what} resource`),
  ]
  if (resource.endsWith('.cpu') && AMOUNTS.includes(resource))
    return ['1m', '1'].includes(text) ? [] : wrong('1m and 1', 'cpu')
  if (SIZES.includes(text)) return []
  if (HUGE_PAGES.test(resource)) return wrong(SIZES.join(', '), 'hugepages')
  if (!AMOUNTS.includes(resource)) return []
  return wrong(SIZES.join(', '), resource.endsWith('.memory') ? 'memory' : 'local ephemeral storage')
}
