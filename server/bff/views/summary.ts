/** The figures of the fleet, which are all that a hidden page follows. */
import type { Stop } from '@/lib/std/clock'
import type { SummaryView } from '@/lib/view/live'
import type { Scope } from '../access/access'
import type { ClusterRows } from './clusters'
import { Signal } from '../cache/signal'
import type { ReadModels } from '../read-model/read-model'
import { StateCounts } from './state-counts'
import type { WorkloadRows } from './workloads'

/** One row for each scope. */
export class SummaryRow {
  readonly touched = new Signal()
  readonly #counts: Record<'workloads' | 'clusters', StateCounts>
  #stops: Stop[] = []

  constructor(
    private readonly workloads: WorkloadRows,
    private readonly clusters: ClusterRows,
    private readonly models: ReadModels,
  ) {
    this.#counts = { workloads: new StateCounts(workloads), clusters: new StateCounts(clusters) }
  }

  start(): void {
    const { workloads, clusters } = this
    this.#stops = [this.#follow(workloads, this.#counts.workloads), this.#follow(clusters, this.#counts.clusters)]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Returns the figures of the objects in the scope. */
  row(scope: Scope): SummaryView {
    const { workloads, clusters } = this.#counts
    return {
      id: 'now',
      workloads: workloads.in(scope),
      ...(this.models.of(scope).seesClusters && { clusters: clusters.in(scope) }),
    }
  }

  /** Reads the rows of the scope until `isLong`; returns whether all are read. */
  prepare(scope: Scope, isLong: () => boolean): boolean {
    const { workloads, clusters } = this.#counts
    return workloads.read(scope, isLong) && (!this.models.of(scope).seesClusters || clusters.read(scope, isLong))
  }

  #follow({ touched }: WorkloadRows | ClusterRows, counts: StateCounts): Stop {
    return touched.listen((id) => {
      counts.touch(id)
      this.touched.emit('now')
    })
  }
}
