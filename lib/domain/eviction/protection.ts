/** Tasks that only keep old copies during a rebalance. */
import type { GracefulEvictionTask } from '../../kube/kinds'

/** The producer of tasks by which a RebalancePlan keeps old copies until the new ones are ready. */
export const PLAN_PRODUCER = 'RebalancePlan'

/** Reports whether a task only keeps old copies of a plan: nothing had to leave, so it is no failover. */
export function isProtection({ producer }: Pick<GracefulEvictionTask, 'producer'>): boolean {
  return producer === PLAN_PRODUCER
}
