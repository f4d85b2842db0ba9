/**
 * Remembers what this scheduler placed and clusters do not report yet; used only with the feature gate
 * SchedulingOvercommitProtection.
 */
import type { AssumedWorkload } from '@/lib/domain/estimate'
import { isWorkload } from '@/lib/domain/placement'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { type ObjectKey, objectKey } from '@/lib/kube/object'
import type { EpochMs, Stop } from '@/lib/std/clock'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { Binding } from '../shared/binding-kinds'

/** Karmada's limit for a workload that never becomes healthy. */
const TTL_MS = 5 * 60_000

interface Assumption {
  clusters: Map<string, AssumedWorkload>
  endsAt: EpochMs
}

export class Assumptions {
  readonly #byBinding = new Map<ObjectKey, Assumption>()

  constructor(private readonly context: Pick<ReconcilerContext, 'informers' | 'clock'>) {}

  /** Ends assumptions when a workload becomes healthy in a cluster, and when its binding is deleted. */
  follow(): Stop {
    return this.context.informers.of(resourceBinding).onChange((change) => {
      if (change.type === 'deleted') this.#byBinding.delete(objectKey(change.old))
      if (change.type !== 'updated') return
      for (const cluster of newlyHealthy(change.old, change.object)) this.#release(objectKey(change.object), cluster)
    })
  }

  /** Returns the workloads on their way to a cluster. */
  in(cluster: string): AssumedWorkload[] {
    const now = this.context.clock.now()
    const found: AssumedWorkload[] = []
    for (const [key, { clusters, endsAt }] of this.#byBinding) {
      const workload = clusters.get(cluster)
      if (endsAt <= now) this.#byBinding.delete(key)
      else if (workload) found.push(workload)
    }
    return found
  }

  /** Remembers a written result instead of the former one. Only namespaced workloads count, as in Karmada. */
  record(binding: Binding, targets: readonly TargetCluster[]): void {
    if (binding.metadata.namespace === undefined || !isWorkload(binding.spec)) return
    const key = objectKey(binding)
    const clusters = new Map(targets.map((target) => [target.name, assumedOf(binding, target)]))
    if (clusters.size === 0) this.#byBinding.delete(key)
    else this.#byBinding.set(key, { clusters, endsAt: this.context.clock.now() + TTL_MS })
  }

  #release(key: ObjectKey, cluster: string): void {
    const assumption = this.#byBinding.get(key)
    assumption?.clusters.delete(cluster)
    if (assumption?.clusters.size === 0) this.#byBinding.delete(key)
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
