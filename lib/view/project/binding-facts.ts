/** What a binding says of its workload, read once and named. */
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

/** Kinds that are divided even when they are scaled to zero, where the binding no longer says so. */
const SCALABLE = new Set(['apps/v1/Deployment', 'apps/v1/StatefulSet', 'apps/v1/ReplicaSet', 'batch/v1/Job'])

/** The permanent id of a binding, or the one that a Work carries of its binding. */
export function permanentIdOf(object: AnyBinding | Work): string | undefined {
  const labels = object.metadata.labels
  return labels?.[BINDING_ID_LABEL] ?? labels?.[CLUSTER_BINDING_ID_LABEL]
}

/** The cluster that a Work is for; undefined for one outside of the execution namespaces. */
export function clusterOfWork(work: Work): string | undefined {
  return clusterOfExecutionSpace(work.metadata.namespace ?? '')
}

/** The template that a binding is about: of its own namespace, whatever it says, or a tenant could speak for another's workloads. */
export function templateOf({ metadata: { namespace }, spec: { resource } }: AnyBinding): WorkloadRef {
  const { apiVersion, kind, name } = resource
  return { apiVersion, kind, ...(namespace && { namespace }), name }
}

/** False for templates that are copied as they are, like a ClusterRole. */
export function hasReplicas({ spec }: AnyBinding): boolean {
  if ((spec.replicas ?? 0) > 0 || spec.replicaRequirements) return true
  return SCALABLE.has(`${spec.resource.apiVersion}/${spec.resource.kind}`)
}

/** How the replicas of a binding are divided. */
export function strategyOf(binding: AnyBinding): DivisionStrategy {
  if (!hasReplicas(binding)) return 'NotDivided'
  const division = binding.spec.placement?.replicaScheduling
  if (!division || division.replicaSchedulingType === 'Duplicated') return 'Duplicated'
  if (division.replicaDivisionPreference === 'Aggregated') return 'Aggregated'
  return division.weightPreference?.dynamicWeight ? 'DynamicWeight' : 'StaticWeight'
}

/** The policy that claimed the template. */
export function policyOf({ metadata: { annotations = {} } }: AnyBinding): WorkloadView['policy'] {
  const name = annotations[POLICY_NAME_ANNOTATION]
  const namespace = annotations[POLICY_NAMESPACE_ANNOTATION]
  if (name) return { kind: 'PropagationPolicy', ...(namespace && { namespace }), name }
  const clusterWide = annotations[CLUSTER_POLICY_NAME_ANNOTATION]
  return clusterWide ? { kind: 'ClusterPropagationPolicy', name: clusterWide } : undefined
}

/** The placement that was applied last; before the first scheduling, the one that is asked for. */
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

/** Clusters with replicas, by name, as the scheduler put them. */
export function placedReplicas(binding: AnyBinding): ReplicasInCluster[] {
  return toReplicas(binding.spec.clusters)
}

/** A scheduling result, sorted by cluster. */
export function toReplicas(clusters: readonly TargetCluster[] | undefined): ReplicasInCluster[] {
  return (clusters ?? []).map(({ name, replicas = 0 }) => ({ cluster: name, replicas })).sort(byCluster)
}

/** Orders by cluster name, by code points. */
export function byCluster(a: { cluster: string }, b: { cluster: string }): number {
  if (a.cluster === b.cluster) return 0
  return a.cluster < b.cluster ? -1 : 1
}

/** Clusters that have to have the resource because something else there depends on it. */
export function requiredClusters({ spec }: AnyBinding): string[] {
  return (spec.requiredBy ?? []).flatMap(({ clusters = [] }) => clusters.map(({ name }) => name))
}

/** A reschedule was asked for and no scheduling succeeded since; both times have whole seconds. */
export function isReschedulePending({ spec, status }: AnyBinding): boolean {
  if (!spec.rescheduleTriggeredAt) return false
  return !status?.lastScheduledTime || parseTime(spec.rescheduleTriggeredAt) > parseTime(status.lastScheduledTime)
}

/** The scheduler has not yet looked at the present spec. */
export function isSchedulerBehind({ metadata, status }: AnyBinding): boolean {
  return status?.schedulerObservedGeneration !== metadata.generation
}

type AnyCondition = Pick<ConditionView, 'type'> & Partial<Omit<ConditionView, 'status'>> & { status: string }

/** One condition of a list, for people. */
export function conditionView(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
): ConditionView | undefined {
  const found = findCondition(conditions, type)
  return found && toConditionView(found)
}

/** A condition reduced to what is shown. */
export function toConditionView(condition: AnyCondition): ConditionView {
  const { type, status, reason = '', message = '', lastTransitionTime = '' } = condition
  const known = status === 'True' || status === 'False' ? status : 'Unknown'
  return { type, status: known, reason, message, lastTransitionTime }
}
