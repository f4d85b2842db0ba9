/** Notes how many workloads of finished plans ended where the preview put them, also for when the plans are deleted. */
import { accuracyOf } from '@/lib/domain/rebalance'
import type { RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import type { Stop } from '@/lib/std/clock'
import { type PlanAccuracy, totalAccuracy } from '@/lib/view/plan-flow/accuracy'
import type { Informer } from '@/server/kube/informer'
import type { PredictionMetrics } from '../metrics-hooks'
import type { Journal } from './journal'

/** Writes one entry for each finished plan with moves, and exposes the sums of all stored ones. */
export function followPredictions(
  plans: Informer<RebalancePlanObject>,
  {
    journal,
    metrics,
  }: { journal: Pick<Journal, 'accuracies' | 'note'>; metrics: Pick<PredictionMetrics, 'predictions'> },
): Stop {
  const notify = (): void => {
    if (journal.accuracies.length === 0) return
    const { exact, missed } = totalAccuracy(journal.accuracies)
    metrics.predictions(exact, missed)
  }
  notify()
  return plans.onChange((change) => {
    const accuracy = change.type === 'deleted' ? undefined : finishedAccuracy(change.object)
    if (!accuracy || journal.accuracies.some((known) => isSame(known, accuracy))) return
    journal.note([{ what: 'accuracy', ...accuracy }], false)
    notify()
  })
}

function finishedAccuracy({ metadata, status }: RebalancePlanObject): PlanAccuracy | undefined {
  if (status?.finishedAt === undefined) return undefined
  const accuracy = accuracyOf(status.workloads ?? [])
  return accuracy.exact + accuracy.missed === 0
    ? undefined
    : { plan: metadata.name, finishedAt: status.finishedAt, ...accuracy }
}

const isSame = (one: PlanAccuracy, other: PlanAccuracy): boolean =>
  one.plan === other.plan && one.finishedAt === other.finishedAt
