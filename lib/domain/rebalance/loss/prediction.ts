/** Predictions for workloads whose clusters were lost, and their comparison with the outcome. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { fnv1a32 } from '@/lib/std/fnv'
import { type Binding, isSchedulingSuspended } from '../../placement'
import { predictionError } from '../compare'
import { isSameDistribution } from '../distribution'
import { fateOf } from './fate'
import type { Fate } from './loss'
import type { PredictionResult } from './results'
import type { Forecast } from './simulation'

export interface LossPrediction {
  /** Clusters that are lost. */
  lost: string[]
  fate: Fate
  before: TargetCluster[]
  /** Predicted final placement. */
  predicted: TargetCluster[]
  /** From the prediction to its eviction; absent when it is not evicted. */
  evictedAfterMs?: number
  /** A digest of the replicas and of the placement that it holds for. */
  basis: string
}

export interface PredictionCheck {
  result: PredictionResult
  /** Absent where the prediction is not judged. `error`: replicas in another cluster than predicted. */
  actual?: { fate: Fate; clusters: TargetCluster[]; error: number }
}

export interface PredictionCheckFacts {
  /** As it is now; undefined when it was deleted. */
  binding: Binding | undefined
  /** Since the prediction. */
  elapsedMs: number
  /** The cluster is ready again. */
  isOver: boolean
}

/** From the failure to the taint at most: an eviction that late may not have been due. */
const DETECTION_MS = 60_000

export function predictionOf(
  { binding, fate, clusters, evictedAfterMs }: Forecast,
  lost: readonly string[],
): LossPrediction {
  return {
    lost: [...lost],
    fate,
    before: (binding.spec.clusters ?? []).map(plain),
    predicted: clusters.map(plain),
    ...(evictedAfterMs !== undefined && { evictedAfterMs }),
    basis: basisOf(binding),
  }
}

/** What became of the workload; undefined while that is open. */
export function checkPrediction(
  prediction: LossPrediction,
  { binding, elapsedMs, isOver }: PredictionCheckFacts,
): PredictionCheck | undefined {
  if (!binding) return { result: 'deleted' }
  if (basisOf(binding) !== prediction.basis) return { result: 'changed' }
  const remains = prediction.before.some(
    ({ name }) => prediction.lost.includes(name) && binding.spec.clusters?.some((one) => one.name === name),
  )
  if (!remains) return isAnswered(binding) ? judge(prediction, binding) : undefined
  if (!isOver) return undefined
  const { evictedAfterMs } = prediction
  const wasDue = evictedAfterMs === undefined || evictedAfterMs + DETECTION_MS <= elapsedMs
  return wasDue ? judge(prediction, binding) : { result: 'notEvicted' }
}

function judge(prediction: LossPrediction, { spec, ...binding }: Binding): PredictionCheck {
  const lost = new Set(prediction.lost)
  const clusters = (spec.clusters ?? []).map(plain)
  const endedIn = (places: readonly TargetCluster[]) =>
    fateOf({ ...binding, spec: { ...spec, clusters: prediction.before } }, lost, places)
  const { fate, missing } = endedIn(clusters)
  if (isSameDistribution(prediction.predicted, clusters))
    return { result: 'exact', actual: { fate, clusters, error: 0 } }
  // An object without replicas has no replica elsewhere, but runs elsewhere.
  const actual = { fate, clusters, error: Math.max(1, predictionError(prediction.predicted, clusters)) }
  const by = missing - endedIn(prediction.predicted).missing
  return { result: by > 0 ? 'worse' : by < 0 ? 'better' : 'elsewhere', actual }
}

/** Reports whether the scheduler has processed the binding, or is suspended for it. */
const isAnswered = ({ metadata, spec, status }: Binding): boolean =>
  status?.schedulerObservedGeneration === metadata.generation || isSchedulingSuspended(spec)

const basisOf = ({ spec: { replicas = 0, placement = {} } }: Binding): string =>
  fnv1a32(JSON.stringify([replicas, placement])).toString(16)

const plain = ({ name, replicas }: TargetCluster): TargetCluster => ({
  name,
  ...(replicas !== undefined && { replicas }),
})
