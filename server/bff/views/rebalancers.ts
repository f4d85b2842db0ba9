/** The rows of the rebalancers: they move with every workload that they name. */
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { Stop } from '@/lib/std/clock'
import type { RebalancerView } from '@/lib/view/rebalance-model'
import { projectRebalancer } from '@/lib/view/project/rebalancer'
import { shareStructure } from '@/lib/view/share-structure'
import type { Scope } from '../access/access'
import { REBALANCERS, seesWorkload, WORKS } from '../access/resources'
import { EVERYTHING } from '../access/scope'
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
    const { cache, rows } = this.#sources
    this.#stops = [
      rows.touched.listen((id) => this.#touchAllNaming(id)),
      cache.rebalancers.onChange((change) =>
        this.touched.emit((change.type === 'deleted' ? change.old : change.object).metadata.name),
      ),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Ids of all rows. */
  ids(): string[] {
    return this.#sources.cache.rebalancers.list().map(({ metadata }) => metadata.name)
  }

  /**
   * The row; undefined when there is no such rebalancer for the scope. Its targets are named as the object names them; how
   * far they are, and where, is told of those that the scope sees.
   */
  row(name: string, scope: Scope = EVERYTHING): RebalancerView | undefined {
    const rebalancer = this.#sources.cache.rebalancers.get(name)
    if (!rebalancer) {
      this.#rows.delete(name)
      return undefined
    }
    if (!scope.sees(REBALANCERS)) return undefined
    if (scope !== EVERYTHING) return this.#project(rebalancer, scope)
    const row = shareStructure(this.#rows.get(name), this.#project(rebalancer, scope))
    this.#rows.set(name, row)
    return row
  }

  #project(rebalancer: WorkloadRebalancer, scope: Scope): RebalancerView {
    const { cache, rows, journal } = this.#sources
    const { creationTimestamp } = rebalancer.metadata
    return projectRebalancer({
      rebalancer,
      target: (id) => {
        const view = rows.row(id, scope)
        const binding = view && cache.bindingOf(id)
        const works = binding && scope.seesAll(WORKS) ? cache.worksOf(binding) : []
        return binding && view && { binding, view, works }
      },
      naming: (id) => cache.rebalancersOf(id),
      seen: (id) => (seesWorkload(scope, id) ? journal.rebalanceSince(id, creationTimestamp) : undefined),
    })
  }

  #touchAllNaming(id: string): void {
    for (const { metadata } of this.#sources.cache.rebalancersOf(id)) this.touched.emit(metadata.name)
  }
}
