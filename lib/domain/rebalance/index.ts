/** Rebalancing: WorkloadRebalancers, their preview, and plans that rebalance in waves. See README.md. */
export { withUncertainty } from './uncertainty'
export { RecentMoves } from './recent-moves'
export * from './compare'
export * from './departures'
export * from './distribution'
export * from './drift'
export * from './finish'
export { expectedPlacement } from './expected-placement'
export * from './ignored-trigger'
export * from './ttl'
export { type DrainLoss, isDeletedEarly, lossesOfDrain } from './losses'
export type { ClusterHeadroom } from './headroom'
export * from './plan-reasons'
export {
  planRebalance,
  type Readiness,
  type RebalancePlan,
  type RebalanceSnapshot,
  type TargetPlan,
} from './plan-rebalance'
export type { PolicySubject } from './policy'
export * from './progress'
export { hasRoomForResults } from './room-for-results'
export * from './run'
export * from './select'
export * from './settle-clusters'
export * from './sync-status'
export * from './trigger'
export { type TriedPlacement, tryPlacement } from './try-placement'
export { pauseBeforeTrigger } from './trigger-time'
export * from './decide-failback'
export * from './failback'
export * from './what-if'
export { invertPlan, type Restoration } from './undo'
