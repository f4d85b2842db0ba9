/** Builds the input of the eviction assessment, identical for the controller and the views. */
import { FAILOVER_DEFAULTS } from '../../kube/failover-defaults'
import type { BindingSpec, BindingStatus } from '../../kube/kinds/binding'
import type { EpochMs } from '../../std/clock'
import type { EvictionSnapshot } from './assess'

/** Rules of the assessment that do not depend on objects. */
export type EvictionRules = Required<
  Pick<EvictionSnapshot, 'timeoutMs' | 'emptyCountsAsHealthy' | 'extendGrace' | 'countReplicas' | 'dropReturned'>
>

/** Settings of the graceful eviction controller. */
export interface EvictionSettings {
  /** Grace period of tasks without one. Default ten minutes. */
  gracefulEvictionTimeoutMs?: number | undefined
  /** Whether evictions end by the rules of upstream. Default false. */
  upstreamEviction?: boolean | undefined
}

/** Returns the rules by which the controller and all views assess evictions. */
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

/** Returns what `assessEvictionTasks` reads of a binding. */
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
