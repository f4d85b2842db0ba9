/** Decides when a WorkloadRebalancer has finished. */
import { type EpochMs, formatTime } from '@/lib/std/clock'
import { isPending } from './trigger'
import { type ObservedWorkload, type RebalancerStatus, workloadKey } from './sync-status'

export interface FinishSnapshot {
  before: RebalancerStatus | undefined
  after: RebalancerStatus
  /** Targets whose attempt must be repeated. */
  retries: number
  now: EpochMs
}

/**
 * Returns the status to write at the end of a reconcile; undefined if nothing changed. A reconcile without retries that
 * changed anything sets the finish time. Every change of the spec therefore moves it, because the observed generation
 * is part of the status.
 */
export function finishPass({ before, after, retries, now }: FinishSnapshot): RebalancerStatus | undefined {
  if (sameStatus(before ?? {}, after)) return undefined
  return retries === 0 ? { ...after, finishTime: formatTime(now) } : after
}

/** Reports whether every target has a result and the current generation of the spec was observed. */
export function isFinished(status: RebalancerStatus | undefined, generation: number | undefined): boolean {
  if (status?.finishTime === undefined || status.observedGeneration !== generation) return false
  return !(status.observedWorkloads ?? []).some(isPending)
}

/** Compares by field and in order; an absent list differs from an empty one. */
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
