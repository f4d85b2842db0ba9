/**
 * The reports that the scheduler may have when it comes to a workload of a batch. Clusters report every few seconds, each
 * at its own time, so any part of the moves before it may be in them.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { ChangingReport } from '../estimate'
import type { Binding } from '../placement'
import { shiftsBetween } from './distribution'

/** One cluster after the moves so far. */
interface Reports {
  /** With all of them, and with those that arrive only; nodes are evenly used. */
  settled: ChangingReport
  arrived: ChangingReport
  /** The least and the most capacity that it may report. */
  least: ChangingReport
  most: ChangingReport
}

type Choice = keyof Reports

export class PossibleReports {
  readonly #byCluster = new Map<string, Reports>()
  readonly #known: ReadonlyMap<string, Cluster>

  constructor(private readonly clusters: readonly Cluster[]) {
    this.#known = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]))
  }

  /** False before a workload moved. */
  get haveChanged(): boolean {
    return this.#byCluster.size > 0
  }

  /** Moves a workload. */
  move({ spec }: Binding, after: readonly TargetCluster[]): void {
    const requirements = spec.replicaRequirements
    for (const { cluster: name, by } of shiftsBetween(spec.clusters ?? [], after)) {
      const reports = this.#reportsOf(name)
      if (!reports) continue
      const copies = { replicas: Math.abs(by), requirements }
      if (by > 0) for (const choice of ['settled', 'arrived', 'least'] as const) reports[choice].arrive(copies)
      else for (const choice of ['settled', 'most'] as const) reports[choice].leave(copies)
    }
  }

  /** The likely states first, then the extremes, each for all clusters. */
  *common(): Generator<readonly Cluster[]> {
    for (const choice of ['settled', 'arrived', 'least', 'most'] as const) yield this.#where(() => choice)
  }

  /** One cluster at one extreme and all others at the other one. */
  *mixed(): Generator<readonly Cluster[]> {
    if (this.#byCluster.size < 2) return
    for (const name of this.#byCluster.keys()) {
      yield this.#where((other) => (other === name ? 'least' : 'most'))
      yield this.#where((other) => (other === name ? 'most' : 'least'))
    }
  }

  #where(choose: (cluster: string) => Choice): readonly Cluster[] {
    return this.clusters.map((cluster) => {
      const { name } = cluster.metadata
      return this.#byCluster.get(name)?.[choose(name)].cluster ?? cluster
    })
  }

  #reportsOf(name: string): Reports | undefined {
    const known = this.#byCluster.get(name)
    const cluster = this.#known.get(name)
    if (known || !cluster) return known
    const reports = {
      settled: new ChangingReport(cluster, 'even'),
      arrived: new ChangingReport(cluster, 'even'),
      least: new ChangingReport(cluster, 'least'),
      most: new ChangingReport(cluster, 'most'),
    }
    this.#byCluster.set(name, reports)
    return reports
  }
}
