/** Which changes bring a binding to the scheduler. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { BINDING_MANAGED_BY_LABEL, CLUSTER_POLICY_ID_LABEL, POLICY_ID_LABEL } from '@/lib/kube/names'
import { deepEqual } from '@/lib/std/equal'
import { matchesAffinity } from './affinity'
import { type Binding, isSchedulingSuspended } from './binding'
import { factsOf } from './facts'
import { isSuspendedOtherwise } from './suspension'

const ownerLabels = [POLICY_ID_LABEL, CLUSTER_POLICY_ID_LABEL, BINDING_MANAGED_BY_LABEL]

/** True for bindings that are ours: our name, not paused, and made by a policy or by another controller. */
export function isSchedulable(binding: Binding, schedulerName: string): boolean {
  return isOurs(binding, schedulerName) && !isSchedulingSuspended(binding.spec)
}

function isOurs(binding: Binding, schedulerName: string): boolean {
  return namesScheduler(binding, schedulerName) && ownerLabels.some((label) => !!binding.metadata.labels?.[label])
}

/** True when one of our bindings has to report that it is suspended, or that a different queue or user suspends it. */
export function wakesOnSuspension(before: Binding | undefined, after: Binding, schedulerName: string): boolean {
  if (!isOurs(after, schedulerName) || !isSchedulingSuspended(after.spec)) return false
  if (!before || !isSchedulingSuspended(before.spec) || !isOurs(before, schedulerName)) return true
  return isSuspendedOtherwise(before, after)
}

/** True when a created binding is queued. `before` is absent for one that is new to us. */
export function wakesOnBinding(before: Binding | undefined, after: Binding, schedulerName: string): boolean {
  if (!isSchedulable(after, schedulerName)) return false
  if (!before || !isSchedulable(before, schedulerName)) return true
  return before.metadata.generation !== after.metadata.generation
}

/**
 * The versions of a changed cluster against which bindings are examined. Only labels, the spec and the beginning of a
 * deletion count; a changed status does not.
 */
export function clusterVersionsToExamine(before: Cluster, after: Cluster): ('before' | 'after')[] {
  if (!before.metadata.deletionTimestamp && after.metadata.deletionTimestamp) return ['after']
  const changed =
    before.metadata.generation !== after.metadata.generation
    || !deepEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {})
  return changed ? ['before', 'after'] : []
}

/** True when a change of this cluster concerns the binding: its affinity in force matches, or was never observed. */
export function wakesOnCluster(binding: Binding, cluster: Cluster, schedulerName: string): boolean {
  const { metadata, spec, status = {} } = binding
  if (!spec.placement || !namesScheduler(binding, schedulerName) || isSchedulingSuspended(spec)) return false
  const { clusterAffinities: terms, clusterAffinity } = spec.placement
  if (!terms) return !clusterAffinity || matchesAffinity(clusterAffinity, factsOf(cluster))
  if ((status.schedulerObservedGeneration ?? 0) !== (metadata.generation ?? 0)) return true
  const term = terms.find(({ affinityName }) => affinityName === status.schedulerObservingAffinityName) ?? terms[0]
  return !term || matchesAffinity(term, factsOf(cluster))
}

/** Larger runs first. */
export function priorityOf({ spec }: Binding): number {
  return spec.schedulePriority?.priority ?? 0
}

function namesScheduler({ spec }: Binding, schedulerName: string): boolean {
  return (spec.schedulerName || 'default-scheduler') === schedulerName
}
