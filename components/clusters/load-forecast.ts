/**
 * When a cluster is full if its requests go on as they did: the median of the rates between pairs of moments (Theil and
 * Sen), which single rollouts and failovers do not move, with a band of the rates themselves.
 */
import type { LoadPoint, Range } from './load-series'

/** From less than this, nothing is concluded. */
export const MIN_RECORDED_MS = 30 * 60_000
export const MIN_CHANGES = 4
/** Limits the forecast to this multiple of the recorded time span. */
export const REACH = 2
/** So much of the rates lies below the band, and as much above it. */
const TAIL = 0.1
/** Growth over the whole record that is less than this share of the capacity is none. */
const MIN_GROWTH = 0.01
const SAMPLES = 96
/** Off the trend: this many times as far as usual, and this share of the capacity. */
const FAR = 3
const SMALL = 0.05

interface Basis {
  /** How long something was recorded, without gaps. */
  recordedMs: number
  /** Changes of the requests in that time. */
  changes: number
}

export type LoadForecast =
  /** Too little was recorded. */
  | ({ kind: 'short' } & Basis)
  /** The rates contradict each other, or the requests do not grow. */
  | ({ kind: 'none' } & Basis)
  | ({
      kind: 'growing'
      /** Amounts in a millisecond: the band, and the median. */
      low: number
      rate: number
      high: number
      /** The earliest time at which the requests reach the capacity, or as far as the record reaches. */
      notBefore: number
    } & Basis)

/** Forecasts from points as of `loadSeries`: the last one is the present. */
export function forecastLoad(points: readonly LoadPoint[], gaps: readonly Range[] = []): LoadForecast {
  const last = points.at(-1)
  const from = points[0]?.at ?? 0
  const to = last?.at ?? 0
  const recordedMs = to - from - gaps.reduce((sum, gap) => sum + overlap(gap, { from, to }), 0)
  const changes = points.filter((point, at) => at > 0 && point.allocated !== points[at - 1]!.allocated).length
  const basis = { recordedMs, changes }
  if (!last || recordedMs < MIN_RECORDED_MS || changes < MIN_CHANGES) return { kind: 'short', ...basis }
  const samples = samplesOf(points, { from, to }, gaps)
  const rates = ratesOf(samples, (to - from) / 4)
  const [low, rate, high] = [quantile(rates, TAIL), quantile(rates, 0.5), quantile(rates, 1 - TAIL)]
  if (low <= 0 || rate * (to - from) < MIN_GROWTH * last.allocatable) return { kind: 'none', ...basis }
  if (isOffTrend(samples, rate, last)) return { kind: 'none', ...basis }
  const earliest = to + Math.max(0, last.allocatable - last.allocated) / high
  return { kind: 'growing', ...basis, low, rate, high, notBefore: Math.min(earliest, to + REACH * recordedMs) }
}

const overlap = (a: Range, b: Range): number => Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from))

type Sample = readonly [at: number, amount: number]

/** Samples the requests at equal intervals; leaves out times without observations. */
function samplesOf(points: readonly LoadPoint[], { from, to }: Range, gaps: readonly Range[]): Sample[] {
  const samples: Sample[] = []
  let index = 0
  for (let step = 0; step <= SAMPLES; step += 1) {
    const at = from + ((to - from) * step) / SAMPLES
    while (index + 1 < points.length && points[index + 1]!.at <= at) index += 1
    if (!gaps.some((gap) => at >= gap.from && at < gap.to)) samples.push([at, points[index]!.allocated])
  }
  return samples
}

/**
 * Returns the rates between all pairs of samples with the minimum distance, in ascending order. Closer pairs would
 * reflect single steps.
 */
function ratesOf(samples: readonly Sample[], apartMs: number): number[] {
  const rates: number[] = []
  for (const [at, amount] of samples) {
    for (const [later, after] of samples) if (later - at >= apartMs) rates.push((after - amount) / (later - at))
  }
  return rates.sort((a, b) => a - b)
}

/** The present is much further from the trend than the record usually was: what led to it is no longer so. */
function isOffTrend(samples: readonly Sample[], rate: number, last: LoadPoint): boolean {
  const levels = samples.map(([at, amount]) => amount - rate * (at - last.at)).sort((a, b) => a - b)
  const level = quantile(levels, 0.5)
  const usual = quantile(
    levels.map((each) => Math.abs(each - level)).sort((a, b) => a - b),
    1 - TAIL,
  )
  return Math.abs(last.allocated - level) > FAR * usual + SMALL * last.allocatable
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
