/** Compares two previews, and a preview with its result. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { type Message, message } from '@/lib/messages/message'
import { clustersInWords, isSameDistribution, replicasMoved, shiftsBetween } from './distribution'
import { type WorkloadRef, workloadKey } from './sync-status'

/** One line of a preview, as a RebalancePlan also stores it. */
export interface PreviewLine {
  workload: WorkloadRef
  before?: readonly TargetCluster[] | undefined
  predicted?: readonly TargetCluster[] | undefined
}

/**
 * Returns which workloads were added or removed, run elsewhere now, or would be placed elsewhere. Empty if the previews
 * are equal.
 */
export function differencesBetween(approved: readonly PreviewLine[], now: readonly PreviewLine[]): Message[] {
  const before = new Map(approved.map((line) => [workloadKey(line.workload), line]))
  const after = new Map(now.map((line) => [workloadKey(line.workload), line]))
  const gone = approved
    .filter(({ workload }) => !after.has(workloadKey(workload)))
    .map(({ workload }) => message('rebalance.difference.removed', { workload: nameOf(workload) }))
  return [...gone, ...now.flatMap((line) => differenceOf(before.get(workloadKey(line.workload)), line))]
}

function differenceOf(old: PreviewLine | undefined, line: PreviewLine): Message[] {
  const workload = nameOf(line.workload)
  const [now, planned] = [clustersInWords(line.before), clustersInWords(line.predicted)]
  if (!old) return [message('rebalance.difference.added', { workload, before: now, after: planned })]
  const isSame = (part: 'before' | 'predicted'): boolean => isSameDistribution(old[part] ?? [], line[part] ?? [])
  return [
    ...(isSame('before')
      ? []
      : [message('rebalance.difference.before', { workload, now, was: clustersInWords(old.before) })]),
    ...(isSame('predicted')
      ? []
      : [message('rebalance.difference.after', { workload, now: planned, was: clustersInWords(old.predicted) })]),
  ]
}

/** Returns `Deployment shop/web`. */
export function nameOf({ kind, namespace, name }: WorkloadRef): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`
}

/** Returns the replicas that run in another cluster than predicted. */
export function predictionError(predicted: readonly TargetCluster[], actual: readonly TargetCluster[]): number {
  const shifts = shiftsBetween(predicted, actual)
  const lacking = shifts.reduce((sum, { by }) => sum + Math.max(0, -by), 0)
  return Math.max(replicasMoved(shifts), lacking)
}

/** Accuracy of a prediction, in workloads. */
export interface Accuracy {
  /** Workloads whose result matches the preview. */
  exact: number
  missed: number
  /** Those of the missed that the preview marked as uncertain. Absent: none was marked. */
  announced?: number
  /** Replicas of the missed workloads that run in another cluster than predicted. */
  misplaced: number
}

interface Compared {
  predictionError?: number | undefined
  /** The prediction was marked as uncertain. */
  uncertain?: unknown
}

/** Counts only workloads whose result is known. */
export function accuracyOf(workloads: readonly Compared[]): Accuracy {
  const known = workloads.filter(({ predictionError }) => predictionError !== undefined)
  const missed = known.filter(({ predictionError = 0 }) => predictionError > 0)
  const announced = missed.filter(({ uncertain }) => Boolean(uncertain)).length
  return {
    exact: known.length - missed.length,
    missed: missed.length,
    ...(announced > 0 && { announced }),
    misplaced: missed.reduce((sum, { predictionError = 0 }) => sum + predictionError, 0),
  }
}

export interface ClusterPrediction {
  name: string
  /** Predicted and actual change of replicas. */
  predicted: number
  actual: number
}

/** Returns the predicted and actual change of replicas by cluster, over all workloads that moved. */
export function comparePredictions(
  lines: readonly (PreviewLine & { actual?: readonly TargetCluster[] | undefined })[],
): { error: number; clusters: ClusterPrediction[] } {
  const clusters = new Map<string, ClusterPrediction>()
  const add = (name: string, field: 'predicted' | 'actual', by: number): void => {
    const line = clusters.get(name) ?? { name, predicted: 0, actual: 0 }
    clusters.set(name, { ...line, [field]: line[field] + by })
  }
  let error = 0
  for (const { before = [], predicted = [], actual } of lines) {
    if (!actual) continue
    error += predictionError(predicted, actual)
    for (const { cluster, by } of shiftsBetween(before, predicted)) add(cluster, 'predicted', by)
    for (const { cluster, by } of shiftsBetween(before, actual)) add(cluster, 'actual', by)
  }
  return { error, clusters: [...clusters.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) }
}
