/** The fleet as it would be with other capacities and other numbers of replicas, before anything fails. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { formatQuantity, milliQuantityOf, quantityMilli, tryParseQuantity } from '@/lib/kube/quantity'
import { withArrivals } from '../estimate'
import {
  type Binding,
  defaultProfile,
  isSchedulingSuspended,
  scheduleBinding,
  type SchedulerProfile,
} from '../placement'
import { shiftsBetween } from './distribution'

export interface Premise {
  /** Per cent of what is allocatable, by cluster. */
  capacity: ReadonlyMap<string, number>
  replicas: ReadonlyMap<Binding, number>
}

interface Fleet {
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  profile?: SchedulerProfile
}

/** A workload with another number of replicas, and where the scheduler puts them. */
export interface Rescaled {
  binding: Binding
  wanted: number
  before: readonly TargetCluster[]
  after: readonly TargetCluster[]
}

export interface Premised {
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  rescaled: readonly Rescaled[]
}

/** Capacities change first; then the workloads are scheduled one after the other, each on what the one before leaves. */
export function premised({ bindings, clusters: all, profile = defaultProfile }: Fleet, premise: Premise): Premised {
  let clusters: readonly Cluster[] = all.map((one) => {
    const percent = premise.capacity.get(one.metadata.name)
    return percent === undefined ? one : withCapacity(one, percent)
  })
  const rescaled: Rescaled[] = []
  const next = bindings.map((binding) => {
    const wanted = premise.replicas.get(binding)
    if (wanted === undefined) return binding
    const changed = { ...binding, spec: { ...binding.spec, replicas: wanted } }
    const before = binding.spec.clusters ?? []
    const after = isSchedulingSuspended(binding.spec)
      ? before
      : (scheduleBinding({ binding: changed, clusters, profile, mode: 'Steady' }).clusters ?? before)
    rescaled.push({ binding, wanted, before, after })
    const arriving = new Map(shiftsBetween(before, after).map(({ cluster, by }) => [cluster, by]))
    clusters = clusters.map((one) => {
      const replicas = arriving.get(one.metadata.name) ?? 0
      return replicas > 0 ? withArrivals(one, [{ replicas, requirements: binding.spec.replicaRequirements }]) : one
    })
    return { ...changed, spec: { ...changed.spec, clusters: [...after] } }
  })
  return { bindings: next, clusters, rescaled }
}

/** With that part of its allocatable resources, and of its nodes by grade. */
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
  // Whole units, but for CPU, whose quantities are small.
  return formatQuantity(milliQuantityOf(milli, quantity.format))
}
