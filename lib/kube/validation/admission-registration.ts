/** Webhook configurations, checked as kube-apiserver does. Unknown words are found by the schema. */
import { repeats } from '@/lib/std/repeats'
import { compileMatchCondition } from '../admission-webhooks/match-conditions'
import { duplicateField, type FieldError, invalidField, requiredField, tooManyItems } from '../field-error'
import type { AdmissionWebhook, RuleWithOperations } from '../kinds/admission-webhook'
import type { UnknownObject } from '../object'
import { checkDns1035Label, checkQualifiedName, checkSubdomain } from './formats'
import { validateLabelSelector } from './label-selector'
import { validateClientConfig } from './webhook-client'

/** A configuration of either sort. */
export function validateWebhooks(configuration: UnknownObject): FieldError[] {
  const webhooks = (configuration.webhooks ?? []) as AdmissionWebhook[]
  const isRepeated = repeats()
  return webhooks.flatMap((webhook, index) => [
    ...checkWebhook(webhook, `webhooks[${index}]`),
    ...(webhook.name && isRepeated(webhook.name) ? [duplicateField(`webhooks[${index}].name`, webhook.name)] : []),
  ])
}

function checkWebhook(webhook: AdmissionWebhook, field: string): FieldError[] {
  const { timeoutSeconds, sideEffects } = webhook
  const inTime = timeoutSeconds === undefined || (timeoutSeconds >= 1 && timeoutSeconds <= 30)
  const untimely = 'the timeout value must be between 1 and 30 seconds'
  return [
    ...checkFullName(webhook.name ?? '', `${field}.name`),
    ...(webhook.rules ?? []).flatMap((rule, index) => checkRule(rule, `${field}.rules[${index}]`)),
    ...(sideEffects === undefined
      ? [requiredField(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun')]
      : []),
    ...(inTime ? [] : [invalidField(`${field}.timeoutSeconds`, timeoutSeconds, untimely)]),
    ...validateLabelSelector(webhook.namespaceSelector, `${field}.namespaceSelector`),
    ...validateLabelSelector(webhook.objectSelector, `${field}.objectSelector`),
    ...validateClientConfig(webhook.clientConfig ?? {}, `${field}.clientConfig`),
    ...checkConditions(webhook.matchConditions ?? [], `${field}.matchConditions`),
    ...checkVersions(webhook.admissionReviewVersions ?? [], `${field}.admissionReviewVersions`),
  ]
}

function checkFullName(name: string, field: string): FieldError[] {
  if (name === '') return [requiredField(field)]
  const problems = checkSubdomain(name)
  if (problems.length > 0) return [invalidField(field, name, problems.join(','))]
  if (name.split('.').length >= 3) return []
  return [invalidField(field, name, 'should be a domain with at least three segments separated by dots')]
}

const ACCEPTED_VERSIONS = ['v1', 'v1beta1']

function checkVersions(versions: readonly string[], field: string): FieldError[] {
  const accepted = ACCEPTED_VERSIONS.join(', ')
  if (versions.length === 0) return [requiredField(field, `must specify one of ${accepted}`)]
  const isRepeated = repeats()
  const findings = versions.flatMap((version, index) => {
    const place = `${field}[${index}]`
    if (isRepeated(version)) return [invalidField(place, version, 'duplicate version')]
    return checkDns1035Label(version).map((problem) => invalidField(place, version, problem))
  })
  if (versions.some((version) => ACCEPTED_VERSIONS.includes(version))) return findings
  return [...findings, invalidField(field, versions, `must include at least one of ${accepted}`)]
}

function checkRule(rule: RuleWithOperations, field: string): FieldError[] {
  const { apiGroups = [], apiVersions = [], resources = [] } = rule
  const operations: readonly string[] = rule.operations ?? []
  return [
    ...checkWildcard(operations, `${field}.operations`, 'operations'),
    ...checkWildcard(apiGroups, `${field}.apiGroups`, 'API groups'),
    ...checkWildcard(apiVersions, `${field}.apiVersions`, 'API versions'),
    ...apiVersions.flatMap((version, index) =>
      version === '' ? [requiredField(`${field}.apiVersions[${index}]`)] : [],
    ),
    ...checkResources(resources, `${field}.resources`),
  ]
}

/** A list that must not be empty, and in which a star stands alone. */
function checkWildcard(values: readonly string[], field: string, what: string): FieldError[] {
  if (values.length === 0) return [requiredField(field)]
  if (values.length === 1 || !values.includes('*')) return []
  return [invalidField(field, values, `if '*' is present, must not specify other ${what}`)]
}

function checkResources(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [requiredField(field)]
  const plain = resources.filter((resource) => resource !== '' && !resource.includes('/'))
  const before = new Set<string>()
  return [
    ...resources.flatMap((resource, index) => {
      const findings = checkCovered(resource, before, `${field}[${index}]`)
      before.add(resource)
      return findings
    }),
    ...(resources.length > 1 && resources.includes('*/*')
      ? [invalidField(field, resources, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(plain.includes('*') && plain.at(-1) !== '*'
      ? [invalidField(field, resources, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ]
}

/** A subresource that a wildcard before it covers already. */
function checkCovered(resource: string, before: ReadonlySet<string>, field: string): FieldError[] {
  if (resource === '') return [requiredField(field)]
  const slash = resource.indexOf('/')
  if (slash < 0) return []
  const covering = [`${resource.slice(0, slash)}/*`, `*/${resource.slice(slash + 1)}`]
  return covering
    .filter((wildcard) => before.has(wildcard))
    .map((wildcard) => invalidField(field, resource, `if '${wildcard}' is present, must not specify ${resource}`))
}

const MAX_CONDITIONS = 64

type Conditions = NonNullable<AdmissionWebhook['matchConditions']>

function checkConditions(conditions: Conditions, field: string): FieldError[] {
  if (conditions.length > MAX_CONDITIONS) return [tooManyItems(field, conditions.length, MAX_CONDITIONS)]
  return conditions.flatMap(({ name = '', expression = '' }, index) => {
    const place = `${field}[${index}]`
    const repeated = name !== '' && conditions.findIndex((other) => other.name === name) < index
    return [
      ...checkExpression(expression, `${place}.expression`),
      ...(name === '' ? [requiredField(`${place}.name`)] : []),
      ...(name === '' ? [] : checkQualifiedName(name).map((why) => invalidField(`${place}.name`, name, why))),
      ...(repeated ? [duplicateField(`${place}.name`, name)] : []),
    ]
  })
}

function checkExpression(expression: string, field: string): FieldError[] {
  if (expression.trim() === '') return [requiredField(field)]
  const program = compileMatchCondition(expression)
  return program.ok ? [] : [invalidField(field, expression, program.error)]
}
