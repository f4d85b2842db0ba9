/** What holds where a policy, a binding or a task names no value; the numbers of upstream's definitions, in seconds. */
export const FAILOVER_DEFAULTS = {
  /** `decisionConditions.tolerationSeconds`: a failure lasts so long before the workload is evicted. */
  tolerationSeconds: 300,
  /** `gracePeriodSeconds` of policies and eviction tasks; `--graceful-eviction-timeout` of the eviction loop. */
  gracePeriodSeconds: 600,
  /** `blockPredecessorSeconds`: a cluster that was left is excluded for so long. */
  blockPredecessorSeconds: 600,
} as const
