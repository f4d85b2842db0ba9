/** Tasks that keep old replicas during a rebalance. */
import type { GracefulEvictionTask } from '../../kube/kinds'

/** The producer of tasks by which a RebalancePlan keeps old replicas until the new ones are ready. */
export const PLAN_PRODUCER = 'RebalancePlan'

/** Reports whether a task only keeps old replicas of a plan. Such a task is no eviction, so no failover. */
export function isProtection({ producer }: Pick<GracefulEvictionTask, 'producer'>): boolean {
  return producer === PLAN_PRODUCER
}
