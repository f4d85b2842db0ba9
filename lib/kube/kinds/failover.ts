/** What happens to a workload when its cluster or the workload itself fails. */
import { FAILOVER_DEFAULTS } from '../failover-defaults'
import { CLUSTER_PURGE_MODE_NAMES, PURGE_MODE_NAMES } from '../purge-mode'
import { type Infer, array, int32, object, oneOf, string } from '../schema'

/** Which part of the failed workload's status is passed to its replacement, as a label. */
export const statePreservation = object(
  {
    rules: array(
      object({ aliasLabelName: string(), jsonPath: string() }, { required: ['aliasLabelName', 'jsonPath'] }),
    ),
  },
  { required: ['rules'] },
)

/**
 * When an unhealthy workload is moved although its cluster is healthy, and how the old replicas are removed.
 * Definitions of other control planes may lack `preConditions`, `healthyState` and `blockPredecessorSeconds`; an
 * annotation replaces them there.
 */
export const applicationFailover = object(
  {
    /** How long the cluster that was left is kept out, counted from the eviction; 0 is for ever. */
    blockPredecessorSeconds: int32({ default: FAILOVER_DEFAULTS.blockPredecessorSeconds }),
    decisionConditions: object({
      /** The states that count as failed; `Unhealthy` when absent. */
      healthyState: array(oneOf(['Unhealthy', 'Unknown'])),
      tolerationSeconds: int32({ default: FAILOVER_DEFAULTS.tolerationSeconds }),
    }),
    gracePeriodSeconds: int32(),
    /** Conditions before failures in a cluster count. */
    preConditions: object({
      /** Since the status was first collected. */
      delaySeconds: int32(),
      healthyState: oneOf(['Healthy']),
    }),
    purgeMode: oneOf(PURGE_MODE_NAMES, { default: 'Gracefully' }),
    statePreservation,
  },
  { required: ['decisionConditions'] },
)

/** How a workload leaves a cluster that failed. */
export const clusterFailover = object({
  purgeMode: oneOf(CLUSTER_PURGE_MODE_NAMES, { default: 'Gracefully' }),
  statePreservation,
})

/** `spec.failover` of policies and bindings. */
export const failoverBehavior = object({ application: applicationFailover, cluster: clusterFailover })

export type FailoverBehavior = Infer<typeof failoverBehavior>
