/** What a cluster had and what its pods requested, over time: read from the journal and from the present. */
import type { Amount, JournalEntry } from '@/lib/view/journal'
import type { ClusterView } from '@/lib/view/model'

export type Resource = 'cpu' | 'memory' | 'pods'
export const RESOURCES: readonly Resource[] = ['cpu', 'memory', 'pods']

export interface LoadPoint extends Amount {
  /** Milliseconds since the epoch; the amounts hold until the next point. */
  at: number
}

export interface Range {
  from: number
  to: number
}

/** The points from `from` to `to`, oldest first; the last one is the present, and none before the first record is made up. */
export function loadSeries(
  entries: readonly JournalEntry[],
  cluster: ClusterView,
  { resource, from, to }: { resource: Resource } & Range,
): LoadPoint[] {
  const points: LoadPoint[] = []
  for (const entry of entries) {
    if (entry.what !== 'load' || entry.cluster !== cluster.name) continue
    const at = Date.parse(entry.at)
    const [before, after] = [entry.before?.[resource], entry.after?.[resource]]
    if (points.length === 0 && before && at > from) points.push({ at: from, ...before })
    if (after) points.push({ at: Math.max(from, at), ...after })
  }
  const present = cluster[resource]
  if (!present) return points
  const { allocatable, allocated } = present
  if (points.length === 0) points.push({ at: from, allocatable, allocated })
  return [...points, { at: to, allocatable, allocated }]
}

/** The points of a later part: what held when it began comes first. */
export function seriesSince(points: readonly LoadPoint[], from: number): LoadPoint[] {
  const first = points.findLastIndex(({ at }) => at <= from)
  return first < 0 ? [...points] : [{ ...points[first]!, at: from }, ...points.slice(first + 1)]
}

export interface LoadPaths {
  /** The line of what is requested, the area below it, and the line of the capacity. */
  line: string
  area: string
  capacity: string
  /** Where a time and an amount are. */
  x: (at: number) => number
  y: (amount: number) => number
}

interface Box {
  width: number
  height: number
}

/** The series as steps in a box that shows the times of `axis`. */
export function loadPaths(points: readonly LoadPoint[], axis: Range, { width, height }: Box): LoadPaths | undefined {
  const [first] = points
  if (!first) return undefined
  const most = Math.max(1, ...points.flatMap(({ allocatable, allocated }) => [allocatable, allocated]))
  const span = Math.max(1, axis.to - axis.from)
  const x = (at: number): number => round(((at - axis.from) / span) * width)
  const y = (amount: number): number => round(height - (amount / most) * (height - 2))
  const steps = (amountOf: (point: LoadPoint) => number): string =>
    points
      .map((point, index) =>
        index === 0 ? `M${x(point.at)} ${y(amountOf(point))}` : `H${x(point.at)}V${y(amountOf(point))}`,
      )
      .join('')
  const line = steps(({ allocated }) => allocated)
  return { line, area: `${line}V${height}H${x(first.at)}Z`, capacity: steps(({ allocatable }) => allocatable), x, y }
}

const round = (value: number): number => Math.round(value * 10) / 10
