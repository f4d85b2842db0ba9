/** Layout of an incident: a time axis, and areas that change in steps. Pure, so that page and report draw the same. */
import type { EpochMs } from '@/lib/std/clock'
import type { Replay } from './replay'
import type { LaneCounts } from './state'
import { Steps } from './steps'

export interface Axis {
  from: EpochMs
  to: EpochMs
}

/** Minimum duration of the drawn span. */
const MIN_SPAN_MS = 10_000
/** Margins before and after, as shares of the span. */
const LEAD = 0.06
const TAIL = 0.04
/**
 * The predicted part takes at most this multiple of the recorded part's width, so that a long estimate does not squeeze
 * it.
 */
const MAX_PREDICTED = 1.5

/** Returns the drawn time: from shortly before the incident until the last change, now, or the predicted end. */
export function axisOf(replay: Replay, predictedEnd?: EpochMs): Axis {
  const { since } = replay
  const known = endOf(replay)
  const furthest = known + MAX_PREDICTED * Math.max(known - since, MIN_SPAN_MS)
  const end = Math.max(known, Math.min(predictedEnd ?? -Infinity, furthest))
  const span = Math.max(end - since, MIN_SPAN_MS)
  return { from: since - span * LEAD, to: since + span * (1 + TAIL) }
}

/** Returns the time of the last change; now, while changes are still possible. */
export function endOf(replay: Replay): EpochMs {
  const { since, endedAt, lastChange, now } = replay
  const changed = Math.max(lastChange, since)
  const ended = endedAt ?? (isSettled(replay) ? changed : now)
  // If the cluster recovered long after its workloads, the axis ends earlier, so that the recovery is not compressed.
  const isFar = ended - changed > 2 * Math.max(changed - since, MIN_SPAN_MS)
  return isFar && isSettled(replay) ? changed : Math.max(changed, ended)
}

/** Reports whether no workload is in progress. */
export function isSettled({ counts }: Replay): boolean {
  const last = counts.last()
  return last === undefined || (last.waiting === 0 && last.starting === 0)
}

const SECOND = 1000
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * SECOND,
)

/** Returns round times on the axis, at most `most`. */
export function ticksOf({ from, to }: Axis, most: number): EpochMs[] {
  const step =
    STEPS_MS.find((each) => (to - from) / each <= most) ?? Math.ceil((to - from) / most / 86_400_000) * 86_400_000
  const ticks: EpochMs[] = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at)
  return ticks
}

/** Returns the position of a time on the axis. */
export const placeOn =
  ({ from, to }: Axis, width: number) =>
  (at: EpochMs): number =>
    ((Math.min(Math.max(at, from), to) - from) / (to - from)) * width

/** The same, also for times beyond the axis: a line that ends there leaves the picture at its own slope. */
export const placeBeyond =
  ({ from, to }: Axis, width: number) =>
  (at: EpochMs): number =>
    ((at - from) / (to - from)) * width

export interface Area<T> {
  steps: Steps<T>
  /** Value before the first step. */
  before: T
  lower: (value: T) => number
  upper: (value: T) => number
}

export interface Frame {
  axis: Axis
  width: number
  height: number
  /** Value at the upper edge. */
  most: number
  /** Nothing is drawn after this time. */
  until: EpochMs
}

interface Corner {
  x: number
  lower: number
  upper: number
}

/**
 * Returns the outline of an area between two values over time, as SVG path data; empty if its height is zero
 * everywhere.
 */
export function areaPath<T>(area: Area<T>, frame: Frame): string {
  const corners = cornersOf(area, frame)
  if (corners.every(({ lower, upper }) => lower === upper)) return ''
  const end = round(placeOn(frame.axis, frame.width)(frame.until))
  const y = (value: number): number => round(frame.height - (value / frame.most) * frame.height)
  const forth = corners.map(({ x, upper }, index) => `${index === 0 ? `M${x} ${y(upper)}` : `H${x}V${y(upper)}`}`)
  const back = corners
    .toReversed()
    .map(({ x, lower }, index) => (index === 0 ? `H${end}V${y(lower)}H${x}` : `V${y(lower)}H${x}`))
  return `${forth.join('')}${back.join('')}Z`
}

/** Returns the upper edge as SVG path data. */
export function linePath<T>(area: Pick<Area<T>, 'steps' | 'before' | 'upper'>, frame: Frame): string {
  const corners = cornersOf({ ...area, lower: () => 0 }, frame)
  const y = (value: number): number => round(frame.height - (value / frame.most) * frame.height)
  const end = round(placeOn(frame.axis, frame.width)(frame.until))
  return `${corners.map(({ x, upper }, index) => `${index === 0 ? `M${x} ${y(upper)}` : `H${x}V${y(upper)}`}`).join('')}H${end}`
}

/** At most one corner per pixel, because faster changes are not visible. */
function cornersOf<T>({ steps, before, lower, upper }: Area<T>, { axis, width, until }: Frame): Corner[] {
  const x = placeOn(axis, width)
  const corners: Corner[] = [{ x: 0, lower: lower(before), upper: upper(before) }]
  for (const [index, at] of steps.times.entries()) {
    if (at > until) break
    const value = steps.values[index]!
    const corner = { x: round(x(at)), lower: lower(value), upper: upper(value) }
    const last = corners.at(-1)!
    if (corner.lower === last.lower && corner.upper === last.upper) continue
    if (corners.length > 1 && corner.x - last.x < 0.75) Object.assign(last, { ...corner, x: last.x })
    else corners.push(corner)
  }
  return corners
}

const round = (value: number): number => Math.round(value * 10) / 10

export interface LaneRow {
  /** Undefined for the row that combines the remaining clusters. */
  cluster?: string
  /** Number of clusters in the row. */
  clusters: number
  steps: Steps<LaneCounts>
  /** Replicas that were ready before the incident. */
  before: number
}

/** Returns the failed cluster, and those that take its replicas: most first, the rest combined in one row. */
export function laneRows(replay: Replay, most: number): { failed: LaneRow | undefined; targets: LaneRow[] } {
  const rows = [...replay.lanes].map(([cluster, steps]): LaneRow => ({
    cluster,
    clusters: 1,
    steps,
    before: replay.before.get(cluster) ?? 0,
  }))
  const failed = rows.find(({ cluster }) => cluster === replay.record.cluster)
  const others = rows
    .filter((row) => row !== failed)
    .sort((a, b) => gainOf(b) - gainOf(a) || (a.cluster! < b.cluster! ? -1 : 1))
  if (others.length <= most) return { failed, targets: others }
  return { failed, targets: [...others.slice(0, most - 1), together(others.slice(most - 1))] }
}

/** Returns the replicas of a cluster at the end in excess of those before. */
function gainOf({ steps, before }: LaneRow): number {
  const last = steps.last()
  return last === undefined ? 0 : last.ready + last.starting - before
}

function together(rows: readonly LaneRow[]): LaneRow {
  const sums = new Steps<LaneCounts>()
  for (const at of [...new Set(rows.flatMap(({ steps }) => steps.times))].sort((a, b) => a - b)) {
    const sum = { ready: 0, starting: 0, lost: 0 }
    for (const { steps, before } of rows) {
      const value = steps.at(at) ?? { ready: before, starting: 0, lost: 0 }
      sum.ready += value.ready
      sum.starting += value.starting
      sum.lost += value.lost
    }
    sums.push(at, sum)
  }
  return { clusters: rows.length, steps: sums, before: rows.reduce((all, { before }) => all + before, 0) }
}

/**
 * Returns the row with only the ready replicas in excess of those before, that is, those that the cluster took over.
 */
export function gained({ steps, before, ...row }: LaneRow): LaneRow {
  const gains = new Steps<LaneCounts>()
  for (const [index, at] of steps.times.entries()) {
    const { ready, ...others } = steps.values[index]!
    gains.push(at, { ...others, ready: Math.max(0, ready - before) })
  }
  return { ...row, steps: gains, before: 0 }
}

/** Returns the largest number of replicas in a row, at least 1, as the common scale. */
export function mostIn(rows: readonly LaneRow[]): number {
  const tops = rows.flatMap(({ steps, before }) => [
    before,
    ...steps.values.map(({ ready, starting, lost }) => ready + starting + lost),
  ])
  return tops.reduce((most, each) => Math.max(most, each), 1)
}

export type StagePhase = 'healthy' | 'detected' | 'tainted' | 'evicting' | 'rescheduling' | 'recovered'

export interface Stage {
  phase: StagePhase
  from: EpochMs
  to: EpochMs
}

/** Returns the phases of an incident in order; skipped phases are omitted. */
export function stagesOf({ milestones, since }: Replay, { from, to }: Axis): Stage[] {
  const when = (kind: (typeof milestones)[number]['kind']): EpochMs | undefined =>
    milestones.find((each) => each.kind === kind)?.at
  const begins: [StagePhase, EpochMs | undefined][] = [
    ['healthy', from],
    ['detected', since],
    ['tainted', when('tainted')],
    ['evicting', when('evicting')],
    ['rescheduling', when('evicted')],
    ['recovered', when('recovered')],
  ]
  const reached = begins.filter((each): each is [StagePhase, EpochMs] => each[1] !== undefined)
  return reached
    .map(([phase, at], index) => ({ phase, from: Math.max(at, from), to: Math.min(reached[index + 1]?.[1] ?? to, to) }))
    .filter((stage) => stage.to > stage.from)
}

/**
 * Returns the times at which the arrow keys stop: every change of a workload or the cluster, at most one per half
 * second.
 */
export function stopsOf({ workloads, milestones, since }: Replay): EpochMs[] {
  const times = [since, ...milestones.map(({ at }) => at), ...[...workloads.values()].flatMap(({ times }) => times)]
  const stops: EpochMs[] = []
  for (const at of times.sort((a, b) => a - b)) {
    if (
      stops.length === 0
      || at - stops.at(-1)! >= 500
      || milestones.some((each) => each.at === at && at !== stops.at(-1))
    ) {
      stops.push(at)
    }
  }
  return stops
}
