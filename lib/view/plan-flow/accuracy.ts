/** Accuracy of the predictions of finished plans. */
import { type Accuracy, accuracyOf } from '../../domain/rebalance/compare'
import type { PlanRunView } from '../rebalance-model'

/** Accuracy of one plan. */
export interface PlanAccuracy extends Accuracy {
  plan: string
  finishedAt: string
}

type Finished = Pick<PlanRunView, 'name' | 'finishedAt' | 'targets'>

/** Returns the accuracy of finished plans that moved a workload, latest first. */
export function accuracyOfPlans(plans: readonly Finished[]): PlanAccuracy[] {
  return plans
    .flatMap(({ name, finishedAt, targets }) =>
      finishedAt === undefined ? [] : [{ plan: name, finishedAt, ...accuracyOf(targets) }],
    )
    .filter(({ exact, missed }) => exact + missed > 0)
    .sort((a, b) => b.finishedAt.localeCompare(a.finishedAt) || a.plan.localeCompare(b.plan))
}

/** Returns the total of all of them. */
export function totalAccuracy(plans: readonly Accuracy[]): Accuracy {
  const sum = (field: keyof Accuracy): number => plans.reduce((all, each) => all + each[field], 0)
  return { exact: sum('exact'), missed: sum('missed'), misplaced: sum('misplaced') }
}
