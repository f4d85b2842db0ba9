import type { Text } from '@/lib/messages'
import type { State } from '@/lib/view/model'
import type { RebalancerView, RebalanceStage, RebalanceTargetView } from '@/lib/view/rebalance-model'

/** The stages of a target without failure, in order. Each implies the ones before it. */
export const STAGES = ['triggered', 'scheduled', 'applied', 'healthy'] as const satisfies RebalanceStage[]

/** Number of targets that have reached the stage: those in it or in a later one. */
export function reached(counts: RebalancerView['counts'], stage: (typeof STAGES)[number]): number {
  return STAGES.slice(STAGES.indexOf(stage)).reduce((sum, each) => sum + counts[each], 0)
}

/** Position of a stage; -1 for pending and failed targets. */
export function stageIndex(stage: RebalanceStage): number {
  return STAGES.findIndex((each) => each === stage)
}

/** The state of one step of a target: done, in progress, not reached, or failed. */
export function stepState(target: RebalanceTargetView, step: (typeof STAGES)[number]): State | 'none' {
  const at = stageIndex(target.stage)
  const index = STAGES.indexOf(step)
  if (target.stage === 'failed') return index === 0 ? 'fail' : 'none'
  if (index <= at) return 'ok'
  if (index > at + 1) return 'none'
  return target.state.state === 'ok' ? 'active' : target.state.state
}

/** The result of the API in words that do not promise a move: "Successful" means that the trigger was written. */
export function resultWord(text: Text, result: string | undefined): string {
  if (result === undefined || result === '') return text('rebalance.result.none')
  return result === 'Successful' ? text('rebalance.result.triggered') : result
}
