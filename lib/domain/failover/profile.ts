/** Deviations of application failover from upstream, each with a switch. */
import { FAILOVER_DEFAULTS } from '../../kube/failover-defaults'

/** Which default of `tolerationSeconds` applies: that of upstream's definitions, or of its proposal. */
export type FailoverDefaults = 'upstream' | 'proposal'

/** Default toleration for policies that set none, in seconds. */
export const DEFAULT_TOLERATION_SECONDS: Readonly<Record<FailoverDefaults, number>> = {
  upstream: FAILOVER_DEFAULTS.tolerationSeconds,
  proposal: 10,
}

export interface FailoverProfile {
  /**
   * A toleration of 0 s evicts in the reconcile that observes the failure. Upstream only records it and evicts at the
   * next change, whenever that is.
   */
  zeroActsAtOnce: boolean
  /**
   * The toleration ends to the millisecond. Upstream rounds the rest up to seconds, and a check exactly at the end
   * decides nothing and is never repeated.
   */
  exactDeadlines: boolean
  /** Ignore failures reported by clusters to which the workload is not scheduled. Upstream checks them forever. */
  onlyWhereScheduled: boolean
  /** Do not evict while scheduling is suspended, because the workload would not be scheduled again. Upstream evicts. */
  respectsSuspension: boolean
  /**
   * Do not evict with purge mode Directly while no cluster could take the workload. Upstream deletes the last replicas.
   */
  keepWithoutSuccessor: boolean
  /** Omit state that the status lacks, and record an event. Upstream does not evict until the state exists. */
  skipMissingState: boolean
  /**
   * Tasks get their creation time at the eviction. Upstream leaves it to the graceful eviction controller, so the grace
   * period starts when that controller observes the task.
   */
  datedTasks: boolean
  /** Exclude evicted clusters for `blockPredecessorSeconds`, and honor `preConditions`. Upstream has neither. */
  history: boolean
}

/** All deviations off, as upstream. */
export const upstreamFailoverProfile: FailoverProfile = {
  zeroActsAtOnce: false,
  exactDeadlines: false,
  onlyWhereScheduled: false,
  respectsSuspension: false,
  keepWithoutSuccessor: false,
  skipMissingState: false,
  datedTasks: false,
  history: false,
}

/** All deviations on: the default. */
export const defaultFailoverProfile: FailoverProfile = {
  zeroActsAtOnce: true,
  exactDeadlines: true,
  onlyWhereScheduled: true,
  respectsSuspension: true,
  keepWithoutSuccessor: true,
  skipMissingState: true,
  datedTasks: true,
  history: true,
}
