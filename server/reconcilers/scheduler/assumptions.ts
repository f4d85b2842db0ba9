/**
 * Remembers what this scheduler placed and clusters do not report yet; used only with the feature gate
 * SchedulingOvercommitProtection.
 */
import type { AssumedWorkload } from '@/lib/domain/estimate'
import { Assumptions as Known } from '@/lib/domain/placement'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { Stop } from '@/lib/std/clock'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { Binding } from '../shared/binding-kinds'

export class Assumptions {
  readonly #known = new Known()

  constructor(private readonly context: Pick<ReconcilerContext, 'informers' | 'clock'>) {}

  /** Ends assumptions when a workload becomes healthy in a cluster, and when its binding is deleted. */
  follow(): Stop {
    return this.context.informers.of(resourceBinding).onChange((change) => {
      if (change.type === 'deleted') this.#known.forget(change.old)
      if (change.type === 'updated') this.#known.update(change.old, change.object)
    })
  }

  in(cluster: string): AssumedWorkload[] {
    return this.#known.in(cluster, this.context.clock.now())
  }

  record(binding: Binding, targets: readonly TargetCluster[]): void {
    this.#known.record(binding, targets, this.context.clock.now())
  }
}
