/** Why nothing happens to a workload that seems to need it. */
import type { EpochMs } from '../../std/clock'

export type BlockerReason =
  /** Nothing is wrong with it. */
  | 'nothingFailed'
  /** Its policy says nothing about application failover. */
  | 'noFailoverRule'
  /** The rule asks for `propagateDeps`, which is off. */
  | 'dependenciesStay'
  /** Nobody knows what healthy means for the kind. */
  | 'noHealthRule'
  /** No cluster reported anything yet. */
  | 'noStatus'
  /** Its health is unknown, which starts the clock anew. */
  | 'healthUnknown'
  /** `preConditions.delaySeconds` is not over. */
  | 'tooEarly'
  /** `preConditions.healthyState`: it was never healthy there. */
  | 'neverHealthy'
  /** The toleration of the rule is counting. */
  | 'waitingForToleration'
  /** The cluster is lost or tainted, and the taint does not evict. */
  | 'taintOnlyBlocksScheduling'
  /** The NoExecute taint is tolerated; with `until`, for a while. */
  | 'taintTolerated'
  /** The taint evicts, in its turn. */
  | 'evictionPaced'
  /** The loop that would act does not run, or is told not to. */
  | 'evictionDisabled'
  /** Scheduling is paused. */
  | 'paused'
  /** What it was scheduled by cannot be read. */
  | 'placementUnreadable'
  /** No cluster fits; the sentence says why. */
  | 'noClusterFits'
  /** The only clusters that would fit were left before, and are blocked; with `until`. */
  | 'blockedPredecessor'
  /** The successor is not healthy yet. */
  | 'waitingForSuccessor'
  /** A RebalancePlan keeps the old copy until the new ones are ready. */
  | 'keptByPlan'
  /** The copy is kept until somebody releases it. */
  | 'keptByHand'
  /** The binding is being deleted. */
  | 'beingDeleted'

/** One reason, for one cluster or for all. */
export interface Blocker {
  reason: BlockerReason
  cluster?: string
  /** For people: what is the case, and what would change it. */
  sentence: string
  /** When it is over by itself; Infinity and absent: not by itself. */
  until?: EpochMs
}
