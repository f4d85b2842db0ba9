/** The rows of the rebalancers, which change with every workload that they name. */
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { Stop } from '@/lib/std/clock'
import type { RebalancerView } from '@/lib/view/rebalance-model'
import { projectRebalancer } from '@/lib/view/project/rebalancer'
import { shareStructure } from '@/lib/std/share-structure'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModels } from '../read-model/read-model'
import type { WorkloadRows } from './workloads'

interface RebalancerSources {
  all: ControlPlaneIds
  models: ReadModels
  rows: WorkloadRows
  /** Emits the workloads whose expected placement may have changed. */
  expectedTouched: Signal
}

/** Rows by name; `touched` emits the names that may have changed. */
export class RebalancerRows {
  readonly touched = new Signal()
  readonly #sources: RebalancerSources
  readonly #rows = new Map<string, RebalancerView>()
  #stops: Stop[] = []

  constructor(sources: RebalancerSources) {
    this.#sources = sources
  }

  start(): void {
    const { all, rows, expectedTouched } = this.#sources
    const touchNaming = (id: string): void => {
      for (const name of all.rebalancersNaming(id)) this.touched.emit(name)
    }
    this.#stops = [
      rows.touched.listen(touchNaming),
      expectedTouched.listen(touchNaming),
      all.onRebalancer((name, isRemoved) => {
        if (isRemoved) this.#rows.delete(name)
        this.touched.emit(name)
      }),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Returns the ids of all rows. */
  ids(): string[] {
    return this.#sources.all.rebalancers()
  }

  /**
   * Returns the row; undefined when the scope sees no such rebalancer. Its targets are listed as in the object;
   * progress and placement are included only for the targets that the scope sees.
   */
  row(name: string, scope: Scope): RebalancerView | undefined {
    const reader = this.#sources.models.of(scope)
    const rebalancer = reader.rebalancer(name)
    if (!rebalancer) return undefined
    if (!reader.isUnrestricted) return this.#project(rebalancer, scope)
    const row = shareStructure(this.#rows.get(name), this.#project(rebalancer, scope))
    this.#rows.set(name, row)
    return row
  }

  #project(rebalancer: WorkloadRebalancer, scope: Scope): RebalancerView {
    const { models, rows } = this.#sources
    const reader = models.of(scope)
    return projectRebalancer({
      rebalancer,
      target: (id) => {
        const view = rows.row(id, scope)
        const binding = view && reader.binding(id)
        return binding && view && { binding, view, works: reader.works(binding) ?? [] }
      },
      naming: (id) => reader.rebalancersOf(id),
      ignored: (id) => reader.ignoredTrigger(id),
      expected: (id) => reader.expectedPlacement(id),
      seen: (id) => reader.rebalanceSince(id, rebalancer),
    })
  }
}
