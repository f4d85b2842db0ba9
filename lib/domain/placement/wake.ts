/** Decides which changes enqueue a binding for the scheduler. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { BINDING_MANAGED_BY_LABEL, CLUSTER_POLICY_ID_LABEL, POLICY_ID_LABEL } from '@/lib/kube/names'
import { deepEqual } from '@/lib/std/equal'
import { matchesAffinity } from './affinity'
import { type Binding, isSchedulingSuspended } from './binding'
import { factsOf } from './facts'
import { isSuspendedOtherwise } from './suspension'

const ownerLabels = [POLICY_ID_LABEL, CLUSTER_POLICY_ID_LABEL, BINDING_MANAGED_BY_LABEL]

/**
 * Reports whether this scheduler handles the binding: it has the scheduler's name, is not suspended, and was created by
 * a policy or another controller.
 */
export function isSchedulable(binding: Binding, schedulerName: string): boolean {
  return isOurs(binding, schedulerName) && !isSchedulingSuspended(binding.spec)
}

function isOurs(binding: Binding, schedulerName: string): boolean {
  return namesScheduler(binding, schedulerName) && ownerLabels.some((label) => !!binding.metadata.labels?.[label])
}

/**
 * Reports whether a binding of this scheduler must report that it is suspended, or that a different queue or user
 * suspends it.
 */
export function wakesOnSuspension(before: Binding | undefined, after: Binding, schedulerName: string): boolean {
  if (!isOurs(after, schedulerName) || !isSchedulingSuspended(after.spec)) return false
  if (!before || !isSchedulingSuspended(before.spec) || !isOurs(before, schedulerName)) return true
  return isSuspendedOtherwise(before, after)
}

/** Reports whether a change of a binding enqueues it. `before` is absent for a new binding. */
export function wakesOnBinding(before: Binding | undefined, after: Binding, schedulerName: string): boolean {
  if (!isSchedulable(after, schedulerName)) return false
  if (!before || !isSchedulable(before, schedulerName)) return true
  return before.metadata.generation !== after.metadata.generation
}

/**
 * Returns the versions of a changed cluster against which bindings are matched. Only labels, the spec and the start of
 * a deletion count; status changes do not.
 */
export function clusterVersionsToExamine(before: Cluster, after: Cluster): ('before' | 'after')[] {
  if (!before.metadata.deletionTimestamp && after.metadata.deletionTimestamp) return ['after']
  const changed =
    before.metadata.generation !== after.metadata.generation
    || !deepEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {})
  return changed ? ['before', 'after'] : []
}

/**
 * Reports whether a change of this cluster affects the binding: its current affinity matches, or was never observed.
 */
export function wakesOnCluster(binding: Binding, cluster: Cluster, schedulerName: string): boolean {
  const { metadata, spec, status = {} } = binding
  if (!spec.placement || !namesScheduler(binding, schedulerName) || isSchedulingSuspended(spec)) return false
  const { clusterAffinities: terms, clusterAffinity } = spec.placement
  if (!terms) return !clusterAffinity || matchesAffinity(clusterAffinity, factsOf(cluster))
  if ((status.schedulerObservedGeneration ?? 0) !== (metadata.generation ?? 0)) return true
  const term = terms.find(({ affinityName }) => affinityName === status.schedulerObservingAffinityName) ?? terms[0]
  return !term || matchesAffinity(term, factsOf(cluster))
}

/** Returns the priority; higher values are scheduled first. */
export function priorityOf({ spec }: Binding): number {
  return spec.schedulePriority?.priority ?? 0
}

function namesScheduler({ spec }: Binding, schedulerName: string): boolean {
  return (spec.schedulerName || 'default-scheduler') === schedulerName
}
