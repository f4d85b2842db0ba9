/** Counts the workloads of finished plans that ended where the preview predicted. */
import { type Accuracy, accuracyOf } from '@/lib/domain/rebalance'
import type { RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import type { Stop } from '@/lib/std/clock'
import { totalAccuracy } from '@/lib/view/plan-flow/accuracy'
import type { Informer } from '@/server/kube/informer'
import type { PredictionMetrics } from '../metrics-hooks'

/** Reports the sums whenever a plan finishes or is deleted. */
export function followPredictions(
  plans: Informer<RebalancePlanObject>,
  metrics: Pick<PredictionMetrics, 'predictions'>,
): Stop {
  const byPlan = new Map<string, Accuracy>()
  return plans.onChange((change) => {
    const plan = change.type === 'deleted' ? change.old : change.object
    const { name } = plan.metadata
    const isCounted = change.type !== 'deleted' && plan.status?.finishedAt !== undefined
    if (!isCounted && !byPlan.delete(name)) return
    if (isCounted) byPlan.set(name, accuracyOf(plan.status?.workloads ?? []))
    const { exact, missed } = totalAccuracy([...byPlan.values()])
    metrics.predictions(exact, missed)
  })
}
