/** Decides whether a binding is scheduled now, and why. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { int32 } from '../division/division'
import { isPlacementChanged } from './applied-placement'
import { type Binding, bindingKey, isClusterScoped, isSchedulingSuspended } from './binding'
import type { ClusterSnapshot } from './facts'
import { type SchedulerProfile, defaultProfile } from './profile'
import { type Mode, isDuplicated, isTriggered, isWorkload, modeOf } from './request'

/** Why the scheduler runs; the first reason that applies. */
export type ReschedulePath =
  | 'placementChanged'
  | 'replicasChanged'
  | 'rescheduleTriggered'
  | 'nonWorkload'
  | 'duplicated'
  | 'targetClusterTerminating'

export type RescheduleDecision =
  | { act: 'schedule'; path: ReschedulePath; mode: Mode }
  /** Nothing to do. `observe` is the generation to write as observed, if the status does not have it yet. */
  | { act: 'leave'; observe?: number }
  /** Scheduling is suspended; the binding is scheduled after it is resumed. */
  | { act: 'hold' }
  /** The binding is being deleted; `message` is for a warning event. */
  | { act: 'skip'; message: string }
  /** The binding cannot be scheduled at all: an error without event and condition. */
  | { act: 'refuse'; message: string }

/** Decides for one binding from the current state alone. */
export function decideReschedule(
  binding: Binding,
  clusters: ClusterSnapshot,
  profile: SchedulerProfile = defaultProfile,
): RescheduleDecision {
  const { metadata, spec, status = {} } = binding
  if (metadata.deletionTimestamp) return { act: 'skip', message: deletingMessage(binding) }
  if (!spec.placement) return { act: 'refuse', message: noPlacementMessage(binding) }
  if (profile.holdSuspended && isSchedulingSuspended(spec)) return { act: 'hold' }
  const path = pathOf(binding, clusters, profile)
  if (path) return { act: 'schedule', path, mode: modeOf(binding, profile) }
  const { generation = 0 } = metadata
  const isObserved = generation === (status.schedulerObservedGeneration ?? 0)
  return isObserved ? { act: 'leave' } : { act: 'leave', observe: generation }
}

function pathOf(binding: Binding, clusters: ClusterSnapshot, profile: SchedulerProfile): ReschedulePath | undefined {
  const { spec } = binding
  if (isPlacementChanged(binding)) return 'placementChanged'
  if (isReplicasChanged(spec) || (profile.componentSets && isSetUnplaced(spec))) return 'replicasChanged'
  if (isTriggered(binding, profile)) return 'rescheduleTriggered'
  if (!isWorkload(spec)) return 'nonWorkload'
  if (isDuplicated(spec.placement ?? {})) return 'duplicated'
  return isTargetTerminating(spec, clusters) ? 'targetClusterTerminating' : undefined
}

/** Reports whether the result differs from the desired replicas. */
function isReplicasChanged({ placement, clusters = [], replicas = 0 }: BindingSpec): boolean {
  if (!placement?.replicaScheduling) return false
  if (isDuplicated(placement)) return clusters.some((target) => (target.replicas ?? 0) !== replicas)
  if (placement.replicaScheduling.replicaSchedulingType !== 'Divided') return false
  return clusters.reduce((sum, target) => int32(sum + (target.replicas ?? 0)), 0) !== replicas
}

/** Reports whether a workload of components lost its clusters, for instance by a failover. */
function isSetUnplaced({ placement, clusters = [], components = [] }: BindingSpec): boolean {
  return !!placement?.replicaScheduling && components.length > 0 && clusters.length === 0
}

/** Reports whether a cluster of the result is being deleted. A deleted cluster does not count. */
function isTargetTerminating({ clusters = [] }: BindingSpec, { facts, ranks }: ClusterSnapshot): boolean {
  return clusters.some(({ name }) => facts[ranks.get(name) ?? -1]?.deleting === true)
}

// upstream: karmada-scheduler, doScheduleBinding
function deletingMessage(binding: Binding): string {
  return `skip schedule deleting ${lowerKind(binding)}: ${bindingKey(binding)}`
}

// upstream: karmada-scheduler, doScheduleBinding
function noPlacementMessage(binding: Binding): string {
  return `failed to get placement from ${lowerKind(binding)}(${bindingKey(binding)})`
}

function lowerKind(binding: Binding): string {
  return isClusterScoped(binding) ? 'clusterResourceBinding' : 'resourceBinding'
}
