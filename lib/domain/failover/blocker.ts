/** What blocks the failover of a workload. */
import type { Message } from '../../messages/message'
import type { EpochMs } from '../../std/clock'

export type BlockerReason =
  /** Nothing is wrong with it. */
  | 'nothingFailed'
  /** Its policy says nothing about application failover. */
  | 'noFailoverRule'
  /** The rule asks for `propagateDeps`, which is off. */
  | 'dependenciesStay'
  /** No interpreter knows what healthy means for the kind. */
  | 'noHealthRule'
  /** No cluster reported anything yet. */
  | 'noStatus'
  /** Its health is unknown, which resets the toleration. */
  | 'healthUnknown'
  /** `preConditions.delaySeconds` is not over. */
  | 'tooEarly'
  /** `preConditions.healthyState`: it was never healthy there. */
  | 'neverHealthy'
  /** The toleration of the rule is counting. */
  | 'waitingForToleration'
  /** The cluster is not ready or tainted, and the taint does not evict. */
  | 'taintOnlyBlocksScheduling'
  /** The NoExecute taint is tolerated; with `until`, for a while. */
  | 'taintTolerated'
  /** The taint evicts as soon as the rate limit allows. */
  | 'evictionPaced'
  /** The controller that evicts does not run, or is disabled. */
  | 'evictionDisabled'
  /** The taint should have evicted it long ago: eviction is probably disabled. */
  | 'evictionOverdue'
  /** Scheduling is suspended. */
  | 'paused'
  /** What it was scheduled by cannot be read. */
  | 'placementUnreadable'
  /** No cluster fits; the message says why. */
  | 'noClusterFits'
  /** The only clusters that would fit were left before, and are excluded; with `until`. */
  | 'blockedPredecessor'
  /** The new replicas are not healthy yet. */
  | 'waitingForSuccessor'
  /** A RebalancePlan keeps the old replicas until the new ones are ready. */
  | 'keptByPlan'
  /** The old replicas are kept until an operator releases them. */
  | 'keptByHand'
  /** The binding is being deleted. */
  | 'beingDeleted'

/** One blocker, in one cluster or in all. */
export interface Blocker {
  reason: BlockerReason
  cluster?: string
  /** What is the case, and what would change it. */
  message: Message
  /** When it ends by itself; Infinity and absent: not by itself. */
  until?: EpochMs
}
