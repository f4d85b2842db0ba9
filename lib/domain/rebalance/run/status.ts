/** Builds the derived parts of a plan's status. */
import type { PlannedWorkload, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { findCondition, type NewCondition, setCondition } from '@/lib/kube/conditions'
import type { Condition } from '@/lib/kube/object'
import { type Message, message } from '@/lib/messages/message'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import { because, type InEnglish } from '../../plan'
import type { RunReason } from './snapshot'
import { isActive } from './stages'

/** Reports whether a phase is final. */
export function isFinal(phase: string | undefined): boolean {
  return phase === 'Completed' || phase === 'Stopped' || phase === 'Invalid'
}

/** Returns counts, and `done/moving` as text. */
export function statusCounts(entries: readonly PlannedWorkload[]): Pick<RebalancePlanStatus, 'counts' | 'progress'> {
  const count = (test: (entry: PlannedWorkload) => boolean): number => entries.filter(test).length
  const at = (stage: PlannedWorkload['stage']): number => count((entry) => entry.stage === stage)
  const skipped = at('Skipped')
  const done = at('Done')
  const moving = entries.filter(({ stage }) => stage !== 'Skipped')
  return {
    counts: {
      total: entries.length,
      pending: at('Pending'),
      moving: count(isActive),
      done,
      skipped,
      failed: at('Failed'),
      replicasMoved: moving.reduce((sum, { replicasMoved = 0 }) => sum + replicasMoved, 0),
    },
    progress: `${done}/${moving.length}`,
  }
}

/** Returns the conditions `Progressing` and `Complete`. */
export function progressing({ phase }: RebalancePlanStatus, reason: RunReason, english: InEnglish): NewCondition[] {
  const { code, text } = { ...reason, text: english(reason.text) }
  const runs = phase === 'Running' || phase === 'Stopping'
  const ended = phase === 'Completed' || phase === 'Stopped'
  return [
    { type: 'Progressing', status: runs ? 'True' : 'False', reason: code, message: text },
    {
      type: 'Complete',
      status: ended ? 'True' : 'False',
      reason: ended ? code : 'NotFinished',
      message: ended ? text : english(message('rebalance.plan.NotFinished')),
    },
  ]
}

/** Returns the status with these conditions merged. */
export function withConditions(
  status: RebalancePlanStatus,
  updates: readonly NewCondition[],
  now: EpochMs,
): RebalancePlanStatus {
  const before = (status.conditions ?? []) as Condition[]
  return {
    ...status,
    conditions: updates.reduce((list, update) => setCondition(list, update, formatTime(now)), before),
  }
}

export const WRITE_FAILED = 'WriteFailed'

/**
 * Returns the status with the condition that writes to bindings fail, which the next pass without a failure removes.
 * `before` is the current status: the time of the condition is kept while its cause is the same.
 */
export function withWriteFault(
  status: RebalancePlanStatus,
  before: RebalancePlanStatus,
  { failed, cause, now, english }: { failed: number; cause: string; now: EpochMs; english: InEnglish },
): RebalancePlanStatus {
  const text = english(message('rebalance.plan.WriteFailed', { n: failed, cause }))
  const fault: NewCondition = { type: 'Progressing', status: 'False', reason: WRITE_FAILED, message: text }
  const known = findCondition(before.conditions as Condition[] | undefined, 'Progressing')
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'Progressing')
  const conditions = known?.reason === WRITE_FAILED ? [known, ...others] : status.conditions
  return withConditions({ ...status, ...(conditions && { conditions }) }, [fault], now)
}

/** Explains the phase of an approved plan. */
export function describePhase({
  phase,
  wave = 0,
  counts = {},
  hold,
  holds = 0,
  workloads = [],
  waves = [],
}: RebalancePlanStatus): RunReason {
  const { done = 0, failed = 0, total = 0 } = counts
  switch (phase) {
    case 'Held':
      return because(message('rebalance.plan.Held', { reason: hold?.message ?? '', holds: String(holds) }))
    case 'Paused':
      return because(message('rebalance.plan.Paused'))
    case 'Stopping':
      return because(message('rebalance.plan.Stopping'))
    case 'Stopped':
      return because('Stopped', message(wave > 0 ? 'rebalance.plan.Stopped' : 'rebalance.plan.stoppedBeforeStart'))
    case 'Completed': {
      const skipped = skippedByReason(workloads)
      if (failed > 0 && hold)
        return because(
          'CompletedWithFailures',
          message('rebalance.plan.failedWith', { n: failed, reason: hold.message }),
        )
      if (failed > 0) return because(message('rebalance.plan.CompletedWithFailures', { n: failed }))
      return skipped.length > 0
        ? because('Completed', message('rebalance.plan.completedPartly', { done, total, skipped }))
        : because(message('rebalance.plan.Completed', { done }))
    }
    default:
      return wave === 0 || waves.at(-1)?.finishedAt !== undefined
        ? because(message('rebalance.plan.WaitingForWave', { wave }))
        : because(message('rebalance.plan.WaveRunning', { wave: String(wave) }))
  }
}

/** Returns the workloads that did not move, by reason, because `0 workloads moved` alone would look like success. */
function skippedByReason(entries: readonly PlannedWorkload[]): Message[] {
  const codes = entries.flatMap(({ stage, reason = '' }) => (stage === 'Skipped' ? [reason] : []))
  return [...new Set(codes)]
    .sort()
    .map((reason) => message('rebalance.plan.skipped', { n: codes.filter((one) => one === reason).length, reason }))
}
