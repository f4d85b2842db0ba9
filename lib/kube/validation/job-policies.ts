/** The rules of what lets a Job fail or succeed early, and of when a pod is replaced. */
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooLongField,
  tooManyItems,
  validateChoice,
} from '../field-error'
import type { Job } from '../kinds'
import { checkQualifiedName, checkSubdomain } from './formats'
import { countOf, readIntervals } from './job-indexes'
import { validateCount } from './numbers'
import { dumped } from './pod-dump'

type Spec = Partial<Job['spec']>
type FailurePolicy = NonNullable<Spec['podFailurePolicy']>
type FailureRule = NonNullable<FailurePolicy['rules']>[number]
type SuccessPolicy = NonNullable<Spec['successPolicy']>
type SuccessRule = NonNullable<SuccessPolicy['rules']>[number]

const MOST_RULES = 20
const MOST_CODES = 255

/** The policies of a Job, in the order in which they are judged. */
export function validatePolicies(spec: Spec, field: string): FieldError[] {
  const { podFailurePolicy, successPolicy, podReplacementPolicy: replacement } = spec
  const supported = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed']
  return [
    ...(podFailurePolicy ? validateFailurePolicy(podFailurePolicy, spec, `${field}.podFailurePolicy.rules`) : []),
    ...(successPolicy ? validateSuccessPolicy(successPolicy, spec, `${field}.successPolicy`) : []),
    ...validateChoice(replacement, supported, `${field}.podReplacementPolicy`),
  ]
}

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const OPERATORS = ['In', 'NotIn']
const STATUSES = ['False', 'True', 'Unknown']

/** A value that has to be there, or else the supported ones are told. */
function validateNeeded(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  return value
    ? validateChoice(value, supported, field)
    : [requiredField(field, `valid values: [${supported.map((one) => JSON.stringify(one)).join(' ')}]`)]
}

/** A rule is named without its value. */
const wrongRule = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${detail}`,
})

function validateFailurePolicy({ rules }: FailurePolicy, spec: Spec, field: string): FieldError[] {
  const list = rules ?? []
  return [
    ...(list.length > MOST_RULES ? [tooManyItems(field, list.length, MOST_RULES)] : []),
    ...list.flatMap((rule, index) => validateFailureRule(rule, spec, `${field}[${index}]`)),
  ]
}

function validateFailureRule(rule: Partial<FailureRule>, spec: Spec, field: string): FieldError[] {
  const { action, onExitCodes, onPodConditions } = rule
  const conditions = onPodConditions ?? []
  const lacksLimit = action === 'FailIndex' && spec.backoffLimitPerIndex === undefined
  const hasBoth = onExitCodes && conditions.length > 0
  return [
    ...validateNeeded(action, ACTIONS, `${field}.action`),
    ...(lacksLimit ? [invalidField(`${field}.action`, action, 'requires the backoffLimitPerIndex to be set')] : []),
    ...(onExitCodes ? validateExitCodes(onExitCodes, spec, `${field}.onExitCodes`) : []),
    ...(conditions.length > MOST_RULES
      ? [tooManyItems(`${field}.onPodConditions`, conditions.length, MOST_RULES)]
      : []),
    ...conditions.flatMap(({ type = '', status }, index) => [
      ...checkQualifiedName(type).map((problem) =>
        invalidField(`${field}.onPodConditions[${index}].type`, type, problem),
      ),
      ...validateNeeded(status, STATUSES, `${field}.onPodConditions[${index}].status`),
    ]),
    ...(hasBoth ? [wrongRule(field, 'specifying both OnExitCodes and OnPodConditions is not supported')] : []),
    ...(!onExitCodes && conditions.length === 0
      ? [wrongRule(field, 'specifying one of OnExitCodes and OnPodConditions is required')]
      : []),
  ]
}

function validateExitCodes(
  { operator, containerName, values }: Partial<NonNullable<FailureRule['onExitCodes']>>,
  { template }: Spec,
  field: string,
): FieldError[] {
  const { containers = [], initContainers = [] } = template?.spec ?? {}
  const isKnown = [...containers, ...initContainers].some(({ name }) => name === containerName)
  const at = `${field}.values`
  const codes = values ?? []
  const isRepeated = repeats()
  const isOrdered = codes.every((code, index) => index === 0 || codes[index - 1]! <= code)
  const unknown = 'must be one of the container or initContainer names in the pod template'
  return [
    ...validateNeeded(operator, OPERATORS, `${field}.operator`),
    ...(containerName === undefined || isKnown ? [] : [invalidField(`${field}.containerName`, containerName, unknown)]),
    ...(codes.length === 0 ? [invalidField(at, values ?? null, 'at least one value is required')] : []),
    ...(codes.length > MOST_CODES ? [tooManyItems(at, codes.length, MOST_CODES)] : []),
    ...codes.flatMap((code, index) => [
      ...(operator === 'In' && code === 0
        ? [invalidField(`${at}[${index}]`, code, 'must not be 0 for the In operator')]
        : []),
      ...(isRepeated(code) ? [duplicateField(`${at}[${index}]`, code)] : []),
    ]),
    ...(isOrdered ? [] : [invalidField(at, codes, 'must be ordered')]),
  ]
}

const LONGEST_INDEXES = 64 * 1024

function validateSuccessPolicy(policy: SuccessPolicy, spec: Spec, field: string): FieldError[] {
  if (spec.completionMode !== 'Indexed')
    return [invalidField(field, dumped('SuccessPolicy', policy), 'requires indexed completion mode')]
  const list = policy.rules ?? []
  const none = 'at least one rules must be specified when the successPolicy is specified'
  return [
    ...(list.length === 0 ? [requiredField(`${field}.rules`, none)] : []),
    ...(list.length > MOST_RULES ? [tooManyItems(`${field}.rules`, list.length, MOST_RULES)] : []),
    ...list.flatMap((rule, index) => validateSuccessRule(rule, spec.completions ?? 0, `${field}.rules[${index}]`)),
  ]
}

function validateSuccessRule(rule: SuccessRule, completions: number, field: string): FieldError[] {
  const { succeededIndexes: indexes, succeededCount: count } = rule
  const intervals = indexes === undefined ? [] : readIntervals(indexes, completions)
  const total = typeof intervals === 'string' ? 0 : countOf(intervals)
  const [at, most] = [`${field}.succeededIndexes`, `${field}.succeededCount`]
  const beyond = (limit: number, what: string): FieldError[] =>
    (count ?? 0) > limit ? [invalidField(most, count, `must be less than or equal to ${limit} (${what})`)] : []
  return [
    ...(indexes === undefined && count === undefined
      ? [requiredField(field, 'at least one of succeededCount or succeededIndexes must be specified')]
      : []),
    ...((indexes ?? '').length > LONGEST_INDEXES ? [tooLongField(at, LONGEST_INDEXES)] : []),
    ...(typeof intervals === 'string'
      ? [invalidField(at, indexes, `error parsing succeededIndexes: ${intervals}`)]
      : []),
    ...validateCount(count, most),
    ...beyond(completions, 'the number of specified completions'),
    ...(indexes === undefined ? [] : beyond(total, 'the number of indexes in the specified succeededIndexes field')),
  ]
}

const LONGEST_MANAGER = 63
const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"

/** Who runs a Job in place of the Job controller. */
export function validateManager(manager: string | undefined, field: string): FieldError[] {
  if (manager === undefined) return []
  const long = manager.length > LONGEST_MANAGER ? [tooLongField(field, LONGEST_MANAGER)] : []
  return [...validatePrefixedPath(manager, field), ...long]
}

function validatePrefixedPath(text: string, field: string): FieldError[] {
  if (text === '') return [requiredField(field)]
  const [, host, path] = /^([^/]+)\/(.+)$/s.exec(text) ?? []
  if (host === undefined || path === undefined)
    return [invalidField(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  const isPath = new RegExp(`^${PATH}$`).test(path)
  return [
    ...checkSubdomain(host).map((problem) => invalidField(field, host, problem)),
    ...(isPath ? [] : [invalidField(field, path, `Invalid path (regex used for validation is '${PATH}')`)]),
  ]
}

const REPLACED = 'Never'

/** Pods that are judged by how they fail are not restarted in place. */
export function validateReplacedPods({ podFailurePolicy, template }: Spec, field: string): FieldError[] {
  const policy = template?.spec.restartPolicy
  const rule = `only "${REPLACED}" is supported when podFailurePolicy is specified`
  return podFailurePolicy && policy === 'OnFailure' ? [invalidField(field, policy, rule)] : []
}
