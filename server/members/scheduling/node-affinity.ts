/** Which nodes a pod asks for by their labels. */
import type { Affinity, NodeSelectorTerm } from '@/lib/kube/kinds'
import { type LabelOperator, matchesRequirements } from '@/lib/kube/selector'

export type NodeAffinity = NonNullable<Affinity['nodeAffinity']>

interface NamedNode {
  name: string
  labels: Readonly<Record<string, string>>
}

/** True when one of the required terms holds, or none is required. */
export function matchesRequired(affinity: NodeAffinity | undefined, node: NamedNode): boolean {
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution
  return !required || required.nodeSelectorTerms?.some((term) => matchesTerm(term, node)) === true
}

/** The summed weight of the preferred terms that hold. */
export function preferenceFor(affinity: NodeAffinity | undefined, node: NamedNode): number {
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  return preferred.reduce((sum, { weight, preference }) => sum + (matchesTerm(preference, node) ? weight : 0), 0)
}

/** A term without any requirement matches no node. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { name, labels }: NamedNode): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false
  return holds(matchExpressions, labels) && holds(matchFields, { 'metadata.name': name })
}

type Requirements = NonNullable<NodeSelectorTerm['matchExpressions']>

const OPERATORS: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] satisfies LabelOperator[]

function holds(requirements: Requirements, labels: Readonly<Record<string, string>>): boolean {
  const known = requirements.flatMap(({ key, operator, values = [] }) =>
    (OPERATORS.includes(operator) ? [{ key, operator: operator as LabelOperator, values }] : []))
  return known.length === requirements.length && matchesRequirements(known, labels)
}
