/** Workload affinity and anti-affinity: other workloads whose clusters a workload must share or avoid. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { Binding } from './binding'

/** Cluster names, one set per other workload of the group that runs anywhere. */
export interface Neighbours {
  affinity: readonly ReadonlySet<string>[]
  antiAffinity: readonly ReadonlySet<string>[]
}

/**
 * Returns the groups of a binding as `affinity/<namespace>/<group>` and `antiAffinity/<namespace>/<group>`, for an
 * index.
 */
export function groupsOf({ metadata: { namespace }, spec }: Pick<Binding, 'metadata' | 'spec'>): string[] {
  const { affinityGroup, antiAffinityGroup } = spec.workloadAffinityGroups ?? {}
  if (!namespace) return []
  return [
    ...(affinityGroup ? [`affinity/${namespace}/${affinityGroup}`] : []),
    ...(antiAffinityGroup ? [`antiAffinity/${namespace}/${antiAffinityGroup}`] : []),
  ]
}

/** Returns where the other members of the binding's groups run. Only bindings of the same namespace count. */
export function neighboursOf(binding: Binding, others: Iterable<Binding>): Neighbours {
  const groups = new Set(groupsOf(binding))
  const affinity: ReadonlySet<string>[] = []
  const antiAffinity: ReadonlySet<string>[] = []
  for (const other of others) {
    if (other.metadata.name === binding.metadata.name) continue
    const shared = groupsOf(other).filter((group) => groups.has(group))
    if (shared.length === 0 || !other.spec.clusters?.length) continue
    const clusters = clustersOf(other.spec)
    if (shared.some((group) => group.startsWith('affinity/'))) affinity.push(clusters)
    if (shared.some((group) => group.startsWith('antiAffinity/'))) antiAffinity.push(clusters)
  }
  return { affinity, antiAffinity }
}

function clustersOf({ clusters = [] }: BindingSpec): ReadonlySet<string> {
  return new Set(clusters.map(({ name }) => name))
}
