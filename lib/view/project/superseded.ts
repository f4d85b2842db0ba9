/** Whether the trigger that a binding carries came after a rebalance, from another one or by hand. */
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { parseTime } from '@/lib/std/clock'

type Rebalancer = {
  metadata: Pick<WorkloadRebalancer['metadata'], 'creationTimestamp'>
  status?: { finishTime?: string }
}

export interface TriggerSnapshot {
  rebalancer: Rebalancer
  /** `spec.rescheduleTriggeredAt` of the binding. */
  triggeredAt: string | undefined
  /** When a plan last moved the target. */
  movedByPlanAt?: string | undefined
  /** All rebalancers that name the target; the rebalancer itself may be among them. */
  naming: readonly Rebalancer[]
}

/**
 * A rebalancer stamps the later of its creation and one second after the last success, and successes may be dated a
 * second ahead: so far beyond the end of its work its own stamp can lie.
 */
const SLACK_MS = 3000

/**
 * A later stamp alone proves nothing, because a rebalancer may stamp later than its creation. It is foreign when a
 * younger rebalancer names the target and was created by then, or when it lies beyond the end of this one's work.
 */
export function isSuperseded({ rebalancer, triggeredAt, movedByPlanAt, naming }: TriggerSnapshot): boolean {
  const created = createdAt(rebalancer)
  // A plan may restore a placement without a trigger, and removes the one that is there.
  if (movedByPlanAt !== undefined && parseTime(movedByPlanAt) > created) return true
  if (triggeredAt === undefined) return false
  const stamp = parseTime(triggeredAt)
  if (stamp <= created) return false
  if (naming.some((other) => createdAt(other) > created && createdAt(other) <= stamp)) return true
  const finishTime = rebalancer.status?.finishTime
  return finishTime !== undefined && stamp > parseTime(finishTime) + SLACK_MS
}

function createdAt({ metadata }: Rebalancer): number {
  return parseTime(metadata.creationTimestamp)
}
