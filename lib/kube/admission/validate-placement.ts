/** The rules of a placement that the schema cannot express. */
import { repeats } from '@/lib/std/repeats'
import { type FieldError, invalidField, unsupportedField } from '../field-error'
import type { ClusterAffinity, ClusterAffinityTerm, Placement, SpreadConstraint, Toleration } from '../kinds'
import { checkQualifiedName } from '../validation/formats'
import { inDeclaredOrder } from './go-json'

type FieldSelector = NonNullable<ClusterAffinity['fieldSelector']>
type WorkloadAffinity = NonNullable<Placement['workloadAffinity']>

const invalid = (field: string, value: unknown, detail: string): FieldError =>
  invalidField(field, inDeclaredOrder(value), detail)

/** Validates a placement, in Karmada's order of errors. */
export function validatePlacement(placement: Placement, field: string): FieldError[] {
  const { clusterAffinity, clusterAffinities, clusterTolerations, spreadConstraints, workloadAffinity } = placement
  return [
    ...(clusterAffinity && clusterAffinities
      ? [invalid(field, placement, 'clusterAffinities cannot co-exist with clusterAffinity')]
      : []),
    ...validateOverflowUse(placement, `${field}.clusterAffinities`),
    ...validateFieldSelector(clusterAffinity?.fieldSelector, `${field}.clusterAffinity.fieldSelector`),
    ...validateTerms(clusterAffinities ?? [], `${field}.clusterAffinities`),
    ...validateSpread(spreadConstraints ?? [], `${field}.spreadConstraints`),
    ...(workloadAffinity ? validateWorkloadAffinity(workloadAffinity, `${field}.workloadAffinity`) : []),
    ...validateTolerations(clusterTolerations ?? [], `${field}.clusterTolerations`),
  ]
}

const FIELDS = new Set(['provider', 'region', 'zone'])

/** Validates a field selector of clusters. Only the first error is reported. */
export function validateFieldSelector(selector: FieldSelector | undefined, field: string): FieldError[] {
  for (const { key, operator } of selector?.matchExpressions ?? []) {
    if (!FIELDS.has(key))
      return [invalid(field, selector, `unsupported key "${key}", must be provider, region, or zone`)]
    if (operator !== 'In' && operator !== 'NotIn') {
      return [invalid(field, selector, `unsupported operator "${operator}", must be In or NotIn`)]
    }
  }
  return []
}

/** Overflowing makes sense only where replicas are counted out cluster by cluster. */
function validateOverflowUse({ clusterAffinities = [], replicaScheduling }: Placement, field: string): FieldError[] {
  const divided = replicaScheduling?.replicaSchedulingType === 'Divided'
  const dynamic = replicaScheduling?.weightPreference?.dynamicWeight !== undefined
  if (divided && (replicaScheduling.replicaDivisionPreference === 'Aggregated' || dynamic)) return []
  return clusterAffinities.flatMap(({ overflowAffinities }, index) =>
    overflowAffinities
      ? [
          invalid(
            `${field}[${index}].overflowAffinities`,
            overflowAffinities,
            'overflowAffinities can only be used together with dynamic weight or aggregated scheduling',
          ),
        ]
      : [],
  )
}

function validateTerms(terms: readonly ClusterAffinityTerm[], field: string): FieldError[] {
  const names = new Set<string>()
  return terms.flatMap((term, index) => {
    const at = `${field}[${index}]`
    const repeated = names.has(term.affinityName)
    names.add(term.affinityName)
    return [
      ...checkQualifiedName(term.affinityName).map((problem) => invalid(at, term.affinityName, problem)),
      ...(repeated ? [invalid(field, terms, 'each affinity term in a policy must have a unique name')] : []),
      ...validateFieldSelector(term.fieldSelector, `${at}.fieldSelector`),
      ...validateOverflow(term, at),
    ]
  })
}

function validateOverflow(term: ClusterAffinityTerm, at: string): FieldError[] {
  const overflows = term.overflowAffinities
  if (!overflows) return []
  const { labelSelector, fieldSelector, clusterNames, exclude } = term
  const bare = !labelSelector && !fieldSelector && !clusterNames?.length && !exclude?.length
  const names = new Set([term.affinityName])
  return [
    ...(bare
      ? [
          invalid(
            `${at}.overflowAffinities`,
            overflows,
            'overflowAffinities can only be used together with the inline ClusterAffinity',
          ),
        ]
      : []),
    ...overflows.flatMap((overflow, index) => {
      const own = `${at}.overflowAffinities[${index}]`
      const repeated = names.has(overflow.affinityName)
      names.add(overflow.affinityName)
      return [
        ...checkQualifiedName(overflow.affinityName).map((problem) =>
          invalid(`${own}.affinityName`, overflow.affinityName, problem),
        ),
        ...(repeated
          ? [
              invalid(
                `${own}.affinityName`,
                overflow.affinityName,
                "overflow affinity name must be unique and must not duplicate the primary group's affinityName",
              ),
            ]
          : []),
        ...validateFieldSelector(overflow.fieldSelector, `${own}.fieldSelector`),
      ]
    }),
  ]
}

function validateTolerations(tolerations: readonly Toleration[], field: string): FieldError[] {
  return tolerations.flatMap(({ operator }, index) =>
    operator === 'Lt' || operator === 'Gt'
      ? [unsupportedField(`${field}[${index}].operator`, operator, ['', 'Exists', 'Equal'])]
      : [],
  )
}

function validateSpread(constraints: readonly SpreadConstraint[], field: string): FieldError[] {
  const fields = constraints.map((constraint) => constraint.spreadByField)
  const [isRepeated, isTold] = [repeats(), repeats()]
  const findings = constraints.flatMap((constraint, index) => {
    const name = constraint.spreadByField
    const second = Boolean(name) && isRepeated(name) && !isTold(name)
    return [
      ...validateConstraint(constraint, `${field}[${index}]`),
      ...(second ? [invalid(field, constraints, `multiple ${name} spread constraints are not allowed`)] : []),
    ]
  })
  if (fields.includes('cluster') || !fields.some(Boolean)) return findings
  return [
    ...findings,
    invalid(
      field,
      constraints,
      'the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled',
    ),
  ]
}

function validateConstraint(constraint: SpreadConstraint, field: string): FieldError[] {
  const { spreadByField, spreadByLabel, minGroups = 0, maxGroups = 0 } = constraint
  const problems = [
    spreadByField && spreadByLabel ? 'spreadByLabel should not co-exist with spreadByField' : '',
    minGroups < 0 ? 'minGroups lower than 0 is not allowed' : '',
    maxGroups < 0 ? 'maxGroups lower than 0 is not allowed' : '',
    maxGroups > 0 && maxGroups < minGroups ? 'maxGroups lower than minGroups is not allowed' : '',
  ]
  return problems.filter((problem) => problem !== '').map((problem) => invalid(field, constraint, problem))
}

function validateWorkloadAffinity({ affinity, antiAffinity }: WorkloadAffinity, field: string): FieldError[] {
  const check = (key: string | undefined, name: string): FieldError[] =>
    key === undefined
      ? []
      : checkQualifiedName(key).map((problem) => invalid(`${field}.${name}.groupByLabelKey`, key, problem))
  const same = affinity && antiAffinity && affinity.groupByLabelKey === antiAffinity.groupByLabelKey
  return [
    ...check(affinity?.groupByLabelKey, 'affinity'),
    ...check(antiAffinity?.groupByLabelKey, 'antiAffinity'),
    ...(same
      ? [invalid(field, { affinity, antiAffinity }, 'affinity and antiAffinity must not use the same groupByLabelKey')]
      : []),
  ]
}
