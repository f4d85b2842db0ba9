/** The words of workloads that an act stops. */
import { formatNumberOf, joinWords } from '@/lib/format'
import type { PlanLossView } from '@/lib/view/failover-model'
import type { PlanRunView, RebalancePlanView } from '@/lib/view/rebalance-model'
import { nameOf } from '../hooks/filter'

/** The workloads that a rebalance would leave without ready replicas, or without a cluster. */
export function lossesOfRebalance({ targets }: RebalancePlanView): PlanLossView[] {
  return targets.flatMap(({ id, ref, verdict, ready, removed = false, reason }) => {
    const stops = (verdict === 'moves' || removed) && ready.now > 0 && ready.lowest === 0
    if (!stops && !removed) return []
    return [{ id, ref, ready: ready.now, stops, unplaced: removed, reason: removed ? reason : REPLACED }]
  })
}

const REPLACED = 'The old replicas go before the new ones are ready.'

/**
 * The workloads that a plan would leave without ready replicas, or without a cluster, if it were approved now. A plan
 * records how many stay ready at least; `readyOf` tells how many are ready now.
 */
export function lossesOfApproval(
  { targets, acts }: Pick<PlanRunView, 'targets' | 'acts'>, readyOf: (id: string) => number,
): PlanLossView[] {
  if (!acts.includes('approve')) return []
  return targets.flatMap(({ id, ref, stage, predicted, ready: { expected }, state }) => {
    if (stage !== 'Pending') return []
    const unplaced = predicted.length === 0
    const ready = readyOf(id)
    const stops = ready > 0 && (unplaced || expected === 0)
    return stops || unplaced ? [{ id, ref, ready, stops, unplaced, reason: unplaced ? state.reason : REPLACED }] : []
  })
}

/** `1 workload is left without ready replicas: shop/web. No cluster takes 1 workload: shop/api.` */
export function lossSummary(losses: readonly PlanLossView[]): string {
  const [stopped, unplaced] = [losses.filter(({ stops }) => stops), losses.filter((loss) => loss.unplaced)]
  const named = (some: readonly PlanLossView[]): string => joinWords(some.map(({ ref }) => nameOf(ref)), 5)
  return [
    ...(stopped.length > 0
      ? [`${formatNumberOf(stopped.length, 'workload')} ${stopped.length === 1 ? 'is' : 'are'} left without ready replicas: ${named(stopped)}.`]
      : []),
    ...(unplaced.length > 0 ? [`No cluster can take ${formatNumberOf(unplaced.length, 'workload')}: ${named(unplaced)}.`] : []),
  ].join(' ')
}

/** `Drain and stop 1 workload`; `usual` where nothing stops. */
export function lossButton(verb: string, usual: string, losses: readonly PlanLossView[]): string {
  const stopped = losses.filter(({ stops }) => stops).length
  if (stopped > 0) return `${verb} and stop ${formatNumberOf(stopped, 'workload')}`
  const unplaced = losses.filter((loss) => loss.unplaced).length
  return unplaced > 0 ? `${verb} and leave ${formatNumberOf(unplaced, 'workload')} without a cluster` : usual
}

/** Workloads that no cluster takes need a confirmation of their own. */
export const needsConfirmation = (losses: readonly PlanLossView[]): boolean => losses.some(({ unplaced }) => unplaced)
