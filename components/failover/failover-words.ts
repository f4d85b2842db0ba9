/** The words of the failover monitor. */
import type { FailoverAction, FailoverView, PastFailoverView } from '@/lib/view/failover-model'
import { causesText } from '@/lib/view/project/cause-words'

type Stage = FailoverView['stage']

export const STAGES: readonly Stage[] = ['unhealthy', 'toleration', 'evicting', 'replaced', 'done']

export const STAGE_WORDS: Record<Stage, string> = {
  unhealthy: 'Unhealthy', toleration: 'Toleration', evicting: 'Evicting', replaced: 'Replaced', done: 'Done',
}

export const STAGE_MEANING: Record<Stage, string> = {
  unhealthy: 'the workload, or its cluster, fails',
  toleration: 'the failure is put up with for a time',
  evicting: 'the scheduler no longer counts on it; the copy waits for its replacement',
  replaced: 'the replacement is healthy; the old copy goes',
  done: 'nothing of it is left',
}

export const ACTION_WORDS: Record<FailoverAction, string> = {
  evict: 'Evict now…', keep: 'Keep…', release: 'Release…', drain: 'Drain…', undrain: 'Put back into service…',
}

/** What the button of the plan says. */
export const ORDER_WORDS: Record<FailoverAction, string> = {
  evict: 'Evict',
  keep: 'Keep the old copy',
  release: 'Release the old copy',
  drain: 'Drain',
  undrain: 'Put back into service',
}

/** What comes when the time is up. */
const DEADLINE_WORDS: Record<NonNullable<FailoverView['deadline']>['meaning'], string> = {
  delay: 'counts in', taint: 'drives out in', toleration: 'leaves in', grace: 'grace', block: 'blocked for',
}

export const deadlineWord = (meaning: NonNullable<FailoverView['deadline']>['meaning']): string =>
  DEADLINE_WORDS[meaning]

const PRODUCERS: readonly (readonly [part: string, word: string])[] = [
  ['application-failover', 'application failover'], ['TaintManager', 'taint manager'], ['evenkeel', 'by hand'],
]

/** What the workload had to leave for, and who asked for it; of entries without causes, the producer of the task. */
export function causeWord({ causes, producer = '' }: Pick<FailoverView | PastFailoverView, 'causes' | 'producer'>): string {
  if (causes && causes.length > 0) return causesText(causes)
  return PRODUCERS.find(([part]) => producer.includes(part))?.[1] ?? producer
}
