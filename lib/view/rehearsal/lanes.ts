/** The rows of the picture of a rehearsal: one for each cluster in which something changes. */
import type { LaneCounts } from '../incident/state'
import { Steps } from '../incident/steps'
import type { RehearsalResultView } from '../rehearsal-model'

type Course = RehearsalResultView['course'][number]

export interface RehearsalLane {
  cluster: string
  steps: Steps<LaneCounts>
  /** Replicas that serve at the beginning, at the lowest point, and at the end. */
  first: number
  lowest: { ready: number; atMs: number }
  last: number
  /** How long it did not answer. */
  awayMs: number
  changes: boolean
}

/** A cluster that does not answer serves nobody: its replicas are lost. */
const countsOf = ({ up, ready, placed }: Course['points'][number]): LaneCounts =>
  up ? { ready, starting: Math.max(0, placed - ready), lost: 0 } : { ready: 0, starting: 0, lost: placed }

/** Those that change first, by how much they lose or gain, then the others by name. */
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
  // A step at 0 s adds a second point at that time: the first one is from before it.
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
