/** Interface of capacity estimators. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { SummaryCapacity } from './capacity'
import { type EstimateOptions, compileEstimate } from './estimate-replicas'

/** A cluster with its parsed summary, so that estimates for many bindings parse it once. */
export interface EstimatedCluster {
  cluster: Cluster
  capacity: SummaryCapacity | undefined
}

/** Called by the scheduler for every feasible cluster. */
export interface Estimator {
  name: string
  /**
   * Reads a binding once; the returned function gives the number of additional replicas for a cluster, undefined if
   * unknown.
   */
  compile(spec: BindingSpec): (cluster: EstimatedCluster) => number | undefined
}

/** The estimate that means "unknown". */
const noOpinion = -1

/** Estimates from reported resources: by resource models if the cluster has them, otherwise by its resource summary. */
export function generalEstimator(options: EstimateOptions = {}): Estimator {
  return {
    name: 'general-estimator',
    compile: ({ replicaRequirements }) => {
      const estimate = compileEstimate(replicaRequirements, options)
      return ({ cluster, capacity }) => {
        const { amount } = estimate(cluster, capacity)
        return amount === noOpinion ? undefined : amount
      }
    },
  }
}
