/** Where our application failover departs from upstream on purpose, each switchable. */

export interface FailoverProfile {
  /** A toleration of 0 s acts in the pass that sees the failure. Upstream only notes it, and acts at the next change, whenever that is. */
  zeroActsAtOnce: boolean
  /**
   * The toleration ends at its end, to the millisecond. Upstream rounds what is left up to seconds, and a look at the very
   * end decides nothing and is never repeated.
   */
  exactDeadlines: boolean
  /** Failures reported from where the workload is not scheduled are nobody's. Upstream looks at them again for ever. */
  onlyWhereScheduled: boolean
  /** While scheduling is paused nothing is evicted: nobody would place it anew. Upstream evicts. */
  heedPause: boolean
  /** Nothing that is purged directly is evicted while nobody could take it. Upstream deletes the last copies. */
  keepWithoutSuccessor: boolean
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
  history: false,
}

/** What we do. */
export const defaultFailoverProfile: FailoverProfile = {
  zeroActsAtOnce: true, exactDeadlines: true, onlyWhereScheduled: true, heedPause: true, keepWithoutSuccessor: true,
  history: true,
}
