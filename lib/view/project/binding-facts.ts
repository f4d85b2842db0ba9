/** Facts that a binding contains about its workload. */
import { findCondition } from '@/lib/kube/conditions'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { ClusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import type { Placement } from '@/lib/kube/kinds/placement'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { Work } from '@/lib/kube/kinds/work'
import {
  APPLIED_PLACEMENT_ANNOTATION,
  BINDING_ID_LABEL,
  CLUSTER_BINDING_ID_LABEL,
  CLUSTER_POLICY_NAME_ANNOTATION,
  POLICY_NAME_ANNOTATION,
  POLICY_NAMESPACE_ANNOTATION,
  clusterOfExecutionSpace,
} from '@/lib/kube/names'
import { parseTime } from '@/lib/std/clock'
import type { ConditionView, DivisionStrategy, ReplicasInCluster, WorkloadRef, WorkloadView } from '../model'

export type AnyBinding = ResourceBinding | ClusterResourceBinding

/** Kinds that are divided even if they are scaled to zero and the binding has no replicas. */
const SCALABLE = new Set(['apps/v1/Deployment', 'apps/v1/StatefulSet', 'apps/v1/ReplicaSet', 'batch/v1/Job'])

/** Returns the permanent ID of a binding, also from one of its Works. */
export function permanentIdOf(object: AnyBinding | Work): string | undefined {
  const labels = object.metadata.labels
  return labels?.[BINDING_ID_LABEL] ?? labels?.[CLUSTER_BINDING_ID_LABEL]
}

/** Returns the cluster of a Work; undefined outside of execution namespaces. */
export function clusterOfWork(work: Work): string | undefined {
  return clusterOfExecutionSpace(work.metadata.namespace ?? '')
}

/**
 * Returns the template of a binding, always in the binding's own namespace. Otherwise a tenant's binding could refer to
 * another tenant's workload.
 */
export function templateOf({ metadata: { namespace }, spec: { resource } }: AnyBinding): WorkloadRef {
  const { apiVersion, kind, name } = resource
  return { apiVersion, kind, ...(namespace && { namespace }), name }
}

/** Returns false for templates without replicas, such as a ClusterRole. */
export function hasReplicas({ spec }: AnyBinding): boolean {
  if ((spec.replicas ?? 0) > 0 || spec.replicaRequirements) return true
  return SCALABLE.has(`${spec.resource.apiVersion}/${spec.resource.kind}`)
}

/** Returns how the replicas of a binding are divided. */
export function strategyOf(binding: AnyBinding): DivisionStrategy {
  if (!hasReplicas(binding)) return 'NotDivided'
  const division = binding.spec.placement?.replicaScheduling
  if (!division || division.replicaSchedulingType === 'Duplicated') return 'Duplicated'
  if (division.replicaDivisionPreference === 'Aggregated') return 'Aggregated'
  return division.weightPreference?.dynamicWeight ? 'DynamicWeight' : 'StaticWeight'
}

/** Returns the policy that claimed the template. */
export function policyOf({ metadata: { annotations = {} } }: AnyBinding): WorkloadView['policy'] {
  const name = annotations[POLICY_NAME_ANNOTATION]
  const namespace = annotations[POLICY_NAMESPACE_ANNOTATION]
  if (name) return { kind: 'PropagationPolicy', ...(namespace && { namespace }), name }
  const clusterWide = annotations[CLUSTER_POLICY_NAME_ANNOTATION]
  return clusterWide ? { kind: 'ClusterPropagationPolicy', name: clusterWide } : undefined
}

/** Returns the last applied placement; before the first scheduling, the placement in the spec. */
export function appliedPlacement(binding: AnyBinding): Placement | undefined {
  const text = binding.metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION]
  return (text === undefined ? undefined : parsePlacement(text)) ?? binding.spec.placement
}

function parsePlacement(text: string): Placement | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // The annotation is not JSON, so the caller falls back to the placement in the spec.
    return undefined
  }
}

/** Returns the assigned replicas, sorted by cluster. */
export function placedReplicas(binding: AnyBinding): ReplicasInCluster[] {
  return toReplicas(binding.spec.clusters)
}

/** Converts a scheduling result, sorted by cluster. */
export function toReplicas(clusters: readonly TargetCluster[] | undefined): ReplicasInCluster[] {
  return (clusters ?? []).map(({ name, replicas = 0 }) => ({ cluster: name, replicas })).sort(byCluster)
}

/** Orders by cluster name, by code points. */
export function byCluster(a: { cluster: string }, b: { cluster: string }): number {
  if (a.cluster === b.cluster) return 0
  return a.cluster < b.cluster ? -1 : 1
}

/** Returns the clusters that need the resource because another object there depends on it. */
export function requiredClusters({ spec }: AnyBinding): string[] {
  return (spec.requiredBy ?? []).flatMap(({ clusters = [] }) => clusters.map(({ name }) => name))
}

/** Reports whether a reschedule was triggered and no scheduling has succeeded since; both times have whole seconds. */
export function isReschedulePending({ spec, status }: AnyBinding): boolean {
  if (!spec.rescheduleTriggeredAt) return false
  return !status?.lastScheduledTime || parseTime(spec.rescheduleTriggeredAt) > parseTime(status.lastScheduledTime)
}

/** Reports whether the scheduler has not processed the current spec. */
export function isSchedulerBehind({ metadata, status }: AnyBinding): boolean {
  return status?.schedulerObservedGeneration !== metadata.generation
}

type AnyCondition = Pick<ConditionView, 'type'> & Partial<Omit<ConditionView, 'status'>> & { status: string }

/** Returns the view of one condition. */
export function conditionView(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
): ConditionView | undefined {
  const found = findCondition(conditions, type)
  return found && toConditionView(found)
}

/** Reduces a condition to its view. */
export function toConditionView(condition: AnyCondition): ConditionView {
  const { type, status, reason = '', message = '', lastTransitionTime = '' } = condition
  const known = status === 'True' || status === 'False' ? status : 'Unknown'
  return { type, status: known, reason, message, lastTransitionTime }
}
