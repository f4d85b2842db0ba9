/** Interface of capacity estimators. */
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { AssumedIn } from './assumed'
import type { SummaryCapacity } from './capacity'
import { compileEstimate } from './estimate-replicas'
import { estimateSets } from './estimate-sets'

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
   * unknown. With `wholeSets` it counts complete sets of the components.
   */
  compile(spec: BindingSpec, options?: Demand): (cluster: EstimatedCluster) => number | undefined
}

/** What is counted. */
export interface Demand {
  wholeSets: boolean
}

export interface EstimatorOptions {
  /** Use resource models where a cluster has them. Default true. */
  resourceModels?: boolean
  /** Scheduled workloads that clusters do not report yet. Default none. */
  assumedIn?: AssumedIn
}

/** The estimate that means "unknown". */
const noOpinion = -1

/** Estimates from reported resources: by resource models if the cluster has them, otherwise by its resource summary. */
export function generalEstimator({ resourceModels = true, assumedIn }: EstimatorOptions = {}): Estimator {
  return {
    name: 'general-estimator',
    compile: ({ replicaRequirements, components = [] }, { wholeSets } = { wholeSets: false }) => {
      if (wholeSets) {
        return ({ cluster }) => {
          const assumed = assumedIn?.(cluster.metadata.name) ?? []
          return opinion(estimateSets(cluster, components, { resourceModels, assumed }).amount)
        }
      }
      const estimate = compileEstimate(replicaRequirements, { resourceModels })
      return ({ cluster, capacity }) => opinion(estimate(cluster, capacity, assumedIn?.(cluster.metadata.name)).amount)
    },
  }
}

const opinion = (amount: number): number | undefined => (amount === noOpinion ? undefined : amount)
