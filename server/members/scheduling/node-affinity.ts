/** Node affinity of a pod. */
import type { Affinity } from '@/lib/kube/kinds'
import { matchesNodeTerm, type NamedNode } from '@/lib/kube/node-selector'

export type NodeAffinity = NonNullable<Affinity['nodeAffinity']>

/** True when one of the required terms holds, or none is required. */
export function matchesRequired(affinity: NodeAffinity | undefined, node: NamedNode): boolean {
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution
  return !required || required.nodeSelectorTerms?.some((term) => matchesNodeTerm(term, node)) === true
}

/** The summed weight of the preferred terms that hold. */
export function preferenceFor(affinity: NodeAffinity | undefined, node: NamedNode): number {
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  return preferred.reduce((sum, { weight, preference }) => sum + (matchesNodeTerm(preference, node) ? weight : 0), 0)
}
