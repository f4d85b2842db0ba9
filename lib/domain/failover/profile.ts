/** Where our application failover departs from upstream on purpose, each switchable. */
import { FAILOVER_DEFAULTS } from '../../kube/failover-defaults'

/** Whose default `tolerationSeconds` has where a policy names none: that of upstream's definitions, or of its proposal. */
export type FailoverDefaults = 'upstream' | 'proposal'

/** The toleration that is stored with a policy that names none, in seconds. */
export const DEFAULT_TOLERATION_SECONDS: Readonly<Record<FailoverDefaults, number>> = {
  upstream: FAILOVER_DEFAULTS.tolerationSeconds,
  proposal: 10,
}

export interface FailoverProfile {
  /** A toleration of 0 s acts in the pass that sees the failure. Upstream only notes it, and acts at the next change, whenever that is. */
  zeroActsAtOnce: boolean
  /**
   * The toleration ends at its end, to the millisecond. Upstream rounds what is left up to seconds, and a look at the very
   * end decides nothing and is never repeated.
   */
  exactDeadlines: boolean
  /** Failures reported by clusters that the workload is not scheduled to are ignored. Upstream checks them forever. */
  onlyWhereScheduled: boolean
  /** While scheduling is suspended nothing is evicted: it would not be placed again. Upstream evicts. */
  heedPause: boolean
  /** Nothing that is purged directly is evicted while no cluster could take it. Upstream deletes the last replicas. */
  keepWithoutSuccessor: boolean
  /** State that the status does not have is left out, with an event. Upstream does not evict until it is there. */
  skipMissingState: boolean
  /** A task has its time from the eviction on. Upstream leaves it to the eviction loop, so the grace begins when that loop sees it. */
  datedTasks: boolean
  /** Keep the clusters that were left out for `blockPredecessorSeconds`, and heed `preConditions`. Upstream has neither. */
  history: boolean
}

/** What upstream does, deviation by deviation. */
export const upstreamFailoverProfile: FailoverProfile = {
  zeroActsAtOnce: false,
  exactDeadlines: false,
  onlyWhereScheduled: false,
  heedPause: false,
  keepWithoutSuccessor: false,
  skipMissingState: false,
  datedTasks: false,
  history: false,
}

/** What we do. */
export const defaultFailoverProfile: FailoverProfile = {
  zeroActsAtOnce: true,
  exactDeadlines: true,
  onlyWhereScheduled: true,
  heedPause: true,
  keepWithoutSuccessor: true,
  skipMissingState: true,
  datedTasks: true,
  history: true,
}
