/** The rules of what an autoscaler measures, and of how fast it scales. */
import {
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { HorizontalPodAutoscaler, MetricSpec } from '../kinds'
import { compareQuantity, tryParseQuantity, ZERO } from '../quantity'
import { checkDnsLabel, checkPathSegment } from './formats'
import { checkContainerResource } from './resource-names'
import { validateQuantity } from './resources'

/** A name that can be one segment of a path; `missing` says what there is to say without one. */
export function validateSegment(value: string | undefined, field: string, missing = ''): FieldError[] {
  if (!value) return [missing ? requiredField(field, missing) : requiredField(field)]
  return checkPathSegment(value).map((problem) => invalidField(field, value, problem))
}

const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
const UNPOPULATED = 'must populate information for the given metric source'
/** In the order in which they are judged: of several that are given, only the first. */
const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'] as const

/** One metric: exactly one source, the one of its type. */
export function validateMetric(metric: MetricSpec, field: string): FieldError[] {
  const { type = '' } = metric
  const given = SOURCES.filter((source) => metric[source] !== undefined)
  const unknown = TYPES.includes(type) ? [] : [unsupportedField(`${field}.type`, type, TYPES)]
  const own = `${type.charAt(0).toLowerCase()}${type.slice(1)}`
  const isMissing = unknown.length === 0 && metric[own as keyof MetricSpec] === undefined
  return [
    ...(type === '' ? [requiredField(`${field}.type`, 'must specify a metric source type')] : []),
    ...unknown,
    ...given.slice(0, 1).flatMap((source) => validateSource(metric, source, `${field}.${source}`)),
    ...(isMissing ? [requiredField(`${field}.${own}`, UNPOPULATED)] : []),
    ...unknown,
    ...(given.length === 1 ? [] : given)
      .filter((source) => source !== own)
      .map((source) => forbiddenField(`${field}.${source}`, 'must populate the given metric source only')),
  ]
}

type Reference = Partial<HorizontalPodAutoscaler['spec']['scaleTargetRef']>

/** The object that a metric is about may be of any group. */
function validateDescribed({ kind, name, apiVersion = '' }: Reference = {}, field: string): FieldError[] {
  const problem = apiVersion.split('/').length > 2 ? `unexpected GroupVersion string: ${apiVersion}` : undefined
  return [
    ...validateSegment(kind, `${field}.kind`),
    ...validateSegment(name, `${field}.name`),
    ...(problem === undefined ? [] : [invalidField(`${field}.apiVersion`, apiVersion, problem)]),
  ]
}

function validateSource(metric: MetricSpec, source: (typeof SOURCES)[number], field: string): FieldError[] {
  const { target = {} } = metric[source] as { target?: Target }
  const measured = validateTarget(target, `${field}.target`)
  const name = (of: { name?: string } | undefined): FieldError[] =>
    validateSegment(of?.name, `${field}.metric.name`, 'must specify a metric name')
  const missing = (what: string, why: string): FieldError[] => [requiredField(`${field}.target.${what}`, why)]
  const { value, averageValue } = target
  switch (source) {
    case 'object':
      return [
        ...validateDescribed(metric.object?.describedObject, `${field}.describedObject`),
        ...name(metric.object?.metric),
        ...measured,
        ...(value === undefined && averageValue === undefined
          ? missing('averageValue', 'must set either a target value or averageValue')
          : []),
      ]
    case 'external':
      return [
        ...name(metric.external?.metric),
        ...measured,
        ...(value === undefined && averageValue === undefined
          ? missing('averageValue', 'must set either a target value for metric or a per-pod target')
          : []),
        ...(value !== undefined && averageValue !== undefined
          ? [forbiddenField(`${field}.target.value`, 'may not set both a target value for metric and a per-pod target')]
          : []),
      ]
    case 'pods':
      return [
        ...name(metric.pods?.metric),
        ...measured,
        ...(averageValue === undefined ? missing('averageValue', 'must specify a positive target averageValue') : []),
      ]
    case 'resource':
      return [...validateResourceName(metric.resource?.name, field), ...measured, ...validateShares(target, field)]
    case 'containerResource': {
      const { name: resource, container } = metric.containerResource!
      const problems = resource ? checkContainerResource(resource) : []
      return [
        ...validateResourceName(resource, field),
        ...problems.map((problem) => invalidField(`${field}.name`, resource, problem)),
        ...(container
          ? checkDnsLabel(container).map((problem) => invalidField(`${field}.container`, container, problem))
          : [requiredField(`${field}.container`, 'must specify a container')]),
        ...measured,
        ...validateShares(target, field),
      ]
    }
  }
}

function validateResourceName(name: string | undefined, field: string): FieldError[] {
  return name ? [] : [requiredField(`${field}.name`, 'must specify a resource name')]
}

interface Target {
  type?: string
  value?: number | string
  averageValue?: number | string
  averageUtilization?: number
}

/** What pods use of a resource is measured as an amount or as a share of what they ask for. */
function validateShares({ averageUtilization, averageValue }: Target, field: string): FieldError[] {
  if (averageUtilization === undefined && averageValue === undefined)
    return [
      requiredField(`${field}.target.averageUtilization`, 'must set either a target raw value or a target utilization'),
    ]
  return averageUtilization !== undefined && averageValue !== undefined
    ? [forbiddenField(`${field}.target.averageValue`, 'may not set both a target raw value and a target utilization')]
    : []
}

function validateTarget({ type = '', averageUtilization, ...amounts }: Target, field: string): FieldError[] {
  const isKnown = ['Utilization', 'Value', 'AverageValue'].includes(type)
  return [
    ...(type === '' ? [requiredField(`${field}.type`, 'must specify a metric target type')] : []),
    ...(isKnown ? [] : [invalidField(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...(['value', 'averageValue'] as const).flatMap((name) => {
      const amount = amounts[name]
      const quantity = amount === undefined ? undefined : tryParseQuantity(amount)
      if (!quantity || compareQuantity(quantity, ZERO) > 0) return []
      return [invalidField(`${field}.${name}`, String(amount), 'must be positive')]
    }),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalidField(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ]
}

type Behavior = NonNullable<HorizontalPodAutoscaler['spec']['behavior']>
type Rules = NonNullable<Behavior['scaleUp']>

/** How fast it scales up and down. */
export function validateBehavior(behavior: Behavior = {}, field: string): FieldError[] {
  return (['scaleUp', 'scaleDown'] as const).flatMap((name) => {
    const rules = behavior[name]
    return rules ? validateScaling(rules, `${field}.${name}`) : []
  })
}

const LONGEST_WINDOW = 3600
const LONGEST_PERIOD = 1800

function validateScaling(rules: Rules, field: string): FieldError[] {
  const { stabilizationWindowSeconds: seconds = 0, selectPolicy, policies = [], tolerance } = rules
  const at = `${field}.stabilizationWindowSeconds`
  return [
    ...(seconds < 0 ? [invalidField(at, seconds, 'must be greater than or equal to zero')] : []),
    ...(seconds > LONGEST_WINDOW ? [invalidField(at, seconds, `must be less than or equal to ${LONGEST_WINDOW}`)] : []),
    ...validateChoice(selectPolicy, ['Disabled', 'Max', 'Min'], `${field}.selectPolicy`),
    ...(policies.length === 0 ? [requiredField(`${field}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, index) => validatePolicy(policy, `${field}.policies[${index}]`)),
    ...(tolerance === undefined ? [] : validateQuantity(tolerance, `${field}.tolerance`)),
  ]
}

const POSITIVE = 'must be greater than zero'

function validatePolicy(policy: NonNullable<Rules['policies']>[number], field: string): FieldError[] {
  const { type = '', value = 0, periodSeconds = 0 } = policy
  return [
    ...validateChoice(type, ['Percent', 'Pods'], `${field}.type`),
    ...(value <= 0 ? [invalidField(`${field}.value`, value, POSITIVE)] : []),
    ...(periodSeconds <= 0 ? [invalidField(`${field}.periodSeconds`, periodSeconds, POSITIVE)] : []),
    ...(periodSeconds > LONGEST_PERIOD
      ? [invalidField(`${field}.periodSeconds`, periodSeconds, `must be less than or equal to ${LONGEST_PERIOD}`)]
      : []),
  ]
}
