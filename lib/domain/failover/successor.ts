/** Simulates whether a cluster could take a workload that is about to be evicted. */
import type { Cluster } from '../../kube/kinds/cluster'
import type { Message } from '../../messages/message'
import type { EpochMs } from '../../std/clock'
import type { EvictedSpec } from '../eviction'
import { explainFailure, scheduleBinding } from '../placement'
import type { FailoverBinding } from './binding'

/** Returns why no cluster could take it, by affinity group; undefined when one could. */
export function lackOfSuccessor(
  binding: FailoverBinding,
  evicted: EvictedSpec,
  { clusters, now }: { clusters: readonly Cluster[]; now: EpochMs },
): Message | string | undefined {
  const left = { ...binding, spec: { ...binding.spec, ...evicted } }
  return explainFailure(scheduleBinding({ binding: left, clusters, now, mode: 'Steady' }), clusters)
}
