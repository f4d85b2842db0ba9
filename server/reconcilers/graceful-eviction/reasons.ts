import { english } from '@/lib/messages/english'
import type { Binding } from '../shared/binding-kinds'

/** Component in the events, which upstream names by kind. */
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

/** The grace period ended, but these are the last replicas of the workload. */
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
