import { english } from '@/lib/messages/english'
import type { Binding } from '../shared/binding-kinds'

/** The component that this loop's events name, as upstream spells it for each kind. */
export const componentFor = (binding: Binding): string =>
  binding.metadata.namespace
    ? 'resource-binding-graceful-eviction-controller'
    : 'cluster-resource-binding-graceful-eviction-controller'

// upstream: pkg/util/helper, EmitClusterEvictionEventForResourceBinding
export const evicted = (cluster: string) => ({
  type: 'Normal' as const,
  reason: 'EvictWorkloadFromClusterSucceed',
  // upstream: Karmada graceful-eviction-controller
  message: `Evict from cluster ${cluster} succeed.`,
})

// upstream: as above
export const evictionFailed = (cluster: string) => ({
  type: 'Warning' as const,
  reason: 'EvictWorkloadFromClusterFailed',
  // upstream: Karmada graceful-eviction-controller
  message: `Evict from cluster ${cluster} failed.`,
})

/** Time is up, and the copies are all that is left of the workload. */
export const graceExtended = (cluster: string) => ({
  type: 'Warning' as const,
  reason: 'EvictionWaits',
  message: english('failover.event.graceExtended', { cluster }),
})

export const oldReplicasKept = (cluster: string) => ({
  type: 'Normal' as const,
  reason: 'EvictedCopyKept',
  message: english('failover.event.kept', { cluster }),
})
