/** Handles decisions of which some writes failed. */
import type { RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { workloadKey } from '../sync-status'
import { statusCounts } from './status'

/** Returns the status without the progress of workloads whose write failed, so that they are decided again. */
export function withoutFailed(
  after: RebalancePlanStatus,
  before: RebalancePlanStatus,
  failed: ReadonlySet<string>,
): RebalancePlanStatus {
  if (failed.size === 0) return after
  const old = new Map((before.workloads ?? []).map((entry) => [workloadKey(entry.workload), entry]))
  const workloads = (after.workloads ?? []).map((entry) => {
    const key = workloadKey(entry.workload)
    return failed.has(key) ? (old.get(key) ?? entry) : entry
  })
  const waves = (after.waves ?? []).flatMap((wave) => {
    const taking = workloads.filter((entry) => entry.wave === wave.number)
    const replicasMoved = taking.reduce((sum, entry) => sum + (entry.replicasMoved ?? 0), 0)
    return taking.length > 0 ? [{ ...wave, workloads: taking.length, replicasMoved }] : []
  })
  const { wave: _, ...rest } = after
  const last = waves.at(-1)
  return { ...rest, workloads, waves, ...(last && { wave: last.number }), ...statusCounts(workloads) }
}
