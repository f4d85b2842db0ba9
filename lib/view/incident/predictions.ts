/** Predictions for the workloads of an incident, and their results. */
import { isJudged } from '@/lib/domain/rebalance/loss/results'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { JournalEntry, PredictionFact } from '../journal'
import type { ReplicasInCluster } from '../model'

/** `open`: not known yet. */
export type PredictionResult = NonNullable<PredictionFact['result']> | 'open'

export interface PredictedWorkload {
  workload: string
  result: PredictionResult
  predicted: ReplicasInCluster[]
  /** Absent where the prediction is not judged. */
  actual?: ReplicasInCluster[]
}

export interface IncidentPredictions {
  /** Differences first. */
  workloads: readonly PredictedWorkload[]
  exact: number
  judged: number
  open: number
}

/** The most relevant ones come first. */
const ORDER: readonly PredictionResult[] = [
  'worse',
  'elsewhere',
  'better',
  'open',
  'changed',
  'deleted',
  'notEvicted',
  'exact',
]

/** The latest word about each workload counts. */
export function predictionsOf(entries: readonly JournalEntry[]): IncidentPredictions {
  const latest = new Map<string, PredictionFact>()
  for (const entry of entries) if (entry.what === 'prediction' && entry.after) latest.set(entry.workload, entry.after)
  const workloads = [...latest].map(([workload, { result, predicted, actual }]): PredictedWorkload => ({
    workload,
    result: result ?? 'open',
    predicted: predicted.map(placeOf),
    ...(actual && { actual: actual.clusters.map(placeOf) }),
  }))
  const count = (counts: (result: PredictionResult) => boolean): number =>
    workloads.filter(({ result }) => counts(result)).length
  return {
    workloads: workloads.sort(
      (a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result) || (a.workload < b.workload ? -1 : 1),
    ),
    exact: count((result) => result === 'exact'),
    judged: count((result) => result !== 'open' && isJudged(result)),
    open: count((result) => result === 'open'),
  }
}

const placeOf = ({ name: cluster, replicas = 0 }: TargetCluster): ReplicasInCluster => ({ cluster, replicas })
