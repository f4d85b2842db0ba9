/** Accuracy of the predictions of finished plans. */
import { type Accuracy, accuracyOf } from '../../domain/rebalance/compare'
import type { PlanRowView, PlanRunView } from '../rebalance-model'

/** Accuracy of one plan, or of one rebalancer. */
export interface PlanAccuracy extends Accuracy {
  /** Its name. */
  plan: string
  /** A WorkloadRebalancer, not a plan. */
  rebalancer?: true
  finishedAt: string
}

type Finished = Pick<PlanRowView, 'name' | 'finishedAt' | 'accuracy'>

/**
 * Of each plan that moved a workload and has finished, the latest first. `kept`: what was noted when plans finished; some
 * of them are deleted.
 */
export function accuracyOfPlans(plans: readonly Finished[], kept: readonly PlanAccuracy[] = []): PlanAccuracy[] {
  const present = plans.flatMap(({ name, finishedAt, accuracy }) =>
    finishedAt === undefined || accuracy === undefined ? [] : [{ plan: name, finishedAt, ...accuracy }],
  )
  const known = new Set(present.map(keyOf))
  return [...present, ...kept.filter((accuracy) => !known.has(keyOf(accuracy)))]
    .filter(({ exact, missed }) => exact + missed > 0)
    .sort((a, b) => b.finishedAt.localeCompare(a.finishedAt) || a.plan.localeCompare(b.plan))
}

const keyOf = ({ plan, finishedAt }: PlanAccuracy): string => `${plan} ${finishedAt}`

/** Of the workloads of one plan whose result is known. */
export const accuracyOfTargets = (targets: PlanRunView['targets']): Accuracy => accuracyOf(targets)

/** Of all of them together. */
export function totalAccuracy(plans: readonly Accuracy[]): Accuracy {
  const sum = (field: keyof Accuracy): number => plans.reduce((all, each) => all + (each[field] ?? 0), 0)
  const announced = sum('announced')
  return {
    exact: sum('exact'),
    missed: sum('missed'),
    misplaced: sum('misplaced'),
    ...(announced > 0 && { announced }),
  }
}
