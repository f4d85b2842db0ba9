/**
 * Simulates clusters that fail or are drained: their taints, when they evict a workload, and the binding after the
 * eviction.
 */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { type EpochMs, isoTime } from '@/lib/std/clock'
import { decideNoExecute, evictCluster } from '../eviction'
import type { Binding } from '../placement'

/** `fails`: the cluster stops answering and is tainted. `drained`: an operator taints it. */
export type FailureCause = 'fails' | 'drained'

type Taints = NonNullable<Cluster['spec']['taints']>

const TAINT_KEYS = { fails: 'cluster.karmada.io/not-ready', drained: 'evenkeel.io/drained' } as const

/** Returns the taints of a cluster that fails or is drained now. */
export function taintsOf(cause: FailureCause, now: EpochMs): Taints {
  return (['NoSchedule', 'NoExecute'] as const).map((effect) => ({
    key: TAINT_KEYS[cause],
    effect,
    timeAdded: isoTime(now),
  }))
}

export function withTaints(cluster: Cluster, taints: Taints): Cluster {
  return { ...cluster, spec: { ...cluster.spec, taints: [...(cluster.spec.taints ?? []), ...taints] } }
}

/** Returns when the taints evict the workload: at once, after seconds, or never. */
export function toleration(binding: Binding, taints: Taints, now: EpochMs): 'now' | 'never' | number {
  const appliedPlacement =
    binding.metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION] ?? JSON.stringify(binding.spec.placement ?? {})
  const verdict = decideNoExecute({ now, taints, appliedPlacement })
  if (verdict.decision === 'after') return Math.round((verdict.deadline - now) / 1000)
  return verdict.decision === 'never' ? 'never' : 'now'
}

/** Returns the binding after eviction from all of these clusters at once. */
export function evictedFrom(binding: Binding, clusters: ReadonlySet<string>): Binding {
  const cause = { producer: 'TaintManager', reason: 'TaintUntolerated', purgeMode: 'Gracefully' } as const
  const left = (binding.spec.clusters ?? []).filter(({ name }) => clusters.has(name))
  const spec = left.reduce((rest, { name }) => ({ ...rest, ...evictCluster(rest, name, cause) }), binding.spec)
  return { ...binding, spec }
}
