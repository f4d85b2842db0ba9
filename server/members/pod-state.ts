/** Facts from the status of a pod. */
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import type { Pod } from '@/lib/kube/kinds'
import { parseTime, type EpochMs } from '@/lib/std/clock'

export function isReady({ status }: Pod): boolean {
  return status?.phase === 'Running' && isConditionTrue(status.conditions, 'Ready')
}

/** When a ready pod counts as available; undefined while it is not ready. */
export function availableAt(pod: Pod, minReadySeconds: number): EpochMs | undefined {
  if (!isReady(pod)) return undefined
  const since = findCondition(pod.status?.conditions, 'Ready')?.lastTransitionTime
  return minReadySeconds === 0 || since === undefined ? -Infinity : parseTime(since) + minReadySeconds * 1000
}

/** Ready and available pods, and when the next ready one becomes available. */
export function countPods(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: EpochMs,
): { ready: number; available: number; nextMs?: number } {
  const times = pods.map((pod) => availableAt(pod, minReadySeconds)).filter((at) => at !== undefined)
  const waiting = times.filter((at) => at > now)
  return {
    ready: times.length,
    available: times.length - waiting.length,
    ...(waiting.length > 0 && { nextMs: Math.min(...waiting) - now }),
  }
}
