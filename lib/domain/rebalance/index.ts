/** Rebalancing: what a WorkloadRebalancer does, what it would do, and plans that do it in waves. See README.md. */
export * from './compare'
export * from './departures'
export * from './distribution'
export * from './finish'
export type { ClusterHeadroom } from './headroom'
export * from './plan-reasons'
export {
  planRebalance, planWorkload, type Readiness, type RebalancePlan, type RebalanceSnapshot, type TargetPlan,
} from './plan-rebalance'
export type { PolicySubject } from './policy'
export * from './progress'
export { readyByCluster, totalReady, totalReplicas } from './readiness'
export * from './run'
export * from './select'
export * from './sync-status'
export * from './trigger'
export { pauseBeforeTrigger, stampFor } from './trigger-time'
export { invertPlan, planRestore, type Restoration } from './undo'
