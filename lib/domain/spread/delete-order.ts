/** Which pods of a subset count as surplus: those that a workload would miss least. */
import { findCondition, isConditionTrue } from '../../kube/conditions'
import type { Pod } from '../../kube/kinds'
import { parseTime, type EpochMs } from '../../std/clock'
import { createdAt } from './pod-facts'

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 }

/**
 * First those that go first: without a node; Pending, Unknown, Running; not ready; ready for a shorter time; restarted
 * more often; without time of creation, then younger. What is equal keeps its order.
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

/** A time that is not known comes first, then the later one. */
function youngerFirst(a: EpochMs, b: EpochMs): number {
  if (a === b) return 0
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Number.isFinite(a) ? 1 : -1
  return b - a
}

const restartsOf = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0)
