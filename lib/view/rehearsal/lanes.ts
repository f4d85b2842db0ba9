/** Rows of a rehearsal's chart: one per cluster with changes. */
import type { LaneCounts } from '../incident/state'
import { Steps } from '../incident/steps'
import type { RehearsalResultView } from '../rehearsal-model'

type Course = RehearsalResultView['course'][number]

export interface RehearsalLane {
  cluster: string
  steps: Steps<LaneCounts>
  /** Ready replicas at the start, at the minimum, and at the end. */
  first: number
  lowest: { ready: number; atMs: number }
  last: number
  /** How long the cluster did not respond. */
  awayMs: number
  changes: boolean
}

/** Replicas of a cluster that does not respond count as lost. */
const countsOf = ({ up, ready, placed }: Course['points'][number]): LaneCounts =>
  up ? { ready, starting: Math.max(0, placed - ready), lost: 0 } : { ready: 0, starting: 0, lost: placed }

/** Clusters with changes first, sorted by the size of their loss or gain, then the others by name. */
export function rehearsalLanes(course: readonly Course[], durationMs: number): RehearsalLane[] {
  return course
    .map((one) => laneOf(one, durationMs))
    .toSorted((a, b) => weightOf(b) - weightOf(a) || (a.cluster < b.cluster ? -1 : 1))
}

function laneOf({ cluster, points }: Course, durationMs: number): RehearsalLane {
  const steps = new Steps<LaneCounts>()
  let lowest = { ready: Infinity, atMs: 0 }
  let awayMs = 0
  for (const [index, point] of points.entries()) {
    const counts = countsOf(point)
    steps.push(point.atMs, counts)
    if (counts.ready < lowest.ready) lowest = { ready: counts.ready, atMs: point.atMs }
    if (!point.up) awayMs += (points[index + 1]?.atMs ?? durationMs) - point.atMs
  }
  // A step at 0 s adds a second point at that time; the first one is the state before it.
  const [first, last] = [points[0] ? countsOf(points[0]).ready : 0, steps.last()?.ready ?? 0]
  return {
    cluster,
    steps,
    first,
    lowest: lowest.ready === Infinity ? { ready: 0, atMs: 0 } : lowest,
    last,
    awayMs,
    changes: points.length > 1,
  }
}

const weightOf = ({ changes, awayMs, first, lowest, last }: RehearsalLane): number =>
  (changes ? 1 : 0) + (awayMs > 0 ? 1_000_000 : 0) + Math.max(first - lowest.ready, Math.abs(last - first))
