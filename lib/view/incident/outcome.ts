/** Computes the loss caused by an incident, and the time until it is recovered. */
import type { EpochMs } from '@/lib/std/clock'
import { endOf } from './layout'
import type { Replay } from './replay'
import type { WorkloadPhase, WorkloadStatus } from './state'
import type { Steps } from './steps'

export interface IncidentLoss {
  /** Time with the most missing replicas; `desired` is 0 if none ever was missing. */
  lowest: { ready: number; desired: number; at: EpochMs }
  /** Workloads that had no ready replica at some time, and the longest such time. */
  stopped: number
  longestMs: number
}

/** Returns the loss between start and end. */
export function lossOf(replay: Replay): IncidentLoss {
  const { counts, workloads, since } = replay
  const end = endOf(replay)
  let lowest = { ready: 0, desired: 0, at: since }
  // Compares the shortfall, because workloads are recorded one by one and the first sums are small.
  for (const [index, at] of counts.times.entries()) {
    const { ready, desired } = counts.values[index]!
    if (desired - ready > lowest.desired - lowest.ready) lowest = { ready, desired, at }
  }
  const stops = [...workloads.values()].map((steps) => longestStop(steps, end)).filter((ms) => ms > 0)
  return { lowest, stopped: stops.length, longestMs: Math.max(0, ...stops) }
}

function longestStop({ times, values }: Steps<WorkloadStatus>, end: EpochMs): number {
  let longest = 0
  let since: EpochMs | undefined
  for (const [index, at] of times.entries()) {
    const { ready, desired } = values[index]!
    if (ready === 0 && desired > 0) since ??= at
    else if (since !== undefined) {
      longest = Math.max(longest, at - since)
      since = undefined
    }
  }
  return since === undefined ? longest : Math.max(longest, end - since)
}

export interface Forecast {
  end: EpochMs
  earliest: EpochMs
  latest: EpochMs
}

const WINDOW_MS = 10_000
const WINDOWS = 3
/** Default range without data about the variation: half to twice the time. */
const SPREAD = [0.5, 2] as const

/**
 * Forecasts when the rest has recovered: `end` as the server estimates it, and the earliest and latest time by the
 * fastest and slowest of the last three ten-second windows.
 */
export function forecastOf({ counts }: Replay, now: EpochMs, secondsLeft: number | undefined): Forecast | undefined {
  if (secondsLeft === undefined || secondsLeft <= 0) return undefined
  const recovered = (at: EpochMs): number => counts.at(at)?.recovered ?? 0
  const rates = Array.from({ length: WINDOWS }, (_, index) => now - index * WINDOW_MS)
    .map((at) => recovered(at) - recovered(at - WINDOW_MS))
    .filter((rate) => rate > 0)
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  const [fast, slow] =
    rates.length < 2 ? SPREAD : [Math.min(1, mean / Math.max(...rates)), Math.max(1, mean / Math.min(...rates))]
  const left = secondsLeft * 1000
  return { end: now + left, earliest: now + left * fast, latest: now + left * Math.min(slow, 3) }
}

export interface WorkloadAt {
  id: string
  status: WorkloadStatus
  /** Start of its phase. */
  since: EpochMs
  /** End of its phase in the journal; undefined if it did not end. */
  until: EpochMs | undefined
}

/** Returns the workloads of an incident at a time, by phase; those that change next come first. */
export function workloadsAt({ workloads }: Replay, at: EpochMs): Map<WorkloadPhase, WorkloadAt[]> {
  const byPhase = new Map<WorkloadPhase, WorkloadAt[]>()
  for (const [id, steps] of workloads) {
    const index = steps.indexAt(at)
    const status = steps.values[index]
    if (!status) continue
    const one = { id, status, since: sinceOf(steps, index), until: untilOf(steps, index) }
    const those = byPhase.get(status.phase)
    if (those) those.push(one)
    else byPhase.set(status.phase, [one])
  }
  for (const those of byPhase.values()) {
    those.sort((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity) || (a.id < b.id ? -1 : 1))
  }
  return byPhase
}

function sinceOf({ times, values }: Steps<WorkloadStatus>, index: number): EpochMs {
  let first = index
  while (first > 0 && values[first - 1]!.phase === values[index]!.phase) first -= 1
  return times[first]!
}

function untilOf({ times, values }: Steps<WorkloadStatus>, index: number): EpochMs | undefined {
  const next = values.findIndex((value, at) => at > index && value.phase !== values[index]!.phase)
  return next < 0 ? undefined : times[next]
}
