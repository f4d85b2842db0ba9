/** Tracks which old replicas an operator must release. */
import { isProtection } from '@/lib/domain/eviction'
import type { ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Binding, bindingKeyOf } from '../shared/binding-kinds'

/** Tasks that began since the last reconcile of their binding. */
export interface KeptReplicas {
  note(change: Change<Binding>): void
  /** Returns the clusters whose old replicas are still kept; the caller reports them. */
  of(binding: Binding): string[]
  reported(binding: Binding): void
  clear(): void
}

/**
 * A task counts if a change of the binding adds it. For a binding that is new to this process, only tasks without a
 * time count, because the others began earlier.
 */
export function createKeptReplicas(): KeptReplicas {
  const begun = new Map<ObjectKey, Set<string>>()
  return {
    note: (change) => {
      if (change.type === 'deleted') return void begun.delete(bindingKeyOf(change.old))
      const key = bindingKeyOf(change.object)
      for (const cluster of begunIn(change)) begun.set(key, (begun.get(key) ?? new Set<string>()).add(cluster))
    },
    of: (binding) => {
      const noted = begun.get(bindingKeyOf(binding))
      return noted
        ? keptIn(binding)
            .map(({ fromCluster }) => fromCluster)
            .filter((cluster) => noted.has(cluster))
        : []
    },
    reported: (binding) => void begun.delete(bindingKeyOf(binding)),
    clear: () => begun.clear(),
  }
}

function begunIn(change: Exclude<Change<Binding>, { type: 'deleted' }>): string[] {
  const kept = keptIn(change.object)
  if (change.type === 'added') {
    return kept.filter(({ creationTimestamp }) => !creationTimestamp).map(({ fromCluster }) => fromCluster)
  }
  const before = new Set(keptIn(change.old).map(({ fromCluster }) => fromCluster))
  return kept.map(({ fromCluster }) => fromCluster).filter((cluster) => !before.has(cluster))
}

/** Excludes protections, which a plan ends itself. */
function keptIn({ spec }: Binding) {
  return (spec.gracefulEvictionTasks ?? []).filter((task) => task.suppressDeletion === true && !isProtection(task))
}
