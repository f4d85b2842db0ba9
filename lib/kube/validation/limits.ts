/** The rules of what a namespace may use: quotas, and ranges for single objects. */
import { ownField } from '@/lib/std/fields'
import { repeats } from '@/lib/std/repeats'
import { duplicateField, type FieldError, forbiddenField, invalidField } from '../field-error'
import type { LimitRange, ResourceQuota } from '../kinds'
import type { UnknownObject } from '../object'
import { compareQuantity, tryParseQuantity } from '../quantity'
import { checkQualifiedName } from './formats'
import { checkContainerResource, checkQuotaName, checkResourceName, COUNTED, QUOTA_NAMES } from './resource-names'
import { validateQuantity, validateWhole } from './resources'

/** ResourceQuota: amounts of resources that have a name. */
export function validateResourceQuota(object: UnknownObject): FieldError[] {
  const { hard = {}, scopes = [] } = (object as unknown as ResourceQuota).spec
  return [...validateQuotas(hard, 'spec.hard'), ...validateScopes(scopes, Object.keys(hard))]
}

/** What a quota reports is counted like what it grants. */
export function validateQuotaStatus(next: UnknownObject): FieldError[] {
  const { hard = {}, used = {} } = (next as unknown as ResourceQuota).status ?? {}
  return [...validateQuotas(hard, 'status.hard'), ...validateQuotas(used, 'status.used')]
}

function validateQuotas(amounts: Readonly<Record<string, number | string>>, field: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => [
    ...checkQuotaName(name).map((problem) => invalidField(`${field}[${name}]`, name, problem)),
    ...validateQuantity(amount, `${field}[${name}]`),
    ...(COUNTED.has(name) || name.startsWith('count/') ? validateWhole(amount, `${field}[${name}]`) : []),
  ])
}

const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const
const PODS = new Set(['pods'])
const OF_PODS = new Set(['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'])
/** Each scope with what can be limited in it. */
const SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['BestEffort', PODS],
  ['NotBestEffort', OF_PODS],
  ['Terminating', OF_PODS],
  ['NotTerminating', OF_PODS],
  ['PriorityClass', OF_PODS],
  ['CrossNamespacePodAffinity', OF_PODS],
  ['VolumeAttributesClass', new Set(['persistentvolumeclaims', 'requests.storage'])],
])

/** Each scope is known, suits what is limited, and leaves something. */
function validateScopes(scopes: readonly string[], limited: readonly string[]): FieldError[] {
  const wrong = (problem: string): FieldError => invalidField('spec.scopes', scopes, problem)
  const standard = limited.filter((name) => QUOTA_NAMES.has(name))
  return [
    ...scopes.flatMap((scope) => {
      const suited = SCOPES.get(scope)
      if (!suited) return [wrong('unsupported scope')]
      return standard.filter((name) => !suited.has(name)).map(() => wrong('unsupported scope applied to resource'))
    }),
    ...OPPOSITES.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() => wrong('conflicting scopes')),
  ]
}

type Limits = LimitRange['spec']['limits'][number]

/** LimitRange: one item a type, and its bounds in order. */
export function validateLimitRange(object: UnknownObject): FieldError[] {
  const limits = (object as unknown as LimitRange).spec.limits ?? []
  const isRepeated = repeats()
  return limits.flatMap((item, index) => {
    const field = `spec.limits[${index}]`
    const repeated = isRepeated(item.type)
    const { type = '' } = item
    const ofContainers = type === 'Pod' || type === 'Container'
    return [
      ...checkLimitType(type).map((problem) => invalidField(`${field}.type`, type, problem)),
      ...(repeated ? [duplicateField(`${field}.type`, type)] : []),
      ...(type === 'Pod' ? DEFAULTS : []).flatMap((bound) =>
        Object.keys(item[bound] ?? {}).length > 0
          ? [forbiddenField(`${field}.${bound}`, "may not be specified when `type` is 'Pod'")]
          : [],
      ),
      ...BOUNDS.filter((bound) => type !== 'Pod' || !DEFAULTS.includes(bound)).flatMap((bound) =>
        Object.keys(item[bound] ?? {}).flatMap((name) =>
          (ofContainers ? checkContainerResource(name) : checkResourceName(name)).map((problem) =>
            invalidField(`${field}.${bound}[${name}]`, name, problem),
          ),
        ),
      ),
      ...validateOrder(item, field),
    ]
  })
}

const LIMIT_TYPES = new Set(['Pod', 'Container', 'PersistentVolumeClaim'])

function checkLimitType(type: string): string[] {
  const problems = checkQualifiedName(type)
  const known = type.includes('/') || LIMIT_TYPES.has(type)
  return problems.length > 0 || known ? problems : ['must be a standard limit type or fully qualified']
}

const DEFAULTS: readonly (keyof Limits)[] = ['default', 'defaultRequest']
const BOUNDS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const

/** Each bound with the one that it must not exceed, in the words of the real server. */
const ORDER: readonly Order[] = [
  { low: 'min', high: 'max', words: ['min value', 'max value'], blamed: 'min', shown: 'min' },
  {
    low: 'min',
    high: 'defaultRequest',
    words: ['min value', 'default request value'],
    blamed: 'defaultRequest',
    shown: 'defaultRequest',
  },
  {
    low: 'defaultRequest',
    high: 'max',
    words: ['default request value', 'max value'],
    blamed: 'defaultRequest',
    shown: 'defaultRequest',
  },
  {
    low: 'defaultRequest',
    high: 'default',
    words: ['default request value', 'default limit value'],
    blamed: 'defaultRequest',
    shown: 'defaultRequest',
  },
  { low: 'min', high: 'default', words: ['min value', 'default value'], blamed: 'default', shown: 'min' },
  { low: 'default', high: 'max', words: ['default value', 'max value'], blamed: 'default', shown: 'max' },
]

interface Order {
  low: keyof Limits
  high: keyof Limits
  words: readonly [low: string, high: string]
  /** The field that is named, and the one whose value is repeated. */
  blamed: keyof Limits
  shown: keyof Limits
}

function validateOrder(item: Limits, field: string): FieldError[] {
  return ORDER.flatMap(({ low, high, words, blamed, shown }) => {
    const [lower, upper] = [item[low] ?? {}, item[high] ?? {}] as [Record<string, string>, Record<string, string>]
    return Object.entries(lower).flatMap(([name, amount]) => {
      const most = ownField(upper, name) ?? ''
      const [small, large] = [tryParseQuantity(amount), tryParseQuantity(most)]
      if (!small || !large || compareQuantity(small, large) <= 0) return []
      const text = `${words[0]} ${amount} is greater than ${words[1]} ${most}`
      return [invalidField(`${field}.${blamed}[${name}]`, shown === low ? amount : most, text)]
    })
  })
}
