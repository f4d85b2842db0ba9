/** Two previews, and what was foreseen against what came. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { replicasMoved, shiftsBetween } from './distribution'
import { type WorkloadRef, workloadKey } from './sync-status'

/** One line of a preview, as a plan object keeps it too. */
export interface PreviewLine {
  workload: WorkloadRef
  before?: readonly TargetCluster[] | undefined
  predicted?: readonly TargetCluster[] | undefined
}

/** In sentences: which workloads came, went, run elsewhere by now, or would end elsewhere. Empty: the same. */
export function differencesBetween(approved: readonly PreviewLine[], now: readonly PreviewLine[]): string[] {
  const before = new Map(approved.map((line) => [workloadKey(line.workload), line]))
  const after = new Map(now.map((line) => [workloadKey(line.workload), line]))
  const gone = approved.filter(({ workload }) => !after.has(workloadKey(workload)))
    .map(({ workload }) => `${nameOf(workload)} is not selected any more`)
  return [...gone, ...now.flatMap((line) => differenceOf(before.get(workloadKey(line.workload)), line))]
}

function differenceOf(old: PreviewLine | undefined, line: PreviewLine): string[] {
  const name = nameOf(line.workload)
  if (!old) return [`${name} is new: ${describe(line.before)} → ${describe(line.predicted)}`]
  const changes: string[] = []
  if (describe(old.before) !== describe(line.before))
    changes.push(`${name} runs ${describe(line.before)}, not ${describe(old.before)}`)
  if (describe(old.predicted) !== describe(line.predicted)) {
    changes.push(`${name} would end as ${describe(line.predicted)}, not ${describe(old.predicted)}`)
  }
  return changes
}

/** `a:3 b:2`, or `nowhere`. */
export function describe(clusters: readonly TargetCluster[] = []): string {
  if (clusters.length === 0) return 'nowhere'
  return [...clusters]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, replicas = 0 }) => `${name}:${replicas}`)
    .join(' ')
}

/** `Deployment shop/web`. */
export function nameOf({ kind, namespace, name }: WorkloadRef): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`
}

/** Replicas that are elsewhere than foreseen. */
export function predictionError(predicted: readonly TargetCluster[], actual: readonly TargetCluster[]): number {
  const shifts = shiftsBetween(predicted, actual)
  const lacking = shifts.reduce((sum, { by }) => sum + Math.max(0, -by), 0)
  return Math.max(replicasMoved(shifts), lacking)
}

export interface ClusterPrediction {
  name: string
  /** Change of replicas that was foreseen, and that came. */
  predicted: number
  actual: number
}

/** Foreseen and actual change of replicas by cluster, over all workloads that ran. */
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
