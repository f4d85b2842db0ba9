/** Which nodes a term of a node selector names. */
import type { NodeSelectorTerm } from './kinds'
import { type LabelOperator, matchesRequirements } from './selector'

/** A node as selectors see it. */
export interface NamedNode {
  name: string
  labels: Readonly<Record<string, string>>
}

/** True when all requirements of the term hold. A term without any, or with an unknown operator, names no node. */
export function matchesNodeTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  { name, labels }: NamedNode,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false
  return holds(matchExpressions, labels) && holds(matchFields, { 'metadata.name': name })
}

type Requirements = NonNullable<NodeSelectorTerm['matchExpressions']>

const OPERATORS: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] satisfies LabelOperator[]

function holds(requirements: Requirements, labels: Readonly<Record<string, string>>): boolean {
  const known = requirements.flatMap(({ key, operator, values = [] }) =>
    OPERATORS.includes(operator) ? [{ key, operator: operator as LabelOperator, values }] : [],
  )
  return known.length === requirements.length && matchesRequirements(known, labels)
}
