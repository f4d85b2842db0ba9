/** What was seen of a fleet during a rehearsal, as steps of time: a point holds until the next one. */

export interface WorkloadId {
  kind: string
  namespace: string
  name: string
}

export interface WorkloadPoint {
  atMs: number
  /** Replicas that it should have. */
  desired: number
  /** Pods that serve, counted in the members themselves: neither a lost cluster nor one that lies counts for more. */
  ready: number
  /** Clusters that hold it, those that it leaves included. */
  clusters: number
}

/** A PodDisruptionBudget that selects pods of the workload: as in its spec. */
export interface Budget {
  name: string
  minAvailable?: number | string | undefined
  maxUnavailable?: number | string | undefined
}

export interface WorkloadRecord {
  workload: WorkloadId
  budgets: readonly Budget[]
  /** By time, the first at 0 or when the workload came. */
  points: readonly WorkloadPoint[]
}

export interface ClusterPoint {
  atMs: number
  /** False while it does not answer; what it reported before says nothing then. */
  up: boolean
  /** Shares of what is allocatable. */
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

/** A time in which something held without a break. */
export interface Span<P> {
  fromMs: number
  toMs: number
  /** It still held at the end of the rehearsal. */
  isOpen: boolean
  points: readonly P[]
}

/** The spans in which `holds` is true. */
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
