/** Computes the outcome for one workload whose clusters were lost. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Binding } from '../../placement'
import { totalReplicas } from '../readiness'
import type { Fate } from './loss'

export interface FateOfWorkload {
  fate: Fate
  /** Replicas that need another cluster, and those of them that get none. */
  needed: number
  missing: number
}

/** `after`: the final placement. Replicas still assigned to a lost cluster do not run. */
export function fateOf({ spec }: Binding, lost: ReadonlySet<string>, after: readonly TargetCluster[]): FateOfWorkload {
  const before = spec.clusters ?? []
  const needed = totalReplicas(before.filter(({ name }) => lost.has(name)))
  const running = after.filter(({ name }) => !lost.has(name))
  if (isWithout(running, needed)) return { fate: 'down', needed, missing: needed }
  if (isDivided(spec)) {
    const missing = Math.min(needed, Math.max(0, totalReplicas(before) - totalReplicas(running)))
    return { fate: missing > 0 ? 'fewer' : 'moves', needed, missing }
  }
  const stayed = before.filter(({ name }) => !lost.has(name))
  return running.length > stayed.length
    ? { fate: 'moves', needed, missing: 0 }
    : { fate: 'keeps', needed: 0, missing: 0 }
}

/** An object without replicas runs in its clusters; a workload with replicas needs at least one. */
const isWithout = (running: readonly TargetCluster[], needed: number): boolean =>
  running.length === 0 || (needed > 0 && totalReplicas(running) === 0)

/** Reports whether the replicas are divided; otherwise each cluster has all of them. */
function isDivided({ replicas = 0, placement }: Binding['spec']): boolean {
  return replicas > 0 && placement?.replicaScheduling?.replicaSchedulingType === 'Divided'
}
