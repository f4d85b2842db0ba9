/** Determines the clusters of a binding. */
import type { BindingSpec, TargetCluster } from '../../kube/kinds/binding'

type Targets = Pick<BindingSpec, 'clusters' | 'requiredBy' | 'gracefulEvictionTasks'>

/**
 * Returns the clusters that may have a Work: scheduled ones, those of bindings that need this one, and those being
 * evicted from, except with purge mode Directly.
 */
export function expectedClusters({ gracefulEvictionTasks = [], ...spec }: Targets): ReadonlySet<string> {
  const leaving = gracefulEvictionTasks.filter(({ purgeMode }) => purgeMode !== 'Directly')
  return new Set([...targetClusters(spec).map(({ name }) => name), ...leaving.map(({ fromCluster }) => fromCluster)])
}

/**
 * Returns the clusters whose Works are written, in order: scheduled ones, then those of bindings that need this one.
 */
export function targetClusters({
  clusters = [],
  requiredBy = [],
}: Omit<Targets, 'gracefulEvictionTasks'>): TargetCluster[] {
  const targets = new Map(clusters.map((target) => [target.name, target]))
  for (const target of requiredBy.flatMap(({ clusters: required = [] }) => required)) {
    if (!targets.has(target.name)) targets.set(target.name, target)
  }
  return [...targets.values()]
}

/** Returns the clusters whose replicas must be removed before other clusters get their Work. */
export function directlyPurgedClusters({ gracefulEvictionTasks = [] }: Targets): ReadonlySet<string> {
  const tasks = gracefulEvictionTasks.filter(({ purgeMode }) => purgeMode === 'Directly')
  return new Set(tasks.map(({ fromCluster }) => fromCluster))
}
