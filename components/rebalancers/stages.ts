import type { State } from '@/lib/view/model'
import type { RebalanceStage, RebalanceTargetView } from '@/lib/view/rebalance-model'

/** The way of a target that goes well. Each stage implies the ones before it. */
export const STAGES = ['triggered', 'scheduled', 'applied', 'healthy'] as const satisfies RebalanceStage[]

/** What each stage means, for those who wonder why "Successful" is not the end. */
export const STAGE_MEANING: Record<RebalanceStage, string> = {
  pending: 'The trigger has not been written yet.',
  triggered: 'The trigger was written to the binding; nothing has moved yet.',
  scheduled: 'The scheduler has decided afresh; the members do not have it yet.',
  applied: 'Every member has what was decided for it.',
  healthy: 'All replicas are ready where they were put.',
  failed: 'It will not be rebalanced by this object.',
}

/** How many targets have come at least as far as the stage. */
export function reached(targets: readonly RebalanceTargetView[], stage: (typeof STAGES)[number]): number {
  const wanted = STAGES.indexOf(stage)
  return targets.filter((target) => stageIndex(target.stage) >= wanted).length
}

/** Position on the way; -1 for those that have not begun or failed. */
export function stageIndex(stage: RebalanceStage): number {
  return STAGES.findIndex((each) => each === stage)
}

/** The mark of one step of a target: done, under way, not yet, or where it failed. */
export function stepState(target: RebalanceTargetView, step: (typeof STAGES)[number]): State | 'none' {
  const at = stageIndex(target.stage)
  const index = STAGES.indexOf(step)
  if (target.stage === 'failed') return index === 0 ? 'fail' : 'none'
  if (index <= at) return 'ok'
  if (index > at + 1) return 'none'
  return target.state.state === 'ok' ? 'active' : target.state.state
}

/** What the API's result means, in words that promise nothing more. */
export function resultWord(result: string | undefined): string {
  if (result === undefined || result === '') return 'Not reported yet'
  return result === 'Successful' ? 'Trigger written' : result
}
