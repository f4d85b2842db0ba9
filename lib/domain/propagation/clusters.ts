/** Which clusters a binding concerns. */
import type { BindingSpec, TargetCluster } from '../../kube/kinds/binding'

type Targets = Pick<BindingSpec, 'clusters' | 'requiredBy' | 'gracefulEvictionTasks'>

/**
 * The clusters that may hold a Work: those scheduled, those of the bindings that need this one, and those being left,
 * unless they are to be purged directly.
 */
export function expectedClusters({ gracefulEvictionTasks = [], ...spec }: Targets): ReadonlySet<string> {
  const leaving = gracefulEvictionTasks.filter(({ purgeMode }) => purgeMode !== 'Directly')
  return new Set([...targetClusters(spec).map(({ name }) => name), ...leaving.map(({ fromCluster }) => fromCluster)])
}

/** The clusters whose Works are written, in order: those scheduled, then those of the bindings that need this one. */
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

/** The clusters that have to be empty before others may get their Work. */
export function directlyPurgedClusters({ gracefulEvictionTasks = [] }: Targets): ReadonlySet<string> {
  const tasks = gracefulEvictionTasks.filter(({ purgeMode }) => purgeMode === 'Directly')
  return new Set(tasks.map(({ fromCluster }) => fromCluster))
}
