/** Maps the status of a condition to a state. */
import type { ConditionView, State } from './model'

/** Conditions for which True is good; for all others no state is assumed. */
const GOOD = new Set([
  'Scheduled',
  'FullyApplied',
  'Applied',
  'Available',
  'Progressing',
  'Ready',
  'CompleteAPIEnablements',
  'PodScheduled',
  'PodReadyToStartContainers',
  'Initialized',
  'ContainersReady',
])

export function conditionState({ type, status }: Pick<ConditionView, 'type' | 'status'>): State {
  if (status === 'Unknown') return 'unknown'
  if (type === 'SchedulingSuspended' && status === 'True') return 'held'
  if (!GOOD.has(type)) return status === 'True' ? 'warn' : 'ok'
  return status === 'True' ? 'ok' : 'fail'
}
