/** Failover of workloads: when they are evicted, which state is preserved, and what blocks them. */
export { APPLICATION_RULE_ANNOTATION, HISTORY_ANNOTATION, RECORD_ANNOTATION } from './annotations'
export { type ApplicationPlan, type ApplicationSnapshot, assessApplication } from './assess'
export { type Exemption, exemptionOf } from './eligible'
export { APPLICATION_FAILURE, applicationFailoverProducer, type EvictionGates } from './evict-failed'
export type { FailoverBinding, PolicyWords } from './binding'
export { withFailoverFacts } from './failover-facts'
export { lackOfSuccessor } from './successor'
export { type BlockedPredecessor, blockedPredecessors, evictionHistoryOf, historyAfter } from './history'
export { blockersOf, type BlockerFacts, policyOf } from './blockers'
export type { Blocker, BlockerReason } from './blocker'
export { injectedLabels } from './injected-labels'
export {
  DEFAULT_TOLERATION_SECONDS,
  defaultFailoverProfile,
  type FailoverDefaults,
  type FailoverProfile,
  upstreamFailoverProfile,
} from './profile'
export { formatRecord, type HealthMemory, type HealthRecord, readRecord } from './record'
export { type ApplicationFailover, applicationRuleOf, type ApplicationRule, type FailedState } from './rule'
export { listFailovers } from './list-failovers'
export { OVERDUE_MS } from './pending-eviction'
export { clusterState } from './preserve-state'
export { type ClusterFailover, clusterFailoverOf } from './failover'
export type { DeadlineMeaning, FailoverSettings, FailoverStage, Failover, FailoverSnapshot } from './failover'
export * from './recovery'
