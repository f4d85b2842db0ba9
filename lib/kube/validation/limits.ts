/** The rules of what a namespace may use: quotas, and ranges for single objects. */
import { deepEqual } from '@/lib/std/equal'
import { ownField } from '@/lib/std/fields'
import { repeats } from '@/lib/std/repeats'
import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { LimitRange, ResourceQuota } from '../kinds'
import type { UnknownObject } from '../object'
import { compareQuantity, quantityMilli, quantityOf, tryParseQuantity } from '../quantity'
import { checkQualifiedName } from './formats'
import { dumped } from './pod-dump'
import {
  checkContainerResource,
  checkQuotaName,
  checkResourceName,
  COUNTED,
  isSharedOut,
  QUOTA_NAMES,
} from './resource-names'
import { validateQuantity, validateWhole } from './resources'

/** ResourceQuota: amounts of resources that have a name. */
export function validateResourceQuota(object: UnknownObject): FieldError[] {
  const spec = specOf(object)
  const { hard = {}, scopes = [] } = spec
  return [
    ...validateQuotas(hard, 'spec.hard'),
    ...validateScopes(scopes, Object.keys(hard)),
    ...validateScopeSelector(spec),
  ]
}

const specOf = (quota: UnknownObject): ResourceQuota['spec'] => (quota as unknown as ResourceQuota).spec
const sortedSet = (scopes: readonly string[] = []): string[] => [...new Set(scopes)].toSorted()

/** The scopes of a quota do not change. */
export function validateQuotaUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [{ scopes }, { scopes: before }] = [specOf(next), specOf(old)]
  return deepEqual(sortedSet(scopes), sortedSet(before))
    ? []
    : [invalidField('spec.scopes', scopes ?? null, 'field is immutable')]
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

type Selector = NonNullable<ResourceQuota['spec']['scopeSelector']>

/** Scopes that a pod is either in or not. */
const PLAIN = new Set(['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'])
const PLAIN_RULE =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, "
  + 'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity'

/** Scopes with values of their own. */
function validateScopeSelector({ scopeSelector, scopes, hard = {} }: ResourceQuota['spec']): FieldError[] {
  if (!scopeSelector) return []
  const field = 'spec.scopeSelector.matchExpressions'
  const expressions = scopeSelector.matchExpressions ?? []
  const named = new Set(expressions.map(({ scopeName }) => scopeName))
  const unsuited = (): FieldError =>
    invalidField(field, dumped('ScopeSelector', scopeSelector), 'unsupported scope applied to resource')
  return [
    ...expressions.flatMap((expression) => {
      const suited = SCOPES.get(expression.scopeName ?? '')
      const wrong = Object.keys(hard).filter((name) => QUOTA_NAMES.has(name) && !suited?.has(name))
      return [
        ...(suited ? [] : [invalidField(`${field}.scopeName`, expression.scopeName ?? '', 'unsupported scope')]),
        ...(suited ? wrong.map(unsuited) : []),
        ...validateScopeOperator(expression, field),
      ]
    }),
    ...OPPOSITES.filter((pair) => pair.every((scope) => named.has(scope))).map(() =>
      invalidField(field, scopes ?? null, 'conflicting scopes'),
    ),
  ]
}

type Expression = Partial<NonNullable<Selector['matchExpressions']>[number]>

function validateScopeOperator(
  { scopeName = '', operator = '', values = [] }: Expression,
  field: string,
): FieldError[] {
  const known = ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)
  const isChoice = operator === 'In' || operator === 'NotIn'
  const missing = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
  const extra = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
  return [
    ...(PLAIN.has(scopeName) && operator !== 'Exists' ? [invalidField(`${field}.operator`, operator, PLAIN_RULE)] : []),
    ...(isChoice && values.length === 0 ? [requiredField(`${field}.values`, missing)] : []),
    ...(known && !isChoice && values.length > 0 ? [invalidField(`${field}.values`, values, extra)] : []),
    ...(known ? [] : [invalidField(`${field}.operator`, operator, 'not a valid selector operator')]),
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
      ...validateClaimLimits(item, field),
      ...validateOrder(item, field),
      ...validateRatios(item, field),
      ...validateFixed(item, field),
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

/** Claims are limited by what they store. */
function validateClaimLimits({ type, min, max }: Limits, field: string): FieldError[] {
  const hasStorage = min?.storage !== undefined || max?.storage !== undefined
  const rule = 'either minimum or maximum storage value is required, but neither was provided'
  return type === 'PersistentVolumeClaim' && !hasStorage ? [requiredField(`${field}.limits`, rule)] : []
}

/** How far a limit may be above what is asked for: as far as the bounds let it. */
function validateRatios({ min = {}, max = {}, maxLimitRequestRatio = {} }: Limits, field: string): FieldError[] {
  return Object.entries(maxLimitRequestRatio).flatMap(([name, text]) => {
    const ratio = tryParseQuantity(text)
    const at = `${field}.maxLimitRequestRatio[${name}]`
    if (!ratio) return []
    const [least, most] = [ownField(min, name), ownField(max, name)].map((one) => tryParseQuantity(one ?? ''))
    const limit = least && most ? Number(quantityMilli(most)) / Number(quantityMilli(least)) : Infinity
    const isBeyond = Number(quantityMilli(ratio)) / MILLI > limit
    const rule = `ratio ${text} is greater than max/min = ${limit.toFixed(6)}`
    return [
      ...(compareQuantity(ratio, ONE) < 0 ? [invalidField(at, String(text), `ratio ${text} is less than 1`)] : []),
      ...(isBeyond ? [invalidField(at, String(text), rule)] : []),
    ]
  })
}

const MILLI = 1000
const ONE = quantityOf(1)

/** Of what is not shared out, a container gets as much as it asks for. */
function validateFixed({ default: most = {}, defaultRequest = {} }: Limits, field: string): FieldError[] {
  return Object.entries(defaultRequest).flatMap(([name, asked]) => {
    const limit = ownField(most, name)
    const [low, high] = [tryParseQuantity(asked), limit === undefined ? undefined : tryParseQuantity(limit)]
    if (isSharedOut(name) || !low || !high || compareQuantity(low, high) === 0) return []
    const rule = `default value ${limit} must equal to defaultRequest value ${asked} in ${name}`
    return [invalidField(`${field}.defaultRequest[${name}]`, String(asked), rule)]
  })
}
