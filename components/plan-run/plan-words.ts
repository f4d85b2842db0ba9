import type { State } from '@/lib/view/model'
import type { PlanAct, PlanRunTargetView, PlanRunView, PlanStage } from '@/lib/view/rebalance-model'

/** Phases in words. */
export const PHASE_WORDS: Record<PlanRunView['phase'], string> = {
  Pending: 'Computing',
  AwaitingApproval: 'Waits for approval',
  Running: 'Running',
  Paused: 'Paused',
  Held: 'Stopped by itself',
  Stopping: 'Stopping',
  Stopped: 'Stopped',
  Completed: 'Completed',
  Invalid: 'Cannot be done',
}

/** What a plan is called in lists: its name, or what it undoes. */
export const planTitle = ({ name, undoOf }: Pick<PlanRunView, 'name' | 'undoOf'>): string =>
  undoOf === undefined ? name : `Undo of ${undoOf}`

export const ACT_WORDS: Record<PlanAct, string> = {
  approve: 'Approve this plan',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  continue: 'Go on',
  discard: 'Discard',
  undo: 'Undo…',
}

/** What each act does, for those who hesitate. */
export const ACT_MEANING: Record<PlanAct, string> = {
  approve: 'Runs exactly what is shown. When the fleet has changed since, it asks again instead.',
  pause: 'No further wave begins; what is on its way is finished.',
  resume: 'The next wave may begin.',
  stop: 'No further wave ever begins; what is on its way is finished.',
  continue: 'Goes on after this stop; the next regression stops it again.',
  discard: 'Deletes the plan. Nothing was moved by it.',
  undo: 'Makes a plan that brings back where everything was, and shows it first.',
}

/** The steps of a workload that goes well. */
export const PLAN_STEPS = ['Triggered', 'Scheduled', 'Applied', 'Healthy', 'Done'] as const satisfies PlanStage[]

/** What has begun and not ended. */
export const MOVING_STAGES = PLAN_STEPS.filter((step) => step !== 'Done')

export const STEP_MEANING: Record<PlanStage, string> = {
  Pending: 'Its wave has not begun.',
  Triggered: 'The scheduler was asked; it has not decided yet.',
  Scheduled: 'It is decided where the replicas go; the members do not have it yet.',
  Applied: 'Every member has what was decided for it.',
  Healthy: 'The new copies are ready; old ones may still be there.',
  Done: 'Ready where they were put, and the old copies are gone.',
  Skipped: 'It does not move.',
  Failed: 'It did not arrive.',
}

/** The mark of one step: done, under way, not yet, or where it failed. */
export function planStepState(target: PlanRunTargetView, step: (typeof PLAN_STEPS)[number]): State | 'none' {
  const at = PLAN_STEPS.findIndex((each) => each === target.stage)
  const index = PLAN_STEPS.indexOf(step)
  if (target.stage === 'Failed') return index === 0 ? 'fail' : 'none'
  if (index <= at) return 'ok'
  return index === at + 1 && at >= 0 ? 'active' : 'none'
}
