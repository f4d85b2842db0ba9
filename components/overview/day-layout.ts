/** The picture of the last 24 hours: a time axis whose last 15 minutes are enlarged, and ready replicas on a cut scale. */
import type { ReadyHistoryView } from '@/lib/view/failover-model'

const DAY_MS = 86_400_000
const RECENT_MS = 15 * 60_000
/** The part of the width that the last 15 minutes have. */
const RECENT_PART = 0.27
const HOUR_MS = 3_600_000
/** Width of the bar of a short event. */
const LEAST_BAR = 6

export interface Span {
  id: string
  from: number
  /** Absent while it runs. */
  to?: number
}

/** An incident or a rebalance of the last 24 hours, in words and where it is told in full. */
export interface DayEvent extends Span {
  words: string
  href: string
  running: boolean
}

export interface DayScale {
  width: number
  now: number
  /** Where the enlarged part begins. */
  split: number
  x: (at: number) => number
}

export function dayScale(width: number, now: number): DayScale {
  const split = width * (1 - RECENT_PART)
  const begin = now - DAY_MS
  const recent = now - RECENT_MS
  const x = (at: number): number => {
    if (at <= begin) return 0
    if (at >= now) return width
    if (at <= recent) return (split * (at - begin)) / (recent - begin)
    return split + ((width - split) * (at - recent)) / RECENT_MS
  }
  return { width, now, split, x }
}

/** Moments to write below the axis: whole hours of the reader's clock, then every five minutes. */
export function dayTicks({ width, now, split, x }: DayScale): { at: number; x: number }[] {
  const hours = [3, 6, 12].find((each) => split / (24 / each) >= 56) ?? 24
  const step = hours * HOUR_MS
  const ofDay = Array.from({ length: Math.floor(24 / hours) + 1 }, (_, i) => Math.floor(now / step) * step - i * step)
  // The end has a label of its own.
  const ofRecent = [10, 5].map((minutes) => now - minutes * 60_000).filter((at) => width - x(at) > 76)
  return [...ofDay.filter((at) => at < now - RECENT_MS && split - x(at) > 44), ...(width - split > 150 ? ofRecent : [])]
    .filter((at) => x(at) > 18)
    .sort((a, b) => a - b)
    .map((at) => ({ at, x: x(at) }))
}

export interface ReadyLine {
  /** Steps of the line, and the area under it. */
  line: string
  area: string
  gaps: { x: number; width: number }[]
  lowest: number
  /** Value at the lower edge; more than 0 if the scale is cut. */
  base: number
  top: number
  y: (ready: number) => number
}

export interface ReadyFacts {
  history: ReadyHistoryView
  ready: number
  desired: number
  height: number
}

/**
 * Returns the line of ready replicas. Its points subtract the replicas that were missing then from those that were ready
 * or missing when the history was read; it ends at the current number, which may be newer.
 */
export function readyLine({ history, ready, desired, height }: ReadyFacts, scale: DayScale): ReadyLine {
  const full = history.ready + (history.points.at(-1)?.missing ?? 0)
  const past = history.points.map(({ at, missing }) => ({ x: scale.x(at), ready: Math.max(0, full - missing) }))
  const values = [...past, { x: scale.width, ready }]
  const gaps = history.gaps.map(({ from, to }) => ({
    x: scale.x(from),
    width: Math.max(1, scale.x(to) - scale.x(from)),
  }))
  const seen = seenParts(gaps, scale.width).map((part) => ({ ...part, steps: stepsIn(part, values) }))
  const lowest = Math.min(ready, ...seen.flatMap(({ steps }) => steps.map((step) => step.ready)))
  const top = Math.max(desired, full, 1)
  const base = cutBelow(lowest, top)
  const y = (value: number): number => height - ((value - base) / (top - base)) * (height - 6)
  const lines = seen.map(({ steps: [first, ...rest], to }) => {
    const start = first === undefined ? '' : `M${n(first.x)} ${n(y(first.ready))}`
    return `${start}${rest.map((step) => `H${n(step.x)}V${n(y(step.ready))}`).join('')}H${n(to)}`
  })
  return {
    line: lines.join(''),
    area: lines.map((line, index) => `${line}V${height}H${n(seen[index]!.from)}z`).join(''),
    gaps,
    lowest,
    base,
    top,
    y,
  }
}

interface Part {
  from: number
  to: number
}

/** What of the width was observed. */
function seenParts(gaps: readonly { x: number; width: number }[], width: number): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const gap of gaps.toSorted((a, b) => a.x - b.x)) {
    if (gap.x > from) parts.push({ from, to: gap.x })
    from = Math.max(from, gap.x + gap.width)
  }
  return from < width ? [...parts, { from, to: width }] : parts
}

interface ReadyStep {
  x: number
  ready: number
}

/** The steps of a part; it begins with the last value before it, or with the first one where there is none. */
function stepsIn({ from, to }: Part, values: readonly ReadyStep[]): ReadyStep[] {
  const first = values.findLast(({ x }) => x <= from) ?? values[0]!
  return [{ ...first, x: from }, ...values.filter(({ x }) => x > from && x <= to)]
}

/** A dip of a few replicas of thousands is seen on a cut scale only. */
function cutBelow(lowest: number, top: number): number {
  if (lowest >= top || lowest < top / 2) return 0
  return Math.max(0, Math.floor(lowest - (top - lowest)))
}

const n = (value: number): number => Math.round(value * 10) / 10

export interface PlacedSpan extends Span {
  x: number
  width: number
  /** Position of the label; absent if it would overlap the next one. */
  label?: { x: number; anchor: 'start' | 'end' }
}

/** Bars of a lane, in the order of time, with their words where there is room. */
export function placeSpans(spans: readonly (Span & { words: number })[], { x, width, now }: DayScale): PlacedSpan[] {
  const bars = spans
    .filter(({ to = now }) => to >= now - DAY_MS)
    .toSorted((a, b) => a.from - b.from)
    .map((span) => {
      const length = Math.max(LEAST_BAR, x(span.to ?? now) - x(span.from))
      return { ...span, x: Math.min(x(span.from), width - length), width: length }
    })
  let taken = -Infinity
  return bars.map((bar, index) => {
    const { words, ...rest } = bar
    const free = (bars[index + 1]?.x ?? width) - (bar.x + bar.width)
    if (free >= words + 8) {
      taken = bar.x + bar.width + 6 + words
      return { ...rest, label: { x: bar.x + bar.width + 6, anchor: 'start' as const } }
    }
    const before = bar.x - Math.max(taken, 0)
    taken = Math.max(taken, bar.x + bar.width)
    return before >= words + 8 ? { ...rest, label: { x: bar.x - 6, anchor: 'end' as const } } : rest
  })
}
