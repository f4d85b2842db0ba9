/** What the pods of each subset weigh, so that a workload gives up the last subset first. */
import type { Pod, SpreadSubset, WorkloadSpreadSpec } from '../../kube/kinds'
import { orderForDeletion } from './delete-order'
import type { PodGroups } from './group-pods'
import { limitOf } from './limits'
import { COST_STEP, DELETION_COST_ANNOTATION, NO_SUBSET } from './names'
import { isActive } from './pod-facts'
import type { SpreadRules } from './rules'

/** The cost that a pod is to have. */
export interface CostChange {
  pod: Pod
  cost: string
}

export interface CostSnapshot {
  subsets: readonly SpreadSubset[]
  /** Pods of one revision. */
  groups: PodGroups
  size: number
  /** Of a revision that is being replaced: the order of the subsets is turned round. */
  old: boolean
  rules: Pick<SpreadRules, 'oneShareParser'>
}

const SORTED_KINDS: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'CloneSet'])

/** True for workloads that heed the cost of their pods. */
export function heedsCosts({ kind }: WorkloadSpreadSpec['targetRef']): boolean {
  return SORTED_KINDS.has(kind)
}

/** What a pod weighs that its subset keeps, by the position of the subset out of `count`. */
export const keepCost = (position: number, count: number): number => COST_STEP * (count - position)

/** What a pod weighs that is one too many for its subset. */
export const surplusCost = (position: number): number => -COST_STEP * (position + 1)

/** Costs that have to change. Subsets whose limit cannot be read, or is negative, are left as they are. */
export function planDeletionCosts({ subsets, groups, size, old, rules }: CostSnapshot): CostChange[] {
  const count = subsets.length
  const changes = subsets.flatMap((subset, index) => {
    const position = old ? count - 1 - index : index
    const limit = limitOf(subset.maxReplicas, size, rules.oneShareParser ? 'strict' : 'lenient')
    if (!limit.ok || (limit.value ?? 0) < 0) return []
    const { kept, surplus } = divide((groups.get(subset.name) ?? []).filter(isActive), limit.value)
    return [...changesTo(kept, keepCost(position, count)), ...changesTo(surplus, surplusCost(position))]
  })
  return [...changes, ...changesTo((groups.get(NO_SUBSET) ?? []).filter(isActive), surplusCost(count))]
}

function divide(pods: readonly Pod[], limit = Infinity): { kept: readonly Pod[]; surplus: readonly Pod[] } {
  if (limit >= pods.length) return { kept: pods, surplus: [] }
  const ordered = orderForDeletion(pods)
  return { surplus: ordered.slice(0, pods.length - limit), kept: ordered.slice(pods.length - limit) }
}

function changesTo(pods: readonly Pod[], cost: number): CostChange[] {
  const text = String(cost)
  const others = pods.filter(({ metadata }) => metadata.annotations?.[DELETION_COST_ANNOTATION] !== text)
  return others.map((pod) => ({ pod, cost: text }))
}
