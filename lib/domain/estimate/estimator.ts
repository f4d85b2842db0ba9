/** Who knows the capacity of clusters. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { SummaryCapacity } from './capacity'
import { type EstimateOptions, compileEstimate } from './estimate-replicas'

/** A cluster with its calculated summary, so that estimating it for many bindings calculates it once. */
export interface EstimatedCluster {
  cluster: Cluster
  capacity: SummaryCapacity | undefined
}

/** Asked by the scheduler about every feasible cluster. */
export interface Estimator {
  name: string
  /** Reads a binding once; the result says how many more replicas a cluster could take, undefined: no opinion. */
  compile(spec: BindingSpec): (cluster: EstimatedCluster) => number | undefined
}

/** The estimate that stands for "cannot tell". */
const noOpinion = -1

/** Judges by what clusters report: resource models where they have them, else their resource summary. */
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
