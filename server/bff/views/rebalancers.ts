/** The rows of the rebalancers: they move with every workload that they name. */
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { Stop } from '@/lib/std/clock'
import type { RebalancerView } from '@/lib/view/rebalance-model'
import { projectRebalancer } from '@/lib/view/project/rebalancer'
import { shareStructure } from '@/lib/view/share-structure'
import { Signal } from './signal'
import type { DetailSources } from './details'

/** Rows by name; `touched` tells which may have changed. */
export class RebalancerRows {
  readonly touched = new Signal()
  readonly #sources: DetailSources
  readonly #rows = new Map<string, RebalancerView>()
  #stops: Stop[] = []

  constructor(sources: DetailSources) {
    this.#sources = sources
  }

  start(): void {
    const { world, rows } = this.#sources
    this.#stops = [
      rows.touched.listen((id) => this.#touchAllNaming(id)),
      world.rebalancers.onChange((change) =>
        this.touched.emit((change.type === 'deleted' ? change.old : change.object).metadata.name)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** The row; undefined when there is no such rebalancer. */
  row(name: string): RebalancerView | undefined {
    const rebalancer = this.#sources.world.rebalancers.get(name)
    if (!rebalancer) {
      this.#rows.delete(name)
      return undefined
    }
    const row = shareStructure(this.#rows.get(name), this.#project(rebalancer))
    this.#rows.set(name, row)
    return row
  }

  #project(rebalancer: WorkloadRebalancer): RebalancerView {
    const { world, rows, journal } = this.#sources
    const { creationTimestamp } = rebalancer.metadata
    return projectRebalancer({
      rebalancer,
      target: (id) => {
        const binding = world.bindingOf(id)
        const view = rows.row(id)
        return binding && view && { binding, view, works: world.worksOf(binding) }
      },
      naming: (id) => world.rebalancersOf(id),
      seen: (id) => journal.rebalanceSince(id, creationTimestamp),
    })
  }

  #touchAllNaming(id: string): void {
    for (const { metadata } of this.#sources.world.rebalancersOf(id)) this.touched.emit(metadata.name)
  }
}
