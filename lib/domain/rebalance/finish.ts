/** When a WorkloadRebalancer has finished. */
import { type EpochMs, formatTime } from '@/lib/std/clock'
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
