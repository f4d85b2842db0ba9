/** The rows of the WorkloadSpreads: which ones a change touches, and how each is projected. */
import { apiVersionOf } from '@/lib/kube/kind'
import { type WorkloadSpread, workloadSpread } from '@/lib/kube/kinds/workload-spread'
import { objectKey } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import { readinessOf } from '@/lib/view/project/cluster'
import { type Propagated, projectSpread } from '@/lib/view/project/spread'
import { shareStructure } from '@/lib/view/share-structure'
import type { SpreadView } from '@/lib/view/spread-model'
import { parseWorkloadId, workloadId } from '@/lib/view/workload-id'
import type { StateView, WorkloadRef } from '@/lib/view/model'
import type { Scope } from '../access/access'
import { CLUSTERS, seesWorkload, SPREADS } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import { idOf, type ControlPlaneCache } from '../cache/control-plane-cache'
import { Signal } from './signal'
import type { WorkloadRows } from './workloads'

const UNSEEN: StateView = {
  state: 'unknown',
  reason: 'Where it is stands in the bindings of its namespace, which your account may not list',
}

/** Rows by `namespace/name`. What members count comes with the bindings: of the spread itself, and of its workload. */
export class SpreadRows {
  readonly touched = new Signal()
  readonly #cache: ControlPlaneCache
  readonly #workloads: WorkloadRows
  readonly #rows = new Map<string, SpreadView>()
  #stops: Stop[] = []

  constructor(cache: ControlPlaneCache, workloads: WorkloadRows) {
    this.#cache = cache
    this.#workloads = workloads
  }

  start(): void {
    this.#stops = [
      this.#cache.spreads.onChange((change) =>
        this.touched.emit(objectKey(change.type === 'deleted' ? change.old : change.object)),
      ),
      this.#workloads.touched.listen((id) => this.#onWorkload(id)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Ids of all rows. */
  ids(): string[] {
    return this.#cache.spreads.list().map(objectKey)
  }

  /** The row; undefined when there is no such spread for the scope. Where it is, who sees its workloads is told. */
  row(id: string, scope: Scope = EVERYTHING): SpreadView | undefined {
    const spread = this.#cache.spreads.get(id)
    if (!spread) {
      this.#rows.delete(id)
      return undefined
    }
    if (!scope.sees({ ...SPREADS, namespace: spread.metadata.namespace ?? '' })) return undefined
    if (scope !== EVERYTHING) return this.#project(spread, scope)
    const row = shareStructure(this.#rows.get(id), this.#project(spread, scope))
    this.#rows.set(id, row)
    return row
  }

  #project(spread: WorkloadSpread, scope: Scope): SpreadView {
    const {
      metadata: { namespace, name },
      spec,
    } = spread
    const own = { apiVersion: apiVersionOf(workloadSpread), kind: workloadSpread.kind, namespace, name }
    const travels = this.#propagated(own, scope)
    const target = spec && this.#propagated({ ...spec.targetRef, namespace }, scope)
    const silent = scope.sees(CLUSTERS) ? this.#silent([travels, target]) : new Set<string>()
    const view = projectSpread({ spread, travels, target, silent })
    return seesWorkload(scope, workloadId(own)) ? view : { ...view, clusters: [], state: UNSEEN }
  }

  #propagated(object: WorkloadRef, scope: Scope): Propagated | undefined {
    const binding = this.#cache.bindingAbout(object)
    const view = binding && this.#workloads.row(idOf(binding), scope)
    return binding && view && { binding, view }
  }

  /** Of the clusters that matter here, those that are not ready. None where Clusters cannot be read. */
  #silent(propagated: readonly (Propagated | undefined)[]): Set<string> {
    if (!this.#cache.knowsClusters) return new Set()
    const clusters = propagated.flatMap((each) => each?.view.cells ?? []).map(({ cluster }) => cluster)
    return new Set(
      clusters.filter((name) => {
        const found = this.#cache.clusters.get(name)
        return !found || readinessOf(found) !== 'True'
      }),
    )
  }

  /** A workload may be the target of spreads, or a spread itself. */
  #onWorkload(id: string): void {
    const ref = parseWorkloadId(id)
    if (!ref) return
    for (const spread of this.#cache.spreadsOf(ref)) this.touched.emit(objectKey(spread))
    if (ref.kind === workloadSpread.kind && ref.apiVersion.startsWith(`${workloadSpread.group}/`)) {
      this.touched.emit(`${ref.namespace ?? ''}/${ref.name}`)
    }
  }
}
