/** Matches clusters against affinities. */
import type { ClusterAffinity } from '@/lib/kube/kinds/placement'
import {
  type LabelOperator,
  type LabelRequirement,
  compileRequirements,
  matchesRequirements,
  problemOf,
  requirementsOf,
} from '@/lib/kube/selector'
import type { ClusterFacts } from './facts'

export type ClusterTest = (facts: ClusterFacts) => boolean

type FieldRequirement = NonNullable<NonNullable<ClusterAffinity['fieldSelector']>['matchExpressions']>[number]

/**
 * Compiles an affinity: exclusion, labels, fields and names must all match. An empty affinity matches every cluster.
 */
export function compileAffinity({ exclude, labelSelector, fieldSelector, clusterNames }: ClusterAffinity): ClusterTest {
  const tests: ClusterTest[] = []
  if (exclude?.length) tests.push(notIn(new Set(exclude)))
  if (labelSelector) tests.push(compileLabels(labelSelector))
  if (fieldSelector) tests.push(...compileFields(fieldSelector.matchExpressions ?? []))
  if (clusterNames?.length) tests.push(isIn(new Set(clusterNames)))
  const [first, second] = tests
  if (!first) return () => true
  if (!second) return first
  return (facts) => tests.every((test) => test(facts))
}

/** Reports whether the affinity matches the cluster. */
export function matchesAffinity(affinity: ClusterAffinity, facts: ClusterFacts): boolean {
  return compileAffinity(affinity)(facts)
}

const isIn =
  (names: ReadonlySet<string>): ClusterTest =>
  (facts) =>
    names.has(facts.name)
const notIn =
  (names: ReadonlySet<string>): ClusterTest =>
  (facts) =>
    !names.has(facts.name)
const never: ClusterTest = () => false

/** An empty selector matches every cluster, an invalid one none. */
function compileLabels(selector: NonNullable<ClusterAffinity['labelSelector']>): ClusterTest {
  const requirements = requirementsOf(selector)
  if (!requirements.ok) return never
  const matches = compileRequirements(requirements.value)
  return ({ labels }) => matches(labels)
}

/** Zones are a list and are tested individually; provider and region behave like labels that are absent when empty. */
function compileFields(requirements: readonly FieldRequirement[]): ClusterTest[] {
  const zones = requirements.filter(({ key }) => key === 'zone').map(compileZone)
  const others = requirements.filter(({ key }) => key !== 'zone').map(toLabelRequirement)
  if (others.length === 0) return zones
  if (!others.every(isValid)) return [never]
  return [
    ...zones,
    ({ provider, region }) => matchesRequirements(others, { ...(provider && { provider }), ...(region && { region }) }),
  ]
}

const fieldOperators: readonly string[] = [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
  'Gt',
  'Lt',
] satisfies LabelOperator[]

function toLabelRequirement({ key, operator, values = [] }: FieldRequirement): LabelRequirement {
  return { key, operator: operator as LabelOperator, values }
}

function isValid(requirement: LabelRequirement): boolean {
  return fieldOperators.includes(requirement.operator) && problemOf(requirement) === undefined
}

function compileZone({ operator, values = [] }: FieldRequirement): ClusterTest {
  switch (operator) {
    case 'In':
      return ({ zones }) => zones.some((zone) => values.includes(zone))
    case 'NotIn':
      return ({ zones }) => !zones.some((zone) => values.includes(zone))
    case 'Exists':
      return ({ zones }) => zones.length > 0
    case 'DoesNotExist':
      return ({ zones }) => zones.length === 0
    default:
      return never
  }
}
