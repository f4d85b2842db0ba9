/** The rules of where and for how long a pod may run. */
import { repeats } from '@/lib/std/repeats'
import { duplicateField, type FieldError, invalidField, unsupportedField, validateChoice } from '../field-error'
import type { PodSpec } from '../kinds'
import { validateAddress } from './addresses'
import { checkDnsLabel, checkLabelValue, checkQualifiedName, checkSubdomain } from './formats'
import { validateResources } from './resources'

const LONGEST = 2_147_483_647

/** The readiness gates and scheduling gates of a pod. */
export function validateGates({ readinessGates = [], schedulingGates = [] }: PodSpec, field: string): FieldError[] {
  const isRepeated = repeats()
  return [
    ...readinessGates.flatMap(({ conditionType = '' }, index) =>
      checkQualifiedName(conditionType).map((problem) =>
        invalidField(`${field}.readinessGates[${index}].conditionType`, conditionType, problem),
      ),
    ),
    ...schedulingGates.flatMap(({ name = '' }, index) => {
      const at = `${field}.schedulingGates[${index}]`
      const twice = isRepeated(name) ? [duplicateField(at, name)] : []
      return [...checkQualifiedName(name).map((problem) => invalidField(at, name, problem)), ...twice]
    }),
  ]
}

/** The names that a pod runs under or on, and its deadline. */
export function validateNames(spec: PodSpec, field: string): FieldError[] {
  const { activeDeadlineSeconds: deadline, hostname, subdomain, nodeName, serviceAccountName } = spec
  const overdue = deadline !== undefined && (deadline < 1 || deadline > LONGEST)
  return [
    ...named(`${field}.serviceAccountName`, serviceAccountName, checkSubdomain),
    ...named(`${field}.nodeName`, nodeName, checkSubdomain),
    ...(overdue
      ? [invalidField(`${field}.activeDeadlineSeconds`, deadline, `must be between 1 and ${LONGEST}, inclusive`)]
      : []),
    ...named(`${field}.hostname`, hostname, checkDnsLabel),
    ...named(`${field}.subdomain`, subdomain, checkDnsLabel),
  ]
}

function named(field: string, value: string | undefined, check: (value: string) => string[]): FieldError[] {
  return value ? check(value).map((problem) => invalidField(field, value, problem)) : []
}

/** The tolerations, host aliases, classes, preemption policy and overhead of a pod. */
export function validateHostFields(spec: PodSpec, field: string): FieldError[] {
  const { hostAliases = [], preemptionPolicy } = spec
  const policies = ['PreemptLowerPriority', 'Never']
  return [
    ...validateTolerations(spec.tolerations ?? [], `${field}.tolerations`),
    ...hostAliases.flatMap(({ ip = '', hostnames = [] }, index) => [
      ...validateAddress(ip, `${field}.hostAliases[${index}].ip`),
      ...hostnames.flatMap((name, at) =>
        checkSubdomain(name).map((problem) =>
          invalidField(`${field}.hostAliases[${index}].hostnames[${at}]`, name, problem),
        ),
      ),
    ]),
    ...named(`${field}.priorityClassName`, spec.priorityClassName, checkSubdomain),
    ...named(`${field}.runtimeClassName`, spec.runtimeClassName, checkSubdomain),
    ...validateChoice(preemptionPolicy, policies, `${field}.preemptionPolicy`),
    ...(spec.overhead ? validateResources({ limits: spec.overhead }, `${field}.overhead`, new Set()) : []),
  ]
}

type Toleration = NonNullable<PodSpec['tolerations']>[number]
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Tolerations: a key that a taint could have, and what its operator and effect allow. */
export function validateTolerations(tolerations: readonly Toleration[], field: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => validateToleration(toleration, `${field}[${index}]`))
}

function validateToleration(
  { key, operator: given, value, effect, tolerationSeconds }: Toleration,
  field: string,
): FieldError[] {
  const operator = given ?? 'Equal'
  const keyless = !key && operator !== 'Exists'
  const keylessRule = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
  const isCompared = operator === 'Lt' || operator === 'Gt'
  const operators = ['Equal', 'Exists', ...(isCompared ? ['Lt', 'Gt'] : [])]
  const isKnown = operator === 'Equal' || operator === 'Exists'
  const problems = operator === 'Equal' ? checkLabelValue(value ?? '') : []
  return [
    ...(key ? checkQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem)) : []),
    ...(keyless ? [invalidField(`${field}.operator`, given ?? '', keylessRule)] : []),
    ...(tolerationSeconds !== undefined && effect !== 'NoExecute'
      ? [invalidField(`${field}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...(operator === 'Exists' && value
      ? [invalidField(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'")]
      : []),
    ...(problems.length > 0 ? [invalidField(`${field}.operator`, value, problems.join(';'))] : []),
    ...(isKnown ? [] : [unsupportedField(`${field}.operator`, operator, operators)]),
    ...(effect && !EFFECTS.includes(effect) ? [unsupportedField(`${field}.effect`, effect, EFFECTS)] : []),
  ]
}
