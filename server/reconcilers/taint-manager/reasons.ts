/** The component that this loop's events name, as upstream spells it. */
export const COMPONENT = 'taint-manager'

// upstream: pkg/util/helper, EmitClusterEvictionEventForResourceBinding
export const evictionFailed = (cluster: string) => ({
  type: 'Warning' as const,
  reason: 'EvictWorkloadFromClusterFailed',
  // upstream: Karmada taint-manager
  message: `Evict from cluster ${cluster} failed.`,
})
