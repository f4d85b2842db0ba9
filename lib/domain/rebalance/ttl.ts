/** `ttlSecondsAfterFinished` of WorkloadRebalancers and RebalancePlans: when a finished object is deleted. */
import { type EpochMs, parseTime } from '@/lib/std/clock'

/** Action for `ttlSecondsAfterFinished`. */
export type ExpiryVerdict =
  | { act: 'keep' }
  | { act: 'wait'; remainingMs: number }
  /** Delete with the resourceVersion that was read as a precondition. */
  | { act: 'delete' }
  | { act: 'refuse'; message: string }

/** Decides on deletion. Without a TTL the object is kept; zero deletes it as soon as it has finished. */
export function decideExpiry(
  ttlSeconds: number | undefined,
  finishTime: string | undefined,
  now: EpochMs,
): ExpiryVerdict {
  if (ttlSeconds === undefined) return { act: 'keep' }
  // upstream: pkg/controllers/workloadrebalancer/ttlafterfinished_worker.go
  if (finishTime === undefined) return { act: 'refuse', message: 'finish time should not be nil' }
  const remainingMs = parseTime(finishTime) + ttlSeconds * 1000 - now
  return remainingMs > 0 ? { act: 'wait', remainingMs } : { act: 'delete' }
}
