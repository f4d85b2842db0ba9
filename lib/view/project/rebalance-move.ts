/** The moves that rows of rebalancers and plans contain. */
import type { PlanStage, RebalanceMoveView, RebalanceStage } from '../rebalance-model'
import { replicasMoved } from './plan-record'

const MOVING: ReadonlySet<PlanStage | RebalanceStage> = new Set<PlanStage | RebalanceStage>([
  'Triggered',
  'Scheduled',
  'Applied',
  'triggered',
  'scheduled',
  'applied',
])

/**
 * Returns the move of a target that was triggered and is not healthy yet; none unless replicas change cluster: one
 * cluster loses some and another gains some.
 */
export function moveOf(
  stage: PlanStage | RebalanceStage,
  { id, before, after }: RebalanceMoveView,
): RebalanceMoveView[] {
  const isMoving = MOVING.has(stage) && replicasMoved(before, after) > 0 && replicasMoved(after, before) > 0
  return isMoving ? [{ id, before, after }] : []
}
