/** The rows of the WorkloadSpreads: which ones a change affects, and how each is projected. */
import { message } from '@/lib/messages/message'
import { apiVersionOf } from '@/lib/kube/kind'
import { type WorkloadSpread, workloadSpread } from '@/lib/kube/kinds/workload-spread'
import type { Stop } from '@/lib/std/clock'
import { readinessOf } from '@/lib/view/project/cluster'
import { type Propagated, projectSpread } from '@/lib/view/project/spread'
import { shareStructure } from '@/lib/std/share-structure'
import type { SpreadView } from '@/lib/view/spread-model'
import { parseWorkloadId, workloadId } from '@/lib/view/workload-id'
import type { StateView, WorkloadRef } from '@/lib/view/model'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModel, ReadModels } from '../read-model/read-model'
import type { WorkloadRows } from './workloads'

const UNSEEN: StateView = { state: 'unknown', reason: message('spread.state.notVisible') }

/** Rows by `namespace/name`. The counts of members come from the bindings of the spread itself and of its workload. */
export class SpreadRows {
  readonly touched = new Signal()
  readonly #rows = new Map<string, SpreadView>()
  #stops: Stop[] = []

  constructor(
    private readonly all: ControlPlaneIds,
    private readonly models: ReadModels,
    private readonly workloads: WorkloadRows,
  ) {}

  start(): void {
    this.#stops = [
      this.all.onSpread((id, isRemoved) => {
        if (isRemoved) this.#rows.delete(id)
        this.touched.emit(id)
      }),
      this.workloads.touched.listen((id) => this.#onWorkload(id)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Returns the ids of all rows. */
  ids(): string[] {
    return this.all.spreads()
  }

  /**
   * Returns the row; undefined when the scope sees no such spread. Its distribution is included only for readers who
   * see its workloads.
   */
  row(id: string, scope: Scope): SpreadView | undefined {
    const reader = this.models.of(scope)
    const spread = reader.spread(id)
    if (!spread) return undefined
    if (!reader.isUnrestricted) return this.#project(spread, scope)
    const row = shareStructure(this.#rows.get(id), this.#project(spread, scope))
    this.#rows.set(id, row)
    return row
  }

  #project(spread: WorkloadSpread, scope: Scope): SpreadView {
    const {
      metadata: { namespace, name },
      spec,
    } = spread
    const reader = this.models.of(scope)
    const own = { apiVersion: apiVersionOf(workloadSpread), kind: workloadSpread.kind, namespace, name }
    const propagated = this.#propagated(own, scope)
    const target = spec && this.#propagated({ ...spec.targetRef, namespace }, scope)
    const silent = silentClusters(reader, [propagated, target])
    const view = projectSpread({ spread, propagated, target, silent })
    return reader.seesWorkload(workloadId(own)) ? view : { ...view, clusters: [], state: UNSEEN }
  }

  #propagated(object: WorkloadRef, scope: Scope): Propagated | undefined {
    const found = this.models.of(scope).bindingAbout(object)
    const view = found && this.workloads.row(found.id, scope)
    return found && view && { binding: found.binding, view }
  }

  /** A workload may be the target of spreads, or a spread itself. */
  #onWorkload(id: string): void {
    const ref = parseWorkloadId(id)
    if (!ref) return
    for (const spread of this.all.spreadsOf(ref)) this.touched.emit(spread)
    if (ref.kind === workloadSpread.kind && ref.apiVersion.startsWith(`${workloadSpread.group}/`)) {
      this.touched.emit(`${ref.namespace ?? ''}/${ref.name}`)
    }
  }
}

/** Returns the involved clusters that are not ready. Empty where Clusters cannot be read. */
function silentClusters(reader: ReadModel, propagated: readonly (Propagated | undefined)[]): Set<string> {
  if (reader.answers() === undefined) return new Set()
  const clusters = propagated.flatMap((each) => each?.view.cells ?? []).map(({ cluster }) => cluster)
  return new Set(
    clusters.filter((name) => {
      const found = reader.cluster(name)
      return !found || readinessOf(found) !== 'True'
    }),
  )
}
