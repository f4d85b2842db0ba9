/** Reasons that block the failover of a workload. */
import type { Message } from '../../messages/message'
import type { EpochMs } from '../../std/clock'

export type BlockerReason =
  /** The workload is healthy. */
  | 'nothingFailed'
  /** Its policy has no application failover. */
  | 'noFailoverRule'
  /** `propagateDeps` is off, which the rule requires. */
  | 'dependenciesStay'
  /** No interpreter has a health rule for the kind. */
  | 'noHealthRule'
  /** No cluster has reported a status yet. */
  | 'noStatus'
  /** Its health is unknown, which resets the toleration. */
  | 'healthUnknown'
  /** `preConditions.delaySeconds` is not over. */
  | 'tooEarly'
  /** `preConditions.healthyState`: it was never healthy in that cluster. */
  | 'neverHealthy'
  /** The toleration period is running. */
  | 'waitingForToleration'
  /** The cluster is not ready or tainted, but the taint does not evict. */
  | 'taintOnlyBlocksScheduling'
  /** The NoExecute taint is tolerated; with `until`, for a limited time. */
  | 'taintTolerated'
  /** The eviction is due and queued by the rate limit. */
  | 'evictionRateLimited'
  /** The evicting controller does not run, or eviction is disabled. */
  | 'evictionDisabled'
  /** The eviction is overdue: it is probably disabled. */
  | 'evictionOverdue'
  /** Scheduling is suspended. */
  | 'paused'
  /** The applied placement cannot be read. */
  | 'placementUnreadable'
  /** No cluster fits; the message says why. */
  | 'noClusterFits'
  /** The only clusters that fit were evicted from before, and are excluded; with `until`. */
  | 'blockedPredecessor'
  /** The new replicas are not healthy yet. */
  | 'waitingForSuccessor'
  /** A RebalancePlan keeps the old replicas until the new ones are ready. */
  | 'keptByPlan'
  /** An operator must release the old replicas. */
  | 'keptByHand'
  /** The binding is being deleted. */
  | 'beingDeleted'

/** One blocker, in one cluster or in all. */
export interface Blocker {
  reason: BlockerReason
  cluster?: string
  /** Describes the situation and what would change it. */
  message: Message
  /** When the blocker ends by itself; absent or Infinity: it does not. */
  until?: EpochMs
}
