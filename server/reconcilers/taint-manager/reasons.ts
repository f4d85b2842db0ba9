/** Component in the events, as upstream. */
export const COMPONENT = 'taint-manager'

// upstream: pkg/util/helper, EmitClusterEvictionEventForResourceBinding
export const evictionFailed = (cluster: string) => ({
  type: 'Warning' as const,
  reason: 'EvictWorkloadFromClusterFailed',
  // upstream: Karmada taint-manager
  message: `Evict from cluster ${cluster} failed.`,
})
