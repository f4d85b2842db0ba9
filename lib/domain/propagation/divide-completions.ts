/** Divides the completions of a Job over its clusters. */
import type { TargetCluster } from '../../kube/kinds/binding'
import type { UnknownObject } from '../../kube/object'
import { dispenseSeats, prefersLaterName } from '../division/webster'
import type { Binding } from './binding-form'

/**
 * Returns completions by cluster, in proportion to the replicas. Undefined if they are not divided, which needs a Job
 * with replicas, fixed completions and a Divided placement.
 */
export function divideCompletions(
  { spec }: Binding,
  template: UnknownObject,
  targets: readonly TargetCluster[],
): ReadonlyMap<string, number> | undefined {
  const { completions } = (template.spec ?? {}) as { completions?: number | null }
  const isDivided = spec.placement?.replicaScheduling?.replicaSchedulingType === 'Divided'
  const isJob = template.apiVersion === 'batch/v1' && template.kind === 'Job'
  if (!isJob || !isDivided || !spec.replicas) return undefined
  if (completions === undefined || completions === null) return undefined
  const parties = targets.toSorted((left, right) => (left.name < right.name ? -1 : 1))
  const votes = parties.map(({ replicas = 0 }) => replicas)
  const seats = dispenseSeats({ seats: completions, votes, laterNameFirst: prefersLaterName(spec.resource.uid) })
  return new Map(parties.map(({ name }, index) => [name, seats[index] ?? 0]))
}
