/** Why a workload moves, stays, or cannot be rebalanced: a code for programs and a sentence for people. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Strategy } from '../division'
import type { PlacementFailure } from '../placement'
import { counted, type Reason } from '../plan'
import type { Shift } from './distribution'
import { totalReplicas } from './readiness'

export type PlanReasonCode =
  | 'Moves' | RefusalCode | StayCode | 'LazyPolicyDiffers' | 'FewerReplicas' | 'BudgetTooTight' | RestoreCode

export type RefusalCode =
  | 'BindingNotFound' | 'Deleting' | 'NoPlacement' | 'Suspended' | 'DispatchingSuspended' | PlacementFailure['type']

/** Why a recorded distribution is not brought back. */
export type RestoreCode = 'Restores' | 'SchedulerDecides' | 'ReplicasChanged' | 'ClusterGone' | 'ClusterExcluded'

export type StayCode = 'NeverScheduled' | 'NotDivided' | 'StaticWeight' | 'AlreadyBest'

export interface PlanReason extends Reason {
  code: PlanReasonCode
}

const stays: Record<StayCode, string> = {
  NeverScheduled: 'It was never scheduled, so there is nothing to rebalance; it is placed as soon as that is possible.',
  NotDivided: 'It runs in full in each of its clusters, and the clusters that fit have not changed.',
  StaticWeight: 'Its static weights give the same distribution again; free capacity plays no part in them.',
  AlreadyBest: 'A fresh scheduling gives the distribution that it already has.',
}

export function describeStay(code: StayCode): PlanReason {
  return { code, text: stays[code] }
}

const refusals: Record<Exclude<RefusalCode, PlacementFailure['type']>, string> = {
  BindingNotFound: 'It has no binding: it does not exist, or no policy propagates it.',
  Deleting: 'It is being deleted.',
  NoPlacement: 'Its binding has no placement, so the scheduler does not touch it.',
  Suspended: 'Its scheduling is paused; a rebalance would only take effect when it is resumed.',
  DispatchingSuspended: 'Its dispatching is paused; members would not follow a new distribution.',
}

interface FailureDetail {
  failure: PlacementFailure
  /** Whether our scheduler keeps the copies where nothing fits. */
  keeps: boolean
}

/** Without a detail the code must be one that needs none. */
export function describeRefusal(code: RefusalCode, detail?: FailureDetail): PlanReason {
  if (code in refusals) return { code, text: refusals[code as keyof typeof refusals] }
  return { code, text: failureSentence(code as PlacementFailure['type'], detail) }
}

function failureSentence(type: PlacementFailure['type'], detail: FailureDetail | undefined): string {
  const cause = detail ? ` (${detail.failure.message.replace(/\.$/, '')})` : ''
  if (type === 'UnschedulableError') return `The clusters that fit have too little free capacity${cause}.`
  if (type === 'Error') return `The placement cannot be satisfied${cause}.`
  return detail?.keeps
    ? `No cluster fits now${cause}; the copies that run are kept.`
    : `No cluster fits now${cause}; a rebalance would remove the workload everywhere.`
}

export const lazyNote: PlanReason = {
  code: 'LazyPolicyDiffers',
  text: 'Its policy is lazy and asks for another placement; a rebalance uses the placement of the binding.',
}

/** How replicas are divided where nothing else made them move. */
export const DIVISION_RULES: Readonly<Record<Strategy, string>> = {
  Duplicated: 'every cluster that fits gets all replicas',
  StaticWeight: 'replicas follow the static weights',
  DynamicWeight: 'replicas follow the free capacity',
  Aggregated: 'replicas gather in as few clusters as have room',
}

interface Distributions {
  before: readonly TargetCluster[]
  after: readonly TargetCluster[]
  /** The rule that made it move, in words. */
  rule: string | undefined
}

/** `member1 gains 3; member2 gives 3: replicas follow the free capacity.` */
export function describeMove(shifts: readonly Shift[], { before, after, rule }: Distributions): PlanReason {
  const changes = shifts.length > 0 ? shifts.map(describeShift) : describeMembership(before, after)
  const why = rule ? `: ${rule}` : ''
  return { code: 'Moves', text: `${changes.join('; ')}${why}.` }
}

function describeShift({ cluster, by }: Shift): string {
  return by > 0 ? `${cluster} gains ${by}` : `${cluster} gives ${-by}`
}

function describeMembership(before: readonly TargetCluster[], after: readonly TargetCluster[]): string[] {
  const [old, now] = [before, after].map((list) => new Set(list.map(({ name }) => name))) as [Set<string>, Set<string>]
  return [
    ...[...now].filter((name) => !old.has(name)).map((name) => `${name} joins`),
    ...[...old].filter((name) => !now.has(name)).map((name) => `${name} leaves`),
  ]
}

/** A fresh scheduling would leave less than there is. */
export function describeLoss(before: readonly TargetCluster[], after: readonly TargetCluster[]): PlanReason {
  const [had, has] = [totalReplicas(before), totalReplicas(after)]
  const change = had === has
    ? `${counted(after.length, 'cluster')} instead of ${before.length}`
    : `${counted(has, 'replica')} instead of ${had}`
  return { code: 'FewerReplicas', text: `A fresh scheduling would leave ${change}, so it is held back.` }
}

/** The budget leaves no room for the move. */
export function describeTightBudget({ expected, floor }: { expected: number; floor: number }): PlanReason {
  return {
    code: 'BudgetTooTight',
    text: `Only ${counted(expected, 'replica')} would be ready on the way, and the budget asks for ${floor}.`,
  }
}

/** Why a recorded distribution is not brought back; `detail` completes the sentence. */
export function describeRestore(code: Exclude<RestoreCode, 'Restores'>, detail = ''): PlanReason {
  const texts = {
    SchedulerDecides: 'Its replicas are not divided, so the scheduler alone decides where it runs.',
    ReplicasChanged: `Its number of replicas was another then (${detail}).`,
    ClusterGone: `It cannot go back to ${detail}: gone, going, or driving workloads out.`,
    ClusterExcluded: `It cannot go back to ${detail}: its policy does not allow that any more.`,
  }
  return { code, text: texts[code] }
}
