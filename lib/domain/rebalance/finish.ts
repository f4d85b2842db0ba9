/** When a WorkloadRebalancer has finished, and when it may be deleted. */
import { type EpochMs, formatTime, parseTime } from '@/lib/std/clock'
import { isPending } from './trigger'
import { type ObservedWorkload, type RebalancerStatus, workloadKey } from './sync-status'

export interface FinishSnapshot {
  before: RebalancerStatus | undefined
  after: RebalancerStatus
  /** Targets whose attempt has to be repeated. */
  retries: number
  now: EpochMs
}

/**
 * The status to write at the end of a pass; undefined when nothing changed. A pass without retries that changed
 * anything finishes now, so every change of the spec moves the finish time: the observed generation is part of it.
 */
export function finishPass({ before, after, retries, now }: FinishSnapshot): RebalancerStatus | undefined {
  if (sameStatus(before ?? {}, after)) return undefined
  return retries === 0 ? { ...after, finishTime: formatTime(now) } : after
}

/** Finished: every target has a result and the present generation of the spec was observed. */
export function isFinished(status: RebalancerStatus | undefined, generation: number | undefined): boolean {
  if (status?.finishTime === undefined || status.observedGeneration !== generation) return false
  return !(status.observedWorkloads ?? []).some(isPending)
}

/** What follows from `ttlSecondsAfterFinished`. */
export type ExpiryVerdict =
  | { act: 'keep' }
  | { act: 'wait'; remainingMs: number }
  /** To be guarded by the resource version that was read when the pass began. */
  | { act: 'delete' }
  | { act: 'refuse'; message: string }

/** Decides on deletion. A missing time to live keeps the object; zero deletes it as soon as it has finished. */
export function decideExpiry(
  ttlSeconds: number | undefined, finishTime: string | undefined, now: EpochMs,
): ExpiryVerdict {
  if (ttlSeconds === undefined) return { act: 'keep' }
  if (finishTime === undefined) return { act: 'refuse', message: 'finish time should not be nil' }
  const remainingMs = parseTime(finishTime) + ttlSeconds * 1000 - now
  return remainingMs > 0 ? { act: 'wait', remainingMs } : { act: 'delete' }
}

/** Field by field and in order; an absent list is not an empty one. */
function sameStatus(a: RebalancerStatus, b: RebalancerStatus): boolean {
  const sameGeneration = (a.observedGeneration ?? 0) === (b.observedGeneration ?? 0)
  return sameGeneration && a.finishTime === b.finishTime && sameTargets(a, b)
}

function sameTargets(a: RebalancerStatus, b: RebalancerStatus): boolean {
  if (!a.observedWorkloads || !b.observedWorkloads) return a.observedWorkloads === b.observedWorkloads
  if (a.observedWorkloads.length !== b.observedWorkloads.length) return false
  const others = b.observedWorkloads
  return a.observedWorkloads.every((one, index) => lineOf(one) === lineOf(others[index]))
}

function lineOf(observed: ObservedWorkload | undefined): string {
  const { workload, result = '', reason = '' } = observed ?? {}
  return JSON.stringify([workload && workloadKey(workload), result, reason])
}
