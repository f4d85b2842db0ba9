/** What the eviction of one binding is judged by: the same for the loop and for the views. */
import type { BindingSpec, BindingStatus } from '../../kube/kinds/binding'
import type { EpochMs } from '../../std/clock'
import type { EvictionSnapshot } from './assess'

/** How evictions are judged, besides the objects. */
export type EvictionRules = Pick<
  EvictionSnapshot,
  'timeoutMs' | 'emptyCountsAsHealthy' | 'extendGrace' | 'countReplicas' | 'knownClusters'
>

const TIMEOUT_MS = 600_000

/** The rules of our loop, or those of upstream; `timeoutMs` is the grace of tasks that name none, ten minutes by default. */
export function evictionRules(
  { timeoutMs = TIMEOUT_MS, upstream = false }: { timeoutMs?: number | undefined; upstream?: boolean | undefined } = {},
): EvictionRules {
  return { timeoutMs, emptyCountsAsHealthy: upstream, extendGrace: !upstream, countReplicas: !upstream }
}

interface EvictedBinding {
  metadata: { generation?: number }
  spec: BindingSpec
  status?: BindingStatus
}

/** Everything that `assessEvictionTasks` reads of a binding. */
export function evictionSnapshotOf<R extends EvictionRules>(
  { metadata, spec, status }: EvictedBinding, now: EpochMs, rules: R,
): EvictionSnapshot & R {
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
