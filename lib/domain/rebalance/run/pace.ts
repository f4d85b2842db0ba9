/**
 * Limits the requests that the scheduler has pending. It decides by the latest reports of the clusters, which change every
 * few seconds while a wave moves; so a workload is predicted, and protected by the prediction, when its turn is near.
 */
import type { EpochMs } from '@/lib/std/clock'

/** The scheduler has work for this time, so that it never waits for the next pass of the plan. */
const AHEAD_MS = 2000
/** A shorter time tells too little about the scheduler. */
const MEASURED_MS = 1000
const LEAST = 4

export interface Pace {
  /** Requests that may be pending. */
  limit: number
  /** The present measurement: its start, and the requests that were processed since. */
  since: EpochMs
  processed: number
}

/** Before anything is known about the scheduler. */
export const firstPace = (now: EpochMs): Pace => ({ limit: 8, since: now, processed: 0 })

interface Observed {
  /** Requests that were pending at the last observation, and how many of them have been processed since. */
  pending: number
  processed: number
  now: EpochMs
}

/** Returns the pace after an observation. A scheduler that processed all it was given may be given more. */
export function nextPace(pace: Pace, { pending, processed, now }: Observed): Pace {
  if (pending === 0) return { ...pace, since: now, processed: 0 }
  if (processed >= pending) {
    return { limit: pending >= pace.limit ? pace.limit * 2 : pace.limit, since: now, processed: 0 }
  }
  const [total, measuredMs] = [pace.processed + processed, now - pace.since]
  if (measuredMs < MEASURED_MS) return { ...pace, processed: total }
  return { limit: Math.max(LEAST, Math.ceil((total * AHEAD_MS) / measuredMs)), since: now, processed: 0 }
}
