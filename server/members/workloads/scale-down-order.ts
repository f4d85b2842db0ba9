/** Order of deletion of surplus pods, as kube-controller-manager ranks them. */
import { findCondition } from '@/lib/kube/conditions'
import type { Pod } from '@/lib/kube/kinds'
import { parseTime, type EpochMs } from '@/lib/std/clock'
import { isReady } from '../pod-state'

/** The deletion cost of a pod; lower is deleted first. 0 if absent or invalid. */
export const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost'

export interface ScaleDownSnapshot {
  /** Candidates. */
  pods: readonly Pod[]
  /** Active pods of the workload and its siblings; a node with many of them loses one first. */
  related: readonly Pod[]
  now: EpochMs
}

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 }
const MAX_COST = 2 ** 31 - 1

/**
 * Returns the pods in order of deletion: without a node; Pending, Unknown, Running; not ready; lower `DELETION_COST`;
 * on the node with most related pods; ready for a shorter time; restarted more often; younger. Times are compared by
 * their order of magnitude (powers of two), and by UID within one, so that the youngest is not always chosen.
 */
export function orderForScaleDown({ pods, related, now }: ScaleDownSnapshot): Pod[] {
  const onNode = Map.groupBy(related, ({ spec }) => spec.nodeName ?? '')
  const crowd = (pod: Pod): number => onNode.get(pod.spec.nodeName ?? '')?.length ?? 0
  return pods.toSorted(
    (a, b) =>
      Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName))
      || phaseOf(a) - phaseOf(b)
      || Number(isReady(a)) - Number(isReady(b))
      || costOf(a) - costOf(b)
      || crowd(b) - crowd(a)
      || (isReady(a) ? byAge(a, b, { now, since: readySince }) : 0)
      || restartsOf(b) - restartsOf(a)
      || byAge(a, b, { now, since: createdAt }),
  )
}

const phaseOf = ({ status }: Pod): number => PHASES[status?.phase ?? 'Pending'] ?? 0

function costOf({ metadata }: Pod): number {
  const text = metadata.annotations?.[DELETION_COST] ?? '0'
  const cost = /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : 0
  return cost >= -MAX_COST - 1 && cost <= MAX_COST ? cost : 0
}

const readySince = (pod: Pod): string => findCondition(pod.status?.conditions, 'Ready')?.lastTransitionTime ?? ''
const createdAt = ({ metadata }: Pod): string => metadata.creationTimestamp
const restartsOf = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0)

function byAge(a: Pod, b: Pod, { now, since }: { now: EpochMs; since: (pod: Pod) => string }): number {
  const [left, right] = [since(a), since(b)]
  if (left === right) return 0
  if (!left || !right) return left ? 1 : -1
  const difference = magnitude(now - parseTime(left)) - magnitude(now - parseTime(right))
  return difference || (a.metadata.uid < b.metadata.uid ? -1 : 1)
}

/** The power of two of a time in nanoseconds; the lowest if it is in the future. */
const magnitude = (ms: number): number => (ms > 0 ? Math.floor(Math.log2(ms * 1e6)) : -1)
