/** The figures of the fleet, which are all that a hidden page follows. */
import type { Stop } from '@/lib/std/clock'
import type { SummaryView } from '@/lib/view/live'
import type { State, StateView } from '@/lib/view/model'
import type { Scope } from '../access/access'
import type { ClusterRows } from './clusters'
import { Signal } from '../cache/signal'
import type { ReadModels } from '../read-model/read-model'
import type { WorkloadRows } from './workloads'

/** One row for each scope. */
export class SummaryRow {
  readonly touched = new Signal()
  #stops: Stop[] = []

  constructor(
    private readonly workloads: WorkloadRows,
    private readonly clusters: ClusterRows,
    private readonly models: ReadModels,
  ) {}

  start(): void {
    this.#stops = [this.workloads, this.clusters].map(({ touched }) => touched.listen(() => this.touched.emit('now')))
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Returns the figures of the objects in the scope. */
  row(scope: Scope): SummaryView {
    const { workloads, clusters } = this
    return {
      id: 'now',
      workloads: count(workloads.ids().map((id) => workloads.row(id, scope))),
      ...(this.models.of(scope).seesClusters && {
        clusters: count(clusters.ids().map((name) => clusters.row(name, scope))),
      }),
    }
  }
}

function count(rows: readonly ({ state: StateView } | undefined)[]): Record<State, number> {
  const counts = { ok: 0, active: 0, warn: 0, fail: 0, held: 0, unknown: 0 }
  for (const row of rows) if (row) counts[row.state.state] += 1
  return counts
}
