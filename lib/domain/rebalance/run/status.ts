/** The parts of a plan's status that follow from others. */
import type { PlannedWorkload, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { type NewCondition, setCondition } from '@/lib/kube/conditions'
import type { Condition } from '@/lib/kube/object'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { Reason } from '../../plan'
import { isActive } from './waves'

/** Phases that no run leaves again. */
export function isFinal(phase: string | undefined): boolean {
  return phase === 'Completed' || phase === 'Stopped' || phase === 'Invalid'
}

/** Counts, and `done/moving` in words. */
export function statusCounts(entries: readonly PlannedWorkload[]): Pick<RebalancePlanStatus, 'counts' | 'progress'> {
  const count = (test: (entry: PlannedWorkload) => boolean): number => entries.filter(test).length
  const at = (stage: PlannedWorkload['stage']): number => count((entry) => entry.stage === stage)
  const skipped = at('Skipped')
  const done = at('Done')
  const moving = entries.filter(({ stage }) => stage !== 'Skipped')
  return {
    counts: {
      total: entries.length, pending: at('Pending'), moving: count(isActive), done, skipped, failed: at('Failed'),
      replicasMoved: moving.reduce((sum, { replicasMoved = 0 }) => sum + replicasMoved, 0),
    },
    progress: `${done}/${moving.length}`,
  }
}

/** `Progressing` and `Complete`. */
export function progressing({ phase }: RebalancePlanStatus, { code, text }: Reason): NewCondition[] {
  const runs = phase === 'Running' || phase === 'Stopping'
  const ended = phase === 'Completed' || phase === 'Stopped'
  return [
    { type: 'Progressing', status: runs ? 'True' : 'False', reason: code, message: text },
    {
      type: 'Complete',
      status: ended ? 'True' : 'False',
      reason: ended ? code : 'NotFinished',
      message: ended ? text : 'The plan has not ended.',
    },
  ]
}

/** The status with these conditions among its own. */
export function withConditions(
  status: RebalancePlanStatus, updates: readonly NewCondition[], now: EpochMs,
): RebalancePlanStatus {
  const before = (status.conditions ?? []) as Condition[]
  return {
    ...status,
    conditions: updates.reduce((list, update) => setCondition(list, update, formatTime(now)), before),
  }
}
