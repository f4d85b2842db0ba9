/**
 * What the scheduler had to do when a plan made its requests. It works in order of arrival, so as long as it decides on
 * these bindings, it is busy and has not forgotten the plan. What arrives later does not count: otherwise a scheduler
 * with steady work could ignore a plan for ever.
 */
import type { EpochMs } from '@/lib/std/clock'
import { type Binding, isSchedulingSuspended } from '../../placement'
import { workloadOf } from '../select'
import type { WorkloadRef } from '../sync-status'

export interface Backlog {
  waiting: readonly { workload: WorkloadRef; lastDecision: string }[]
  /** When this process last observed that the scheduler decided on one of them. */
  progressAt?: EpochMs
}

/** Returns the work that the scheduler has at this moment. */
export function backlogOf(bindings: readonly Binding[]): Backlog {
  const waiting = bindings.filter(isWaiting)
  return { waiting: waiting.map((one) => ({ workload: workloadOf(one), lastDecision: lastDecisionOn(one) })) }
}

/** Returns what is left of a backlog. A deleted binding is no work any more, and no sign of progress either. */
export function remainingOf(
  { waiting, progressAt }: Backlog,
  bindingOf: (workload: WorkloadRef) => Binding | undefined,
  now: EpochMs,
): Backlog {
  const present = waiting.flatMap((one) => {
    const binding = bindingOf(one.workload)
    return binding ? [{ one, isDecided: lastDecisionOn(binding) !== one.lastDecision }] : []
  })
  const latest = present.some(({ isDecided }) => isDecided) ? now : progressAt
  return {
    waiting: present.flatMap(({ one, isDecided }) => (isDecided ? [] : [one])),
    ...(latest !== undefined && { progressAt: latest }),
  }
}

function isWaiting({ metadata, spec, status }: Binding): boolean {
  return (metadata.generation ?? 0) !== (status?.schedulerObservedGeneration ?? 0) && !isSchedulingSuspended(spec)
}

/** Changes whenever the scheduler has placed the binding. */
function lastDecisionOn({ status = {} }: Binding): string {
  return `${status.schedulerObservedGeneration ?? 0} ${status.lastScheduledTime ?? ''}`
}
