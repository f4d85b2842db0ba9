/** The texts about workloads that an action stops. */
import type { Text } from '@/lib/messages'
import { isMessage, message } from '@/lib/messages/message'
import type { PlanLossView } from '@/lib/view/failover-model'
import type { PlanRunView, RebalancePlanView } from '@/lib/view/rebalance-model'
import { nameOf } from '@/lib/view/workload-id'

/** The workloads that a rebalance would leave without ready replicas, or without a cluster. */
export function lossesOfRebalance({ targets }: RebalancePlanView): PlanLossView[] {
  return targets.flatMap(({ id, ref, verdict, ready, removed = false, reason }) => {
    const stops = (verdict === 'moves' || removed) && ready.now > 0 && ready.lowest === 0
    if (!stops && !removed) return []
    return [{ id, ref, ready: ready.now, stops, unplaced: removed, reason: removed ? reason : REPLACED }]
  })
}

const REPLACED = message('plan.losses.deletedEarly')

/**
 * The workloads that a plan would leave without ready replicas, or without a cluster, if it were approved now. A plan
 * records how many stay ready at least; `readyOf` returns how many are ready now.
 */
export function lossesOfApproval(
  { targets, actions }: Pick<PlanRunView, 'targets' | 'actions'>,
  readyOf: (id: string) => number,
): PlanLossView[] {
  if (!actions.includes('approve')) return []
  return targets.flatMap(({ id, ref, stage, predicted, ready: { expected }, state }) => {
    if (stage !== 'Pending') return []
    const unplaced = predicted.length === 0
    const ready = readyOf(id)
    const stops = ready > 0 && (unplaced || expected === 0)
    return stops || unplaced ? [{ id, ref, ready, stops, unplaced, reason: unplaced ? state.reason : REPLACED }] : []
  })
}

/** `1 workload will have no ready replicas: shop/web. No cluster can run 1 workload: shop/api.` */
export function lossSummary(text: Text, losses: readonly PlanLossView[]): string {
  const [stopped, unplaced] = [losses.filter(({ stops }) => stops), losses.filter((loss) => loss.unplaced)]
  const of = (some: readonly PlanLossView[]) => ({
    n: some.length,
    workloads: text.format.list(
      some.map(({ ref }) => nameOf(ref)),
      5,
    ),
  })
  return [
    ...(stopped.length > 0 ? [text('plan.losses.stopped', of(stopped))] : []),
    ...(unplaced.length > 0 ? [text('plan.losses.unplaced', of(unplaced))] : []),
  ].join(' ')
}

const LOSING = ['rebalance', 'approve', 'drain', 'evict'] as const

/** `Rebalance and stop 1 workload`; `usual` if nothing stops. The action names the effect of the button. */
export function lossButton(text: Text, action: string, usual: string, losses: readonly PlanLossView[]): string {
  const verb = LOSING.find((each) => each === action) ?? 'other'
  const stopped = losses.filter(({ stops }) => stops).length
  if (stopped > 0) return text(`plan.losses.stop.${verb}`, { n: stopped })
  const unplaced = losses.filter((loss) => loss.unplaced).length
  return unplaced > 0 ? text(`plan.losses.unplaced.${verb}`, { n: unplaced }) : usual
}

/**
 * The sentence about workloads that are left out because the scheduler of this control plane would remove them
 * everywhere; undefined without any.
 */
export function spared(text: Text, { targets }: RebalancePlanView): string | undefined {
  const names = targets
    .filter(({ verdict, reason }) => verdict === 'refused' && isMessage(reason) && reason.code === REMOVED_EVERYWHERE)
    .map(({ ref }) => nameOf(ref))
  return names.length === 0
    ? undefined
    : text('plan.summary.spared', { n: names.length, workloads: text.format.list(names, 5) })
}

const REMOVED_EVERYWHERE = 'rebalance.refused.RemovedEverywhere'

/** Reports whether a loss needs its own confirmation: a workload that no cluster can run. */
export const needsConfirmation = (losses: readonly PlanLossView[]): boolean => losses.some(({ unplaced }) => unplaced)
