/** Orders the pods of a subset: which ones count as surplus first. */
import { findCondition, isConditionTrue } from '../../kube/conditions'
import type { Pod } from '../../kube/kinds'
import { parseTime, type EpochMs } from '../../std/clock'
import { createdAt } from './pod-facts'

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 }

/**
 * Orders for deletion: without a node; Pending, Unknown, Running; not ready; ready for a shorter time; more restarts;
 * without creation time, then younger. Stable.
 */
export function orderForDeletion(pods: readonly Pod[]): Pod[] {
  return pods.toSorted(
    (a, b) =>
      Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName))
      || phaseOf(a) - phaseOf(b)
      || Number(isReady(a)) - Number(isReady(b))
      || (isReady(a) ? youngerFirst(readySince(a), readySince(b)) : 0)
      || restartsOf(b) - restartsOf(a)
      || youngerFirst(createdAt(a), createdAt(b)),
  )
}

const phaseOf = ({ status }: Pod): number => PHASES[status?.phase ?? ''] ?? 0
const isReady = ({ status }: Pod): boolean => isConditionTrue(status?.conditions, 'Ready')

function readySince({ status }: Pod): EpochMs {
  const since = findCondition(status?.conditions, 'Ready')?.lastTransitionTime
  return since ? parseTime(since) : -Infinity
}

/** An unknown time comes first, then the later one. */
function youngerFirst(a: EpochMs, b: EpochMs): number {
  if (a === b) return 0
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Number.isFinite(a) ? 1 : -1
  return b - a
}

const restartsOf = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0)
