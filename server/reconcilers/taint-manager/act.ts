import { evictCluster, type EvictionCause, type PurgeMode, taintCause } from '@/lib/domain/eviction'
import { clusterState } from '@/lib/domain/failover'
import { isConflict } from '@/lib/kube/errors'
import type { BindingSpec } from '@/lib/kube/kinds'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, eventTargets, parseBindingKey } from '../shared/binding-kinds'
import type { CompatibilityProfile } from '../shared/compatibility'
import { COMPONENT, evictionFailed } from './reasons'

export interface Eviction extends Readonly<CompatibilityProfile['taintManager']> {
  binding: Binding
  clusters: readonly string[]
  purgeMode: PurgeMode
}

/**
 * Removes the clusters from the result and appends their tasks, in one write with the resourceVersion of the decision
 * as a precondition.
 */
export async function evict(context: ReconcilerContext, eviction: Eviction): Promise<void> {
  const { binding, clusters, purgeMode, datedTasks } = eviction
  const begunAt = datedTasks ? context.clock.now() : undefined
  const spec = clusters.reduce<BindingSpec>((before, cluster) => {
    const cause = { ...taintCause(before, purgeMode, begunAt), ...stateOf(eviction, cluster) }
    return { ...before, ...evictCluster(before, cluster, cause) }
  }, binding.spec)
  const { kind, ref } = parseBindingKey(bindingKeyOf(binding))
  const { resourceVersion } = binding.metadata
  const { clusters: left, gracefulEvictionTasks } = spec
  const value = { metadata: { resourceVersion }, spec: { clusters: left, gracefulEvictionTasks } }
  try {
    await context.client.patch(kind, ref, { type: 'merge', value })
  } catch (error) {
    if (!isConflict(error)) reportFailure(context, binding, clusters)
    throw error
  }
}

/** Returns the state for new replicas in other clusters. */
function stateOf({ binding, preserveState, skipMissingState }: Eviction, cluster: string): Partial<EvictionCause> {
  const preservedLabelState = preserveState ? clusterState(binding, cluster, skipMissingState) : undefined
  return preservedLabelState ? { preservedLabelState } : {}
}

function reportFailure({ events }: ReconcilerContext, binding: Binding, clusters: readonly string[]): void {
  for (const cluster of clusters) {
    for (const regarding of eventTargets(binding))
      events.record({ component: COMPONENT, ...evictionFailed(cluster), regarding })
  }
}
