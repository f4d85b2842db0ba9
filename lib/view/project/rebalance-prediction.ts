/** Compares the results of a rebalance with its preview, and with what was expected by the latest reports. */
import { predictionError } from '@/lib/domain/rebalance'
import { sameStructure } from '@/lib/std/share-structure'
import type { ReplicasInCluster } from '../model'
import type { RebalancerView, RebalanceTargetView } from '../rebalance-model'

/** Returns undefined before a target with a preview has a result. */
export function predictionOf(targets: readonly RebalanceTargetView[]): RebalancerView['prediction'] {
  const known = targets.flatMap((target) => errorsOf(target) ?? [])
  if (known.length === 0) return undefined
  const missed = known.filter(({ misplaced }) => misplaced > 0)
  const announced = missed.filter(({ uncertain }) => uncertain).length
  return {
    exact: known.length - missed.length,
    announced,
    missed: missed.length,
    misplaced: missed.reduce((sum, { misplaced }) => sum + misplaced, 0),
    asExpected: known.filter(({ isAsExpected }) => isAsExpected).length,
  }
}

interface Errors {
  /** Replicas elsewhere than in the preview. */
  misplaced: number
  isAsExpected: boolean
  uncertain: boolean
}

/** Returns undefined for a target without a preview or without a result. */
function errorsOf({ predicted, after, expected, uncertain }: RebalanceTargetView): Errors | undefined {
  if (!predicted || !after) return undefined
  const misplaced = errorOf(predicted, after)
  return {
    misplaced,
    isAsExpected: (expected ? errorOf(expected, after) : misplaced) === 0,
    uncertain: uncertain === true,
  }
}

/** Most are placed as predicted: that is known without a sum for each cluster. */
const errorOf = (predicted: readonly ReplicasInCluster[], after: readonly ReplicasInCluster[]): number =>
  sameStructure(predicted, after) ? 0 : predictionError(targetsOf(predicted), targetsOf(after))

const targetsOf = (places: readonly ReplicasInCluster[]) =>
  places.map(({ cluster, replicas }) => ({ name: cluster, replicas }))
