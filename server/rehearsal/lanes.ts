/** Replicas in each cluster over time, for the picture of a rehearsal. The verdict does not read them. */
import { type ClusterCourse, type LanePoint, thinned } from '@/lib/domain/rehearsal/course'
import type { Places } from './facts'
import { addPoint } from './points'

/** Points of all clusters together, and of one. */
const MAX_POINTS = 20_000
const MAX_OF_CLUSTER = 600

interface Lane {
  now: LanePoint
  /** Since the rehearsal began. */
  points: LanePoint[]
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>()

  /** `atMs` is undefined before the rehearsal has begun. */
  constructor(private readonly atMs: () => number | undefined) {}

  ready(cluster: string, difference: 1 | -1): void {
    const { now } = this.#of(cluster)
    this.#note(cluster, { ready: now.ready + difference })
  }

  placed(before: Places, after: Places): void {
    for (const cluster of new Set([...before.keys(), ...after.keys()])) {
      const difference = (after.get(cluster) ?? 0) - (before.get(cluster) ?? 0)
      if (difference !== 0) this.#note(cluster, { placed: this.#of(cluster).now.placed + difference })
    }
  }

  up(cluster: string, up: boolean): void {
    this.#note(cluster, { up })
  }

  begin(): void {
    for (const [cluster, lane] of this.#lanes) {
      lane.points = []
      this.#note(cluster, {})
    }
  }

  list(durationMs: number): ClusterCourse[] {
    const most = Math.max(20, Math.min(MAX_OF_CLUSTER, Math.floor(MAX_POINTS / Math.max(1, this.#lanes.size))))
    return [...this.#lanes.keys()]
      .toSorted()
      .map((cluster) => ({ cluster, points: thinned(this.#lanes.get(cluster)!.points, { durationMs, most }) }))
  }

  #of(cluster: string): Lane {
    const known = this.#lanes.get(cluster)
    if (known) return known
    const lane = { now: { atMs: 0, up: true, ready: 0, placed: 0 }, points: [] }
    this.#lanes.set(cluster, lane)
    return lane
  }

  #note(cluster: string, change: Partial<LanePoint>): void {
    const lane = this.#of(cluster)
    const atMs = this.atMs()
    lane.now = { ...lane.now, ...change, atMs: atMs ?? 0 }
    if (atMs !== undefined) addPoint(lane.points, lane.now)
  }
}
