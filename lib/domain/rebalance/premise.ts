/** Applies a premise to the fleet: other capacities, clusters, policies and numbers of replicas, before a failure. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { formatQuantity, milliQuantityOf, quantityMilli, tryParseQuantity } from '@/lib/kube/quantity'
import { withArrivals, withDepartures } from '../estimate'
import {
  appliedPlacementText,
  type Binding,
  defaultProfile,
  isSchedulingSuspended,
  scheduleBinding,
  type SchedulerProfile,
} from '../placement'
import { isSameDistribution, shiftsBetween } from './distribution'

export interface Premise {
  /** Percentage of the allocatable resources, by cluster. */
  capacity: ReadonlyMap<string, number>
  replicas: ReadonlyMap<Binding, number>
  /** Edited placements of the policies of these workloads. */
  placements?: ReadonlyMap<Binding, Placement>
}

interface Fleet {
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  profile?: SchedulerProfile
}

/** A workload that the premise moves, and where the scheduler puts it. */
export interface Rescaled {
  binding: Binding
  /** The other number of replicas; absent when only its policy is another. */
  wanted?: number
  before: readonly TargetCluster[]
  after: readonly TargetCluster[]
}

export interface Premised {
  bindings: readonly Binding[]
  /** After the workloads of `rescaled` have moved, and before. */
  clusters: readonly Cluster[]
  clustersBefore: readonly Cluster[]
  rescaled: readonly Rescaled[]
}

/** Changes the clusters first; then schedules the workloads one after the other, each on the remaining capacity. */
export function premised({ bindings, clusters: all, profile = defaultProfile }: Fleet, premise: Premise): Premised {
  const clustersBefore = all.map((one) => {
    const percent = premise.capacity.get(one.metadata.name)
    return percent === undefined ? one : withCapacity(one, percent)
  })
  let clusters: readonly Cluster[] = clustersBefore
  const rescaled: Rescaled[] = []
  const next = bindings.map((binding) => {
    const changed = changedBy(binding, premise)
    if (changed === binding) return binding
    const before = binding.spec.clusters ?? []
    const after = isSchedulingSuspended(binding.spec)
      ? before
      : (scheduleBinding({ binding: changed, clusters, profile, mode: 'Steady' }).clusters ?? before)
    const wanted = premise.replicas.get(binding)
    if (wanted !== undefined || !isSameDistribution(before, after))
      rescaled.push({ binding, ...(wanted !== undefined && { wanted }), before, after })
    clusters = afterShifts(clusters, shiftsBetween(before, after), binding)
    return { ...changed, spec: { ...changed.spec, clusters: [...after] } }
  })
  return { bindings: next, clusters, clustersBefore, rescaled }
}

/** Returns the same binding if the premise does not change it. */
function changedBy(binding: Binding, { replicas, placements }: Premise): Binding {
  const wanted = replicas.get(binding)
  const placement = placements?.get(binding)
  if (wanted === undefined && !placement) return binding
  const annotations = { ...binding.metadata.annotations }
  if (placement) annotations[APPLIED_PLACEMENT_ANNOTATION] = appliedPlacementText(placement)
  return {
    ...binding,
    metadata: { ...binding.metadata, annotations },
    spec: { ...binding.spec, ...(wanted !== undefined && { replicas: wanted }), ...(placement && { placement }) },
  }
}

function afterShifts(
  clusters: readonly Cluster[],
  shifts: ReturnType<typeof shiftsBetween>,
  { spec: { replicaRequirements: requirements } }: Binding,
): readonly Cluster[] {
  const byCluster = new Map(shifts.map(({ cluster, by }) => [cluster, by]))
  return clusters.map((one) => {
    const by = byCluster.get(one.metadata.name) ?? 0
    if (by > 0) return withArrivals(one, [{ replicas: by, requirements }])
    return by < 0 ? withDepartures(one, { replicas: -by, requirements }) : one
  })
}

/** A cluster that joins empty, with the capacity, the place, the labels and the APIs of another. */
export function newCluster({ metadata, spec, status, ...cluster }: Cluster, name: string): Cluster {
  const { resourceSummary, ...facts } = status ?? {}
  const { allocated: _used, allocating: _coming, ...summary } = resourceSummary ?? {}
  const { deletionTimestamp: _going, ...kept } = metadata
  const { taints: _taints, ...rest } = spec
  return {
    ...cluster,
    metadata: { ...kept, name, uid: name },
    spec: rest,
    status: { ...facts, ...(resourceSummary && { resourceSummary: summary }) },
  }
}

/** Returns the cluster with that percentage of its allocatable resources and of its nodes by grade. */
function withCapacity(cluster: Cluster, percent: number): Cluster {
  const { resourceSummary: summary } = cluster.status ?? {}
  if (!summary) return cluster
  const allocatable = Object.fromEntries(
    Object.entries(summary.allocatable ?? {}).map(([name, text]) => [name, part(text, percent)]),
  )
  const { allocatableModelings } = summary
  const modelings = allocatableModelings?.map((one) => ({ ...one, count: Math.floor((one.count * percent) / 100) }))
  return {
    ...cluster,
    status: {
      ...cluster.status,
      resourceSummary: { ...summary, allocatable, ...(modelings && { allocatableModelings: modelings }) },
    },
  }
}

function part(text: string | number, percent: number): string {
  const quantity = tryParseQuantity(text)
  if (!quantity) return String(text)
  const milli = (quantityMilli(quantity) * BigInt(percent)) / 100n
  // Whole units except for CPU, whose quantities are small.
  return formatQuantity(milliQuantityOf(milli, quantity.format))
}
