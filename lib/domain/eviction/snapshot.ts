/** What the eviction of one binding is judged by: the same for the loop and for the views. */
import { FAILOVER_DEFAULTS } from '../../kube/failover-defaults'
import type { BindingSpec, BindingStatus } from '../../kube/kinds/binding'
import type { EpochMs } from '../../std/clock'
import type { EvictionSnapshot } from './assess'

/** How evictions are judged, besides the objects. */
export type EvictionRules = Required<
  Pick<EvictionSnapshot, 'timeoutMs' | 'emptyCountsAsHealthy' | 'extendGrace' | 'countReplicas' | 'dropReturned'>
>

/** How the eviction loop is set. */
export interface EvictionSettings {
  /** Grace of tasks that name none. Default ten minutes. */
  gracefulEvictionTimeoutMs?: number | undefined
  /** Whether evictions end by the rules of upstream. Default false. */
  upstreamEviction?: boolean | undefined
}

/** The rules that the loop and every view judge by. */
export function evictionRules({
  gracefulEvictionTimeoutMs: timeoutMs = FAILOVER_DEFAULTS.gracePeriodSeconds * 1000,
  upstreamEviction: upstream = false,
}: EvictionSettings = {}): EvictionRules {
  return {
    timeoutMs,
    emptyCountsAsHealthy: upstream,
    extendGrace: !upstream,
    countReplicas: !upstream,
    dropReturned: !upstream,
  }
}

interface EvictedBinding {
  metadata: { generation?: number }
  spec: BindingSpec
  status?: BindingStatus
}

/** Everything that `assessEvictionTasks` reads of a binding. */
export function evictionSnapshotOf(
  { metadata, spec, status }: EvictedBinding,
  now: EpochMs,
  rules: EvictionRules,
): EvictionSnapshot {
  return {
    ...rules,
    now,
    generation: metadata.generation ?? 0,
    schedulerObservedGeneration: status?.schedulerObservedGeneration ?? 0,
    clusters: spec.clusters ?? [],
    tasks: spec.gracefulEvictionTasks ?? [],
    aggregatedStatus: status?.aggregatedStatus ?? [],
  }
}
