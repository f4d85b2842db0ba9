/** Whether somebody could take a workload that is about to leave. */
import type { Cluster } from '../../kube/kinds/cluster'
import type { EpochMs } from '../../std/clock'
import type { EvictedSpec } from '../eviction'
import { scheduleBinding } from '../placement'
import type { FailoverBinding } from './binding'

/** Why no cluster could take it, as the scheduler says it; undefined when one could. */
export function lackOfSuccessor(
  binding: FailoverBinding, evicted: EvictedSpec, { clusters, now }: { clusters: readonly Cluster[]; now: EpochMs },
): string | undefined {
  return scheduleBinding({
    binding: { ...binding, spec: { ...binding.spec, ...evicted } },
    clusters,
    now,
    mode: 'Steady',
  }).failure?.message
}
