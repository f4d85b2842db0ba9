/** The rules of where the pods of a template want to run. */
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  validateChoice,
} from '../field-error'
import type { Affinity, TopologySpreadConstraint } from '../kinds'
import type { LabelSelectorLike } from '../selector'
import { checkDnsLabel, checkQualifiedName } from './formats'
import { validateLabelSelector } from './label-selector'
import { validateNodeSelectorTerm, validatePreferredTerms, validateWeight } from './node-selector'

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution'

/** Affinity to nodes, affinity to pods, and anti-affinity. */
export function validateAffinity(affinity: Affinity | undefined, field: string): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {}
  return [
    ...(nodeAffinity ? validateNodeAffinity(nodeAffinity, `${field}.nodeAffinity`) : []),
    ...(podAffinity ? validatePodAffinity(podAffinity, `${field}.podAffinity`) : []),
    ...(podAntiAffinity ? validatePodAffinity(podAntiAffinity, `${field}.podAntiAffinity`) : []),
  ]
}

function validateNodeAffinity(affinity: NonNullable<Affinity['nodeAffinity']>, field: string): FieldError[] {
  const terms = affinity[REQUIRED]?.nodeSelectorTerms ?? []
  const at = `${field}.${REQUIRED}.nodeSelectorTerms`
  const aimless = affinity[REQUIRED] && terms.length === 0
  return [
    ...(aimless ? [requiredField(at, 'must have at least one node selector term')] : []),
    ...terms.flatMap((term, index) => validateNodeSelectorTerm(term, `${at}[${index}]`, true)),
    ...validatePreferredTerms(affinity[PREFERRED] ?? [], `${field}.${PREFERRED}`),
  ]
}

type PodAffinity = NonNullable<Affinity['podAffinity']>
type PodAffinityTerm = NonNullable<PodAffinity[typeof REQUIRED]>[number]

function validatePodAffinity(affinity: PodAffinity, field: string): FieldError[] {
  return [
    ...(affinity[REQUIRED] ?? []).flatMap((term, index) => validatePodTerm(term, `${field}.${REQUIRED}[${index}]`)),
    ...(affinity[PREFERRED] ?? []).flatMap(({ weight = 0, podAffinityTerm }, index) => {
      const at = `${field}.${PREFERRED}[${index}]`
      return [
        ...validateWeight(weight, `${at}.weight`),
        ...validatePodTerm(podAffinityTerm ?? {}, `${at}.podAffinityTerm`),
      ]
    }),
  ]
}

function validatePodTerm(term: Partial<PodAffinityTerm>, field: string): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term
  return [
    ...validateLabelSelector(labelSelector, `${field}.labelSelector`),
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`),
    ...namespaces.flatMap((name) =>
      checkDnsLabel(name).map((problem) => invalidField(`${field}.namespace`, name, problem)),
    ),
    ...validateKeys(term, field),
    ...(topologyKey ? [] : [requiredField(`${field}.topologyKey`, 'can not be empty')]),
    ...checkQualifiedName(topologyKey).map((problem) => invalidField(`${field}.topologyKey`, topologyKey, problem)),
  ]
}

interface LabelKeys {
  matchLabelKeys?: readonly string[]
  mismatchLabelKeys?: readonly string[]
  labelSelector?: LabelSelectorLike
}

/** Keys whose values are taken from the pod itself: they add to a selector. */
function validateKeys({ matchLabelKeys = [], mismatchLabelKeys = [], labelSelector }: LabelKeys, field: string) {
  const ofList = (keys: readonly string[], at: string): FieldError[] => {
    if (keys.length > 0 && !labelSelector)
      return [forbiddenField(at, 'must not be specified when labelSelector is not set')]
    return keys.flatMap((key, index) =>
      checkQualifiedName(key).map((problem) => invalidField(`${at}[${index}]`, key, problem)),
    )
  }
  const inBoth = 'exists in both matchLabelKeys and mismatchLabelKeys'
  return [
    ...ofList(matchLabelKeys, `${field}.matchLabelKeys`),
    ...ofList(mismatchLabelKeys, `${field}.mismatchLabelKeys`),
    ...matchLabelKeys.flatMap((key, index) =>
      mismatchLabelKeys.includes(key) ? [invalidField(`${field}.matchLabelKeys[${index}]`, key, inBoth)] : [],
    ),
  ]
}

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway']
const INCLUSION = ['Honor', 'Ignore']

/** How evenly pods are spread. */
export function validateSpread(constraints: readonly TopologySpreadConstraint[], field: string): FieldError[] {
  return constraints.flatMap((constraint, index) => [
    ...validateConstraint(constraint, `${field}[${index}]`),
    ...repeated(constraint, constraints.slice(index + 1), `${field}[${index}]`),
    ...validateConstraintRest(constraint, `${field}[${index}]`),
  ])
}

function validateConstraint(constraint: TopologySpreadConstraint, field: string): FieldError[] {
  const { maxSkew = 0, topologyKey, whenUnsatisfiable = '' } = constraint
  return [
    ...positive(maxSkew, `${field}.maxSkew`),
    ...(topologyKey ? [] : [requiredField(`${field}.topologyKey`, 'can not be empty')]),
    ...validateChoice(whenUnsatisfiable, ACTIONS, `${field}.whenUnsatisfiable`),
  ]
}

function repeated(
  one: TopologySpreadConstraint,
  others: readonly TopologySpreadConstraint[],
  field: string,
): FieldError[] {
  const { topologyKey = '', whenUnsatisfiable = '' } = one
  const twice = others.some(
    (other) => (other.topologyKey ?? '') === topologyKey && (other.whenUnsatisfiable ?? '') === whenUnsatisfiable,
  )
  if (!twice) return []
  return [duplicateField(`${field}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`)]
}

function validateConstraintRest(constraint: TopologySpreadConstraint, field: string): FieldError[] {
  const { minDomains, whenUnsatisfiable = '' } = constraint
  const lax = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`
  return [
    ...(minDomains === undefined ? [] : positive(minDomains, `${field}.minDomains`)),
    ...(minDomains === undefined || whenUnsatisfiable === 'DoNotSchedule'
      ? []
      : [invalidField(`${field}.minDomains`, minDomains, lax)]),
    ...(['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const).flatMap((name) => {
      const value = constraint[name]
      return validateChoice(value, INCLUSION, `${field}.${name}`)
    }),
    ...validateKeys(constraint, field),
    ...validateLabelSelector(constraint.labelSelector, `${field}.labelSelector`),
  ]
}

function positive(value: number, field: string): FieldError[] {
  return value > 0 ? [] : [invalidField(field, value, 'must be greater than zero')]
}
