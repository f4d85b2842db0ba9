/** Summarizes a rehearsal over time: replicas in each cluster, and the worst outage. */
import { type ClusterPoint, type RehearsalRecord, spansWhere, type WorkloadId, type WorkloadPoint } from './record'

/** State of one cluster from this time on. */
export interface LanePoint {
  atMs: number
  /** False while it does not answer: its pods count as not ready. */
  up: boolean
  /** Ready pods in the cluster, whether or not it answers. */
  ready: number
  /** Replicas that the scheduler assigned to it. */
  placed: number
}

export interface ClusterCourse {
  cluster: string
  points: readonly LanePoint[]
}

/** Utilization of a cluster by requests: the larger share of CPU and memory while it answered. */
export interface ClusterLoad {
  cluster: string
  before: number
  highest: { share: number; resource: 'cpu' | 'memory'; atMs: number }
  /** Undefined while it does not answer. */
  after?: number
}

/** Clusters that never answered have no load. */
export function loadsOf({ clusters }: Pick<RehearsalRecord, 'clusters'>): ClusterLoad[] {
  return clusters.flatMap(({ cluster, points }) => {
    const answering = points.filter(({ up }) => up)
    const [first] = answering
    if (!first) return []
    const highest = answering.reduce((most, one) => (fullest(one).share > fullest(most).share ? one : most))
    const last = points.at(-1)
    return [
      {
        cluster,
        before: fullest(first).share,
        highest: { ...fullest(highest), atMs: highest.atMs },
        ...(last?.up && { after: fullest(last).share }),
      },
    ]
  })
}

function fullest({ cpu, memory }: ClusterPoint): { share: number; resource: 'cpu' | 'memory' } {
  return memory > cpu ? { share: memory, resource: 'memory' } : { share: cpu, resource: 'cpu' }
}

/**
 * Returns about `most` points at most: from each interval the one with the fewest ready replicas, so that no drop is
 * lost, and the last one.
 */
export function thinned<P extends { atMs: number; ready: number }>(
  points: readonly P[],
  { durationMs, most }: { durationMs: number; most: number },
): P[] {
  if (points.length <= most) return [...points]
  const stretch = Math.max(1, durationMs / Math.max(1, Math.floor((most - 1) / 2)))
  const kept: P[] = points.slice(0, 1)
  let [lowest, last]: [P | undefined, P | undefined] = [undefined, undefined]
  const keep = (): void => {
    if (lowest && lowest !== last) kept.push(lowest)
    if (last) kept.push(last)
    lowest = undefined
  }
  for (const point of points.slice(1)) {
    if (last && Math.floor(point.atMs / stretch) !== Math.floor(last.atMs / stretch)) keep()
    lowest = lowest === undefined || point.ready < lowest.ready ? point : lowest
    last = point
  }
  keep()
  return kept
}

/** The workload with the smallest share of ready replicas, and how long that lasted. */
export interface Outage {
  workload: WorkloadId
  ready: number
  desired: number
  atMs: number
  forMs: number
}

/**
 * Counts only after a workload was complete for the first time. Undefined if no workload had fewer replicas afterwards.
 */
export function worstOutage({ workloads, durationMs }: Pick<RehearsalRecord, 'workloads' | 'durationMs'>) {
  let worst: Outage | undefined
  for (const { workload, points } of workloads) {
    const outage = outageOf(points, durationMs)
    if (outage && (!worst || isWorse(outage, worst))) worst = { workload, ...outage }
  }
  return worst
}

type Lowest = Omit<Outage, 'workload'>

const shareOf = ({ ready, desired }: Pick<Lowest, 'ready' | 'desired'>): number => (desired > 0 ? ready / desired : 1)
const isWorse = (a: Lowest, b: Lowest): boolean =>
  shareOf(a) < shareOf(b) || (shareOf(a) === shareOf(b) && a.forMs > b.forMs)

function outageOf(points: readonly WorkloadPoint[], durationMs: number): Lowest | undefined {
  const first = points.findIndex(({ ready, desired }) => desired > 0 && ready >= desired)
  if (first < 0) return undefined
  const since = points.slice(first).filter(({ atMs }) => atMs <= durationMs)
  const lowest = Math.min(...since.map(shareOf))
  if (lowest >= 1) return undefined
  return spansWhere(since, durationMs, (point) => shareOf(point) <= lowest)
    .map(({ fromMs, toMs, points: [{ ready, desired } = { ready: 0, desired: 0 }] }) => ({
      ready,
      desired,
      atMs: fromMs,
      forMs: toMs - fromMs,
    }))
    .reduce((longest, one) => (one.forMs > longest.forMs ? one : longest))
}
