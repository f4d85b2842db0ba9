/** The question that the placement algorithm answers, with everything it reads of a binding. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { ClusterAffinityTerm, Placement } from '@/lib/kube/kinds/placement'
import { parseTime } from '@/lib/std/clock'
import type { Binding } from './binding'
import type { Neighbours } from './neighbours'
import { upstreamProfile } from './profile'

/**
 * `Steady` keeps what is placed and moves only what must move; `Fresh` forgets the present distribution.
 */
export type Mode = 'Steady' | 'Fresh'

export interface PlacementRequest {
  spec: BindingSpec
  placement: Placement
  mode: Mode
  /** Name of the affinity group in force; empty when groups are not used. */
  affinityName: string
  /** Position in `spec.clusters`, the present result, by cluster. Of doubled entries the first counts. */
  positions: ReadonlyMap<string, number>
  /** Where the other workloads of the same groups run. */
  neighbours?: Neighbours
  /** The clusters where the workload failed a short while ago. */
  blocked?: ReadonlySet<string>
}

/** Fresh when a reschedule was triggered since the last success. */
export function modeOf(binding: Triggerable, profile = upstreamProfile): Mode {
  return isTriggered(binding, profile) ? 'Fresh' : 'Steady'
}

type Triggerable = Pick<Binding, 'spec' | 'status'> & { metadata?: Pick<Binding['metadata'], 'generation'> }

/**
 * True while a triggered reschedule is outstanding: strictly after the last success; where the profile says so, also
 * in its very second, provided that the spec changed since. Never true for a binding that was not scheduled before.
 */
export function isTriggered({ metadata, spec, status = {} }: Triggerable, profile = upstreamProfile): boolean {
  if (!spec.rescheduleTriggeredAt || !status.lastScheduledTime) return false
  const [triggered, scheduled] = [parseTime(spec.rescheduleTriggeredAt), parseTime(status.lastScheduledTime)]
  if (triggered !== scheduled) return triggered > scheduled
  return profile.sameSecondTriggers && (metadata?.generation ?? 0) !== (status.schedulerObservedGeneration ?? 0)
}

/** Builds the request for one run of the algorithm under one affinity group. */
export function placementRequest(spec: BindingSpec, mode: Mode, affinityName: string): PlacementRequest {
  const positions = new Map<string, number>()
  spec.clusters?.forEach(({ name }, position) => {
    if (!positions.has(name)) positions.set(name, position)
  })
  return { spec, placement: spec.placement ?? {}, mode, affinityName, positions }
}

/** Replicas of a cluster in the present result; 0 when it is not part of it. */
export function assignedReplicas({ spec, positions }: PlacementRequest, cluster: string): number {
  return spec.clusters?.[positions.get(cluster) ?? -1]?.replicas ?? 0
}

/** A workload has replicas to place; anything else is only propagated. */
export function isWorkload({ replicas = 0, replicaRequirements, components }: BindingSpec): boolean {
  return replicas > 0 || !!replicaRequirements || (components?.length ?? 0) > 0
}

/** The affinity group in force; undefined when groups are not used or the name is unknown. */
export function affinityTermOf({ placement, affinityName }: PlacementRequest): ClusterAffinityTerm | undefined {
  return placement.clusterAffinities?.find((term) => term.affinityName === affinityName)
}

/** Absent replica scheduling counts as Duplicated. */
export function isDuplicated({ replicaScheduling }: Placement): boolean {
  return !replicaScheduling || replicaScheduling.replicaSchedulingType === 'Duplicated'
}
