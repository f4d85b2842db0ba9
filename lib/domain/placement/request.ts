/** Input of the placement algorithm, with everything that it reads of a binding. */
import type { BindingSpec, TargetCluster } from '@/lib/kube/kinds/binding'
import type { ClusterAffinityTerm, Placement } from '@/lib/kube/kinds/placement'
import { parseTime } from '@/lib/std/clock'
import type { Binding } from './binding'
import type { Neighbours } from './neighbours'
import { upstreamProfile } from './profile'

/** `Steady` keeps the current result and moves only what must move; `Fresh` ignores the current result. */
export type Mode = 'Steady' | 'Fresh'

export interface PlacementRequest {
  spec: BindingSpec
  placement: Placement
  mode: Mode
  /** Name of the current affinity group; empty if the placement has no groups. */
  affinityName: string
  positions: Positions
  /** Clusters of the other workloads in the same groups. */
  neighbours?: Neighbours
  /** Clusters where the workload failed recently. */
  blocked?: ReadonlySet<string>
  /** Capacity is counted in complete sets of components, of which one is placed. */
  wholeSets?: boolean
}

/**
 * Positions in the current result, `spec.clusters`, by cluster. Of duplicate entries, the first counts. The map is made
 * when a name is first looked up, because a decision about thousands of clusters often looks up none.
 */
export class Positions {
  #byName: Map<string, number> | undefined

  constructor(private readonly clusters: readonly TargetCluster[] = []) {}

  /** Number of different clusters. */
  get size(): number {
    return this.#map.size
  }

  get(cluster: string): number | undefined {
    return this.#map.get(cluster)
  }

  has(cluster: string): boolean {
    return this.#map.has(cluster)
  }

  get #map(): Map<string, number> {
    if (this.#byName) return this.#byName
    const byName = new Map<string, number>()
    this.clusters.forEach(({ name }, position) => {
      if (!byName.has(name)) byName.set(name, position)
    })
    this.#byName = byName
    return byName
  }
}

/** Reports whether the workload has components and goes to exactly one cluster, as its spread constraint says. */
export function isPlacedAsSet({ components = [], placement }: BindingSpec): boolean {
  return (
    components.length > 0
    && (placement?.spreadConstraints ?? []).some(
      ({ spreadByField, minGroups, maxGroups }) => spreadByField === 'cluster' && minGroups === 1 && maxGroups === 1,
    )
  )
}

/** Returns Fresh if a reschedule was triggered since the last success. */
export function modeOf(binding: Triggerable, profile = upstreamProfile): Mode {
  return isTriggered(binding, profile) ? 'Fresh' : 'Steady'
}

type Triggerable = Pick<Binding, 'spec' | 'status'> & { metadata?: Pick<Binding['metadata'], 'generation'> }

/**
 * Reports whether a triggered reschedule is pending: triggered strictly after the last success or, if the profile says
 * so, in the same second with a spec that changed since. Never true for a binding that was not scheduled before.
 */
export function isTriggered({ metadata, spec, status = {} }: Triggerable, profile = upstreamProfile): boolean {
  if (!spec.rescheduleTriggeredAt || !status.lastScheduledTime) return false
  const [triggered, scheduled] = [parseTime(spec.rescheduleTriggeredAt), parseTime(status.lastScheduledTime)]
  if (triggered !== scheduled) return triggered > scheduled
  return profile.sameSecondTriggers && (metadata?.generation ?? 0) !== (status.schedulerObservedGeneration ?? 0)
}

/** Builds the request for one run of the algorithm with one affinity group. */
export function placementRequest(spec: BindingSpec, mode: Mode, affinityName: string): PlacementRequest {
  return { spec, placement: spec.placement ?? {}, mode, affinityName, positions: new Positions(spec.clusters) }
}

/** Returns the replicas of a cluster in the current result; 0 if it is not part of it. */
export function assignedReplicas({ spec, positions }: PlacementRequest, cluster: string): number {
  return spec.clusters?.[positions.get(cluster) ?? -1]?.replicas ?? 0
}

/** Reports whether the resource has replicas to place; other resources are only propagated. */
export function isWorkload({ replicas = 0, replicaRequirements, components }: BindingSpec): boolean {
  return replicas > 0 || !!replicaRequirements || (components?.length ?? 0) > 0
}

/** Returns the current affinity group; undefined without groups or for an unknown name. */
export function affinityTermOf({ placement, affinityName }: PlacementRequest): ClusterAffinityTerm | undefined {
  return placement.clusterAffinities?.find((term) => term.affinityName === affinityName)
}

/** An absent replica scheduling counts as Duplicated. */
export function isDuplicated({ replicaScheduling }: Placement): boolean {
  return !replicaScheduling || replicaScheduling.replicaSchedulingType === 'Duplicated'
}
