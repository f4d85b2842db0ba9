/** Computes pod deletion costs per subset, so that a workload scales down the last subset first. */
import type { Pod, SpreadSubset, WorkloadSpreadSpec } from '../../kube/kinds'
import { orderForDeletion } from './delete-order'
import type { PodGroups } from './group-pods'
import { limitOf } from './limits'
import { COST_STEP, DELETION_COST_ANNOTATION, NO_SUBSET } from './names'
import { isActive } from './pod-facts'
import type { SpreadRules } from './rules'

/** The new cost of a pod. */
export interface CostChange {
  pod: Pod
  cost: string
}

export interface CostSnapshot {
  subsets: readonly SpreadSubset[]
  /** Pods of one revision. */
  groups: PodGroups
  size: number
  /** Whether the revision is being replaced: the order of the subsets is then reversed. */
  old: boolean
  rules: Pick<SpreadRules, 'oneShareParser'>
}

const SORTED_KINDS: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'CloneSet'])

/** Reports whether the workload honors the deletion costs of its pods. */
export function honorsDeletionCost({ kind }: WorkloadSpreadSpec['targetRef']): boolean {
  return SORTED_KINDS.has(kind)
}

/** Returns the cost of a pod within the limit of its subset, by the position of the subset out of `count`. */
export const keepCost = (position: number, count: number): number => COST_STEP * (count - position)

/** Returns the cost of a surplus pod. */
export const surplusCost = (position: number): number => -COST_STEP * (position + 1)

/** Returns the costs to change. Subsets with an invalid or negative limit are skipped. */
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
