/** What a cluster had and what its pods requested, over time: read from the journal and from the present. */
import type { Amount, JournalEntry } from '@/lib/view/journal'
import type { ClusterView } from '@/lib/view/model'

export type Resource = 'cpu' | 'memory' | 'pods'
export const RESOURCES: readonly Resource[] = ['cpu', 'memory', 'pods']

export interface LoadPoint extends Amount {
  /** Milliseconds since the epoch; the amounts hold until the next point. */
  at: number
}

/** The points from `from` to `to`, oldest first; the last one is the present, and none before the first record is made up. */
export function loadSeries(
  entries: readonly JournalEntry[],
  cluster: ClusterView,
  { resource, from, to }: { resource: Resource; from: number; to: number },
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

export interface LoadPaths {
  /** The line of what is requested, the area below it, and the line of the capacity. */
  line: string
  area: string
  capacity: string
  most: number
}

/** The series as steps in a box. */
export function loadPaths(points: readonly LoadPoint[], width: number, height: number): LoadPaths | undefined {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return undefined
  const most = Math.max(1, ...points.flatMap(({ allocatable, allocated }) => [allocatable, allocated]))
  const span = Math.max(1, last.at - first.at)
  const x = (at: number): string => round(((at - first.at) / span) * width)
  const y = (amount: number): string => round(height - (amount / most) * (height - 2))
  const steps = (amountOf: (point: LoadPoint) => number): string =>
    points
      .map(
        (point, index) =>
          `${index === 0 ? 'M' : `H${x(point.at)}V`}${index === 0 ? `${x(point.at)} ` : ''}${y(amountOf(point))}`,
      )
      .join('')
  const line = steps(({ allocated }) => allocated)
  return { line, area: `${line}V${height}H0Z`, capacity: steps(({ allocatable }) => allocatable), most }
}

const round = (value: number): string => String(Math.round(value * 10) / 10)
