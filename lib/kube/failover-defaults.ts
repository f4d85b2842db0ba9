/** Defaults of policies, bindings and tasks, in seconds, as in Karmada's definitions. */
export const FAILOVER_DEFAULTS = {
  /** `decisionConditions.tolerationSeconds`: duration of a failure before the workload is evicted. */
  tolerationSeconds: 300,
  /** `gracePeriodSeconds` of policies and eviction tasks; `--graceful-eviction-timeout` of the eviction loop. */
  gracePeriodSeconds: 600,
  /** `blockPredecessorSeconds`: how long an evicted cluster is excluded. */
  blockPredecessorSeconds: 600,
} as const
