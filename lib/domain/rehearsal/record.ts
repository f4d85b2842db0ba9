/** Observations of a fleet during a rehearsal, as step functions: a point is valid until the next one. */

export interface WorkloadId {
  kind: string
  namespace: string
  name: string
}

export interface WorkloadPoint {
  atMs: number
  /** Desired replicas. */
  desired: number
  /** Ready pods, counted in the members themselves, so that lost clusters and wrong reports do not matter. */
  ready: number
  /** Clusters that have the workload, including those that it is being evicted from. */
  clusters: number
}

/** A PodDisruptionBudget that selects pods of the workload; fields as in its spec. */
export interface Budget {
  name: string
  minAvailable?: number | string | undefined
  maxUnavailable?: number | string | undefined
}

export interface WorkloadRecord {
  workload: WorkloadId
  budgets: readonly Budget[]
  /** Sorted by time, the first at 0 or at the creation of the workload. */
  points: readonly WorkloadPoint[]
}

export interface ClusterPoint {
  atMs: number
  /** False while it does not answer; earlier reports are not valid then. */
  up: boolean
  /** Shares of the allocatable amount. */
  cpu: number
  memory: number
}

export interface ClusterRecord {
  cluster: string
  points: readonly ClusterPoint[]
}

export interface RehearsalRecord {
  durationMs: number
  workloads: readonly WorkloadRecord[]
  clusters: readonly ClusterRecord[]
}

/** An uninterrupted interval in which a condition was true. */
export interface Span<P> {
  fromMs: number
  toMs: number
  /** The condition was still true at the end of the rehearsal. */
  isOpen: boolean
  points: readonly P[]
}

/** Returns the spans in which `holds` is true. */
export function spansWhere<P extends { atMs: number }>(
  points: readonly P[],
  durationMs: number,
  holds: (point: P) => boolean,
): Span<P>[] {
  const spans: Span<P>[] = []
  let held: P[] = []
  const within = points.filter(({ atMs }) => atMs <= durationMs)
  for (const [index, point] of within.entries()) {
    if (!holds(point)) continue
    held.push(point)
    const next = within[index + 1]
    if (next && holds(next)) continue
    spans.push({ fromMs: held[0]!.atMs, toMs: next?.atMs ?? durationMs, isOpen: !next, points: held })
    held = []
  }
  return spans
}
