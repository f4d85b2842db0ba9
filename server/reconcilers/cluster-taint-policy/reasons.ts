/** Component in the events, as upstream. */
const COMPONENT = 'cluster-taint-policy-controller'

export const taintSucceeded = (cluster: string, state: string) => ({
  component: COMPONENT,
  type: 'Normal' as const,
  reason: 'TaintClusterSucceed',
  // upstream: pkg/controllers/taint, ClusterTaintPolicyController
  message: `Update Cluster(${cluster}) with taints(${state}) succeed`,
})

export const taintFailed = (cluster: string, state: string, error: unknown) => ({
  component: COMPONENT,
  type: 'Warning' as const,
  reason: 'TaintClusterFailed',
  // upstream: as above
  message: `Update Cluster(${cluster}) with taints(${state}) failed: ${error instanceof Error ? error.message : String(error)}`,
})
