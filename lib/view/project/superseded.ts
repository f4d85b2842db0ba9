/** Decides whether a binding's trigger is newer than a rebalance, from another one or from a user. */
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
  /** All rebalancers that list the target, possibly including this one. */
  naming: readonly Rebalancer[]
}

/**
 * A rebalancer writes the later of its creation and one second after the last success, and successes may be dated a
 * second ahead. Its own time stamp can be this much after its finish time.
 */
const SLACK_MS = 3000

/**
 * A later time stamp alone is no proof, because a rebalancer may write a later one than its creation. It belongs to
 * another rebalance if a younger rebalancer lists the target and existed by then, or if it is later than the end of
 * this one.
 */
export function isSuperseded({ rebalancer, triggeredAt, movedByPlanAt, naming }: TriggerSnapshot): boolean {
  const created = createdAt(rebalancer)
  // A plan may restore a placement without a trigger, and removes an existing one.
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
