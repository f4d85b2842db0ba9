import { evictCluster, taintCause, type PurgeMode } from '@/lib/domain/eviction'
import { isConflict } from '@/lib/kube/errors'
import type { BindingSpec } from '@/lib/kube/kinds'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, eventTargets, parseBindingKey } from '../shared/binding-kinds'
import { COMPONENT, evictionFailed } from './reasons'

export interface Eviction {
  binding: Binding
  clusters: readonly string[]
  purgeMode: PurgeMode
  /** Tasks have their time from the eviction on. */
  datedTasks: boolean
}

/** Takes the clusters out of the result and appends their tasks, in one write guarded by the version decided on. */
export async function evict(
  context: ReconcilerContext,
  { binding, clusters, purgeMode, datedTasks }: Eviction,
): Promise<void> {
  const begunAt = datedTasks ? context.clock.now() : undefined
  const spec = clusters.reduce<BindingSpec>(
    (before, cluster) => ({ ...before, ...evictCluster(before, cluster, taintCause(before, purgeMode, begunAt)) }),
    binding.spec,
  )
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

function reportFailure({ events }: ReconcilerContext, binding: Binding, clusters: readonly string[]): void {
  for (const cluster of clusters) {
    for (const regarding of eventTargets(binding))
      events.record({ component: COMPONENT, ...evictionFailed(cluster), regarding })
  }
}
