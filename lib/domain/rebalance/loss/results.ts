/** How a prediction came out. */

/**
 * `exact`: the workload is where it was predicted to be. `elsewhere`: in other clusters, without another loss of replicas.
 * `better`, `worse`: fewer, or more, of its replicas are without a place. The others say nothing about the prediction: its
 * replicas or its placement were changed meanwhile, it was deleted, or the cluster was ready again before the eviction.
 */
export const RESULTS = ['exact', 'elsewhere', 'better', 'worse', 'changed', 'deleted', 'notEvicted'] as const
export type PredictionResult = (typeof RESULTS)[number]

export const isJudged = (result: PredictionResult): boolean =>
  result === 'exact' || result === 'elsewhere' || result === 'better' || result === 'worse'
