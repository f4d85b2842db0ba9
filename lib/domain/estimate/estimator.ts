/** Who knows the capacity of clusters. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type EstimateOptions, compileEstimate } from './estimate-replicas'

/** Asked by the scheduler about every feasible cluster. */
export interface Estimator {
  name: string
  /** Reads a binding once; the result says how many more replicas a cluster could take, undefined: no opinion. */
  compile(spec: BindingSpec): (cluster: Cluster) => number | undefined
}

/** The estimate that stands for "cannot tell". */
const noOpinion = -1

/** Judges by what clusters report: resource models where they have them, else their resource summary. */
export function generalEstimator(options: EstimateOptions = {}): Estimator {
  return {
    name: 'general-estimator',
    compile: ({ replicaRequirements }) => {
      const estimate = compileEstimate(replicaRequirements, options)
      return (cluster) => {
        const { amount } = estimate(cluster)
        return amount === noOpinion ? undefined : amount
      }
    },
  }
}
