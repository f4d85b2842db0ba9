/**
 * What a scheduler with the feature gate SchedulingOvercommitProtection placed and counts until it is healthy, because
 * clusters report it late.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { EpochMs } from '@/lib/std/clock'
import type { AssumedWorkload } from '../estimate'
import { type Binding, bindingKey } from './binding'
import { isWorkload } from './request'

/** Karmada's limit for a workload that never becomes healthy. */
export const ASSUMED_FOR_MS = 5 * 60_000

interface Assumption {
  clusters: Map<string, AssumedWorkload>
  endsAt: EpochMs
}

export class Assumptions {
  readonly #byBinding = new Map<string, Assumption>()

  /** A copy of these. */
  constructor(from?: Assumptions) {
    if (!from) return
    for (const [key, { clusters, endsAt }] of from.#byBinding)
      this.#byBinding.set(key, { clusters: new Map(clusters), endsAt })
  }

  /** False also while some of them have ended by time. */
  get isEmpty(): boolean {
    return this.#byBinding.size === 0
  }

  /** Returns the workloads on their way to a cluster. */
  in(cluster: string, now: EpochMs): AssumedWorkload[] {
    const found: AssumedWorkload[] = []
    for (const [key, { clusters, endsAt }] of this.#byBinding) {
      const workload = clusters.get(cluster)
      if (endsAt <= now) this.#byBinding.delete(key)
      else if (workload) found.push(workload)
    }
    return found
  }

  /**
   * Remembers a written result instead of the former one: all replicas, also those that ran there before. Only namespaced
   * workloads count, as in Karmada.
   */
  record(binding: Binding, targets: readonly TargetCluster[], now: EpochMs): void {
    if (binding.metadata.namespace === undefined || !isWorkload(binding.spec)) return
    const key = bindingKey(binding)
    const clusters = new Map(targets.map((target) => [target.name, assumedOf(binding, target)]))
    if (clusters.size === 0) this.#byBinding.delete(key)
    else this.#byBinding.set(key, { clusters, endsAt: now + ASSUMED_FOR_MS })
  }

  /** Ends assumptions when a workload becomes healthy in a cluster. */
  update(old: Binding, next: Binding): void {
    const assumption = this.#byBinding.get(bindingKey(next))
    if (!assumption) return
    for (const cluster of newlyHealthy(old, next)) assumption.clusters.delete(cluster)
    if (assumption.clusters.size === 0) this.forget(next)
  }

  /** Ends what was recorded before this time, or at it: the scheduler that placed it is gone. */
  forgetUntil(time: EpochMs): void {
    for (const [key, { endsAt }] of this.#byBinding) if (endsAt - ASSUMED_FOR_MS <= time) this.#byBinding.delete(key)
  }

  /** Ends the assumptions of a binding that was deleted. */
  forget(binding: Binding): void {
    this.#byBinding.delete(bindingKey(binding))
  }
}

/** All components, or the replicas of this cluster as the only one. */
function assumedOf({ spec }: Binding, { replicas = 0 }: TargetCluster): AssumedWorkload {
  const { components = [], replicaRequirements, resource } = spec
  const { namespace, name } = resource
  return {
    ...(namespace !== undefined && { namespace }),
    components:
      components.length > 0 ? components : [{ name, replicas, ...(replicaRequirements && { replicaRequirements }) }],
  }
}

function newlyHealthy({ status: before }: Binding, { status: after }: Binding): string[] {
  const healthyIn = (status: Binding['status']): string[] =>
    (status?.aggregatedStatus ?? []).filter(({ health }) => health === 'Healthy').map(({ clusterName }) => clusterName)
  const known = new Set(healthyIn(before))
  return healthyIn(after).filter((name) => !known.has(name))
}
