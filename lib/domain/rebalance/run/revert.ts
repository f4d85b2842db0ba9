/** Builds statuses of decisions that are not, or only partly, carried out. */
import type { RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { workloadKey } from '../sync-status'
import { isPending } from './stages'
import { statusCounts } from './status'

/**
 * Returns the status before a decision with the wave that the decision begins, in which every workload still waits for
 * its turn; undefined if it begins none. Written before the first workload is triggered, so that nothing that ends the
 * pass early makes a wave of the few workloads that were triggered by then.
 */
export function withOpenedWave(
  after: RebalancePlanStatus,
  before: RebalancePlanStatus,
): RebalancePlanStatus | undefined {
  const { wave, waves = [], conditions } = after
  if (wave === undefined || wave === before.wave) return undefined
  const taking = new Map((after.workloads ?? []).map((entry) => [workloadKey(entry.workload), entry]))
  const workloads = (before.workloads ?? []).map((entry) => {
    const { wave: number, replicasMoved = 0 } = taking.get(workloadKey(entry.workload)) ?? {}
    return isPending(entry) && number === wave ? { ...entry, wave, replicasMoved } : entry
  })
  return { ...before, wave, waves, workloads, ...(conditions && { conditions }) }
}

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
