/** Compares the results of a rebalance with its preview, and with what was expected by the latest reports. */
import { predictionError } from '@/lib/domain/rebalance'
import type { ReplicasInCluster } from '../model'
import type { RebalancerView, RebalanceTargetView } from '../rebalance-model'

/** Returns undefined before a target with a preview has a result. */
export function predictionOf(targets: readonly RebalanceTargetView[]): RebalancerView['prediction'] {
  const known = targets.flatMap(({ predicted, after, expected, uncertain }) =>
    predicted && after ? [{ predicted, after, expected: expected ?? predicted, uncertain }] : [],
  )
  if (known.length === 0) return undefined
  const missed = known.filter(({ predicted, after }) => errorOf(predicted, after) > 0)
  const announced = missed.filter(({ uncertain }) => uncertain).length
  return {
    exact: known.length - missed.length,
    announced,
    missed: missed.length,
    misplaced: missed.reduce((sum, { predicted, after }) => sum + errorOf(predicted, after), 0),
    asExpected: known.filter(({ expected, after }) => errorOf(expected, after) === 0).length,
  }
}

const errorOf = (predicted: readonly ReplicasInCluster[], after: readonly ReplicasInCluster[]): number =>
  predictionError(targetsOf(predicted), targetsOf(after))

const targetsOf = (places: readonly ReplicasInCluster[]) =>
  places.map(({ cluster, replicas }) => ({ name: cluster, replicas }))
