/** Explains why a workload moves, stays, or cannot be rebalanced. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { type Message, message } from '@/lib/messages/message'
import type { PlacementFailure } from '../placement'
import { because, type Reason } from '../plan'
import type { Shift } from './distribution'
import { totalReplicas } from './readiness'

export type PlanReason = Reason<Message>

/** Refused before the scheduler runs. */
export type RefusalCode = 'BindingNotFound' | 'Deleting' | 'NoPlacement' | 'Suspended' | 'DispatchingSuspended'

export type StayCode = 'NeverScheduled' | 'NoReplicas' | 'NotDivided' | 'StaticWeight' | 'AlreadyBest'

export const describeStay = (code: StayCode): PlanReason => because(message(`rebalance.stays.${code}`))

export const describeRefusal = (code: RefusalCode): PlanReason => because(message(`rebalance.refused.${code}`))

/** Returns why the scheduler finds no placement. `keeps`: it keeps the running replicas if no cluster fits. */
export function describeFailure(
  type: PlacementFailure['type'],
  { cause, keeps }: { cause: Message | string; keeps: boolean },
): PlanReason {
  const args = { cause }
  return type === 'FitError' && !keeps
    ? because(type, message('rebalance.refused.RemovedEverywhere', args))
    : because(message(`rebalance.refused.${type}`, args))
}

export const LAZY_NOTE: PlanReason = because(message('rebalance.note.LazyPolicyDiffers'))

interface Distributions {
  before: readonly TargetCluster[]
  after: readonly TargetCluster[]
  /** The scheduling rule that causes the move. */
  rule: Message | undefined
}

/** Returns `member1 gains 3 replicas and member2 loses 3 replicas: replicas follow the free capacity.` */
export function describeMove(shifts: readonly Shift[], { before, after, rule }: Distributions): PlanReason {
  const changes = shifts.length > 0 ? shifts.map(describeShift) : describeMembership(before, after)
  return because(
    'Moves',
    rule ? message('rebalance.moves.because', { changes, rule }) : message('rebalance.moves.Moves', { changes }),
  )
}

const describeShift = ({ cluster, by }: Shift): Message =>
  by > 0 ? message('rebalance.moves.gains', { cluster, n: by }) : message('rebalance.moves.loses', { cluster, n: -by })

function describeMembership(before: readonly TargetCluster[], after: readonly TargetCluster[]): Message[] {
  const [old, now] = [before, after].map((list) => new Set(list.map(({ name }) => name))) as [Set<string>, Set<string>]
  return [
    ...[...now].filter((cluster) => !old.has(cluster)).map((cluster) => message('rebalance.moves.joins', { cluster })),
    ...[...old].filter((cluster) => !now.has(cluster)).map((cluster) => message('rebalance.moves.leaves', { cluster })),
  ]
}

/** Returns the refusal for a fresh scheduling with fewer replicas or fewer clusters. */
export function describeLoss(before: readonly TargetCluster[], after: readonly TargetCluster[]): PlanReason {
  const [had, has] = [totalReplicas(before), totalReplicas(after)]
  return had === has
    ? because('FewerReplicas', message('rebalance.refused.FewerClusters', { now: after.length, before: before.length }))
    : because(message('rebalance.refused.FewerReplicas', { now: has, before: had }))
}

/** Returns the refusal for a move during which too few replicas would stay ready. */
export const describeTightBudget = ({ expected, floor }: { expected: number; floor: number }): PlanReason =>
  because(message('rebalance.refused.BudgetTooTight', { expected, floor }))
