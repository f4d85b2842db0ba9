/** The rules of nodes. */
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  internalFieldError,
  invalidField,
  requiredField,
  unsupportedField,
} from '../field-error'
import type { Node } from '../kinds'
import type { UnknownObject } from '../object'
import { parseBlock } from '../cel/address'
import { validateBlock, withoutLeadingZeros } from './addresses'
import { checkLabelValue, checkQualifiedName } from './formats'
import { isCounted } from './resource-names'
import { validateQuantity, validateWhole } from './resources'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Node: its taints have a key and an effect. They are named as if they were metadata. */
export function validateNode(object: UnknownObject): FieldError[] {
  const { spec, status } = object as unknown as Node
  const { taints = [], podCIDRs = [] } = spec ?? {}
  return [
    ...validateTaints(taints),
    ...validateReport(status ?? {}),
    ...podCIDRs.flatMap((block, index) => validateBlock(block, `spec.podCIDRs[${index}]`)),
    ...(podCIDRs.length > 1 ? unreadableBlocks(podCIDRs) : []),
    ...(hasOneOfEachFamily(podCIDRs)
      ? []
      : [invalidField('spec.podCIDRs', podCIDRs, 'may specify no more than one CIDR for each IP family')]),
  ]
}

/** Families cannot be told of what is no block. */
function unreadableBlocks(blocks: readonly string[]): FieldError[] {
  const at = blocks.findIndex((block) => parseBlock(withoutLeadingZeros(block)) === undefined)
  if (at < 0) return []
  const detail =
    'invalid PodCIDRs. failed to check with dual stack with error:'
    + `invalid CIDR[${at}]: <nil> (invalid CIDR address: ${blocks[at]})`
  return [internalFieldError('spec.podCIDRs', detail)]
}

type Status = NonNullable<Node['status']>

/** What a node reports of itself. */
function validateReport({ capacity = {}, allocatable = {}, declaredFeatures = [] }: Status): FieldError[] {
  return [
    ...validateAmounts(capacity, 'status.capacity'),
    ...validateAmounts(allocatable, 'status.allocatable'),
    ...validateFeatures(declaredFeatures, 'status.declaredFeatures'),
  ]
}

function validateAmounts(amounts: Readonly<Record<string, number | string>>, field: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => [
    ...validateQuantity(amount, `${field}.${name}`),
    ...(isCounted(name) ? validateWhole(amount, `${field}.${name}`) : []),
  ])
}

const FEATURE = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/
const MAX_FEATURE_LENGTH = 253
const FEATURE_RULE =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), "
  + 'and contain only alphanumeric characters and slashes'

/** Names in order, each once. */
function validateFeatures(features: readonly string[], field: string): FieldError[] {
  return features.flatMap((feature, index) => {
    const next = features[index + 1]
    const at = `${field}[${index + 1}]`
    return [
      ...validateFeature(feature, `${field}[${index}]`),
      ...(next === feature ? [duplicateField(at, next)] : []),
      ...(next !== undefined && next < feature ? [invalidField(at, next, 'list must be sorted alphabetically')] : []),
    ]
  })
}

function validateFeature(feature: string, field: string): FieldError[] {
  const wrong = (rule: string): FieldError[] => [
    invalidField(field, feature, `invalid feature name ${JSON.stringify(feature)}: ${rule}`),
  ]
  if (feature.length > MAX_FEATURE_LENGTH) return wrong(`must be no more than ${MAX_FEATURE_LENGTH} characters`)
  return FEATURE.test(feature) ? [] : wrong(FEATURE_RULE)
}

function validateAddresses(addresses: NonNullable<Status['addresses']>): FieldError[] {
  const isRepeated = repeats()
  return addresses.flatMap(({ type = '', address = '' }, index) =>
    isRepeated(JSON.stringify([type, address]))
      ? [duplicateField(`status.addresses[${index}]`, { Type: type, Address: address })]
      : [],
  )
}

interface Taint {
  key?: string
  value?: string
  effect?: string
  timeAdded?: string | null
}

function validateTaints(taints: readonly (Taint | null)[]): FieldError[] {
  const isRepeated = repeats()
  return taints.flatMap((taint, index) => {
    const field = `metadata.taints[${index}]`
    const { key = '', value = '', effect = '', timeAdded = null } = taint ?? {}
    const findings = checkQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem))
    const problems = checkLabelValue(value)
    if (problems.length > 0) findings.push(invalidField(`${field}.value`, value, problems.join(';')))
    if (effect === '') findings.push(requiredField(`${field}.effect`))
    else if (!EFFECTS.includes(effect)) findings.push(unsupportedField(`${field}.effect`, effect, EFFECTS))
    if (!isRepeated(`${effect} ${key}`)) return findings
    const { message, ...duplicate } = duplicateField(field, {
      Key: key,
      Value: value,
      Effect: effect,
      TimeAdded: timeAdded,
    })
    return [...findings, { ...duplicate, message: `${message}: taints must be unique by key and effect pair` }]
  })
}

function hasOneOfEachFamily(blocks: readonly string[]): boolean {
  if (blocks.length < 2) return true
  return blocks.length === 2 && blocks[0]?.includes(':') !== blocks[1]?.includes(':')
}

const FIXED = 'node updates may not change'

/** What a node got from its cloud and for its pods stays, also when its status is written. */
export function validateNodeUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [spec, before] = [(next as unknown as Node).spec ?? {}, (old as unknown as Node).spec ?? {}]
  const kept = (name: string): string => `${FIXED} ${name} except from "" to valid`
  const { status = {} } = next as unknown as Node
  return [
    ...validateReport(status),
    ...validateAddresses(status.addresses ?? []),
    ...(!before.podCIDRs?.length || deepEqual(spec.podCIDRs, before.podCIDRs)
      ? []
      : [forbiddenField('spec.podCIDRs', kept('podCIDR'))]),
    ...(!before.providerID || spec.providerID === before.providerID
      ? []
      : [forbiddenField('spec.providerID', kept('providerID'))]),
    ...validateTaints(spec.taints ?? []),
    ...((spec.externalID ?? '') === (before.externalID ?? '')
      ? []
      : [forbiddenField('spec.externalID', 'may not be updated')]),
  ]
}

/** Configurations of kubelets are no more: a node keeps the one that it had. */
export function withoutNewConfig(next: UnknownObject, old?: UnknownObject): UnknownObject {
  const { spec, status } = next as unknown as Node
  const before = old as unknown as Node | undefined
  return {
    ...next,
    ...(spec?.configSource && !before?.spec?.configSource && { spec: omit(spec, 'configSource') }),
    ...(status?.config && !before?.status?.config && { status: omit(status, 'config') }),
  }
}
