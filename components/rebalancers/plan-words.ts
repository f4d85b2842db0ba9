import type { Text } from '@/lib/messages'
import type { State } from '@/lib/view/model'
import type { PlanRunTargetView, PlanRunView, PlanStage } from '@/lib/view/rebalance-model'

/** The title of a plan in lists: its name, or the name of the plan that it undoes. */
export const planTitle = (text: Text, { name, undoOf }: Pick<PlanRunView, 'name' | 'undoOf'>): string =>
  undoOf === undefined ? name : text('plan.undoOf', { plan: undoOf })

/** The stages of a workload without failure, in order. */
export const PLAN_STEPS = ['Triggered', 'Scheduled', 'Applied', 'Healthy', 'Done'] as const satisfies PlanStage[]

/** The stages of a workload that is in progress. */
export const MOVING_STAGES = PLAN_STEPS.filter((step) => step !== 'Done')

/** The state of one step: done, in progress, not reached, or failed. */
export function planStepState(target: PlanRunTargetView, step: (typeof PLAN_STEPS)[number]): State | 'none' {
  const at = PLAN_STEPS.findIndex((each) => each === target.stage)
  const index = PLAN_STEPS.indexOf(step)
  if (target.stage === 'Failed') return index === 0 ? 'fail' : 'none'
  if (index <= at) return 'ok'
  return index === at + 1 && at >= 0 ? 'active' : 'none'
}
