/**
 * Predicts the cost of a cluster's loss when it is lost, as the survey of losses does, and compares the prediction with
 * the outcome of each workload. Both are stored in the journal.
 */
import type { FailoverSettings } from '@/lib/domain/failover'
import type { SchedulerProfile } from '@/lib/domain/placement'
import { type Forecast, predictionOf, LossSimulation, checkPrediction } from '@/lib/domain/rebalance/loss'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Clock, Stop } from '@/lib/std/clock'
import type { JournalFact } from '@/lib/view/journal'
import { totalAccuracy } from '@/lib/view/plan-flow/accuracy'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { readinessOf } from '@/lib/view/project/cluster'
import type { OpenPrediction } from '@/lib/view/project/prediction-history'
import type { Change } from '@/server/kube/informer'
import { idOf, type ControlPlaneCache } from '../cache/control-plane-cache'
import type { PredictionMetrics } from '../metrics-hooks'
import type { Journal } from './journal'

export interface LossPredictionsOptions {
  cache: ControlPlaneCache
  /** The clusters must be recorded in it before they are looked at here. */
  journal: Journal
  clock: Clock
  metrics: Pick<PredictionMetrics, 'incidentPredictions'>
  profile?: SchedulerProfile | undefined
  failover?: FailoverSettings | undefined
}

/** Duration of one step of the simulation in milliseconds; requests are served between steps. */
const SLICE_MS = 8

export class LossPredictions {
  readonly #deps: LossPredictionsOptions
  #running: Generator<undefined, Forecast[]> | undefined
  #stops: Stop[] = []

  constructor(deps: LossPredictionsOptions) {
    this.#deps = deps
  }

  /** Subscribes to the caches. Predictions that an earlier process left open are checked after the initial sync. */
  start(): void {
    const { cache } = this.#deps
    this.#notify()
    this.#stops = [
      cache.clusters.onChange((change) => this.#onCluster(change)),
      cache.onBindingChange((change) => this.#onBinding(change)),
    ]
    void cache.whenSynced().then(() => {
      if (this.#stops.length > 0) this.#settle(this.#deps.journal.predictions.open())
    })
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#stops = []
    this.#running = undefined
  }

  /** A first list may bring clusters before their bindings: a workload that has not arrived yet is not a deleted one. */
  #onCluster(change: Change<Cluster>): void {
    if (!this.#deps.cache.hasSynced()) return
    if (change.type === 'updated' && isLost(change.object) && !isLost(change.old)) return this.#predict(change.old)
    if (change.type === 'updated' && isLost(change.object) === isLost(change.old)) return
    const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
    this.#settle(this.#deps.journal.predictions.open().filter(({ cluster }) => cluster === name))
  }

  #onBinding(change: Change<AnyBinding>): void {
    const id = idOf(change.type === 'deleted' ? change.old : change.object)
    if (this.#deps.cache.hasSynced()) this.#settle(this.#deps.journal.predictions.openOf(id))
  }

  /**
   * `before`: the cluster just before it was lost. For clusters lost earlier, pending evictions are predicted again,
   * because several losses affect each other.
   */
  #predict(before: Cluster): void {
    const { cache, clock, journal, profile, failover } = this.#deps
    const clusters = cache.clusters.list()
    const lost = clusters.map(({ metadata }) => metadata.name).filter((name) => journal.outageSince(name) !== undefined)
    const simulation = new LossSimulation({
      bindings: cache.bindings(),
      clusters: clusters.map((one) => (one.metadata.name === before.metadata.name ? before : one)),
      now: clock.now(),
      ...(profile && { profile }),
      ...(failover?.timing && { timing: failover.timing }),
    })
    this.#running = simulation.predict(lost)
    this.#work(this.#running, lost)
  }

  /** Runs a simulation in steps. A later simulation replaces a running one, because it includes all lost clusters. */
  #work(steps: Generator<undefined, Forecast[]>, lost: readonly string[]): void {
    const { clock } = this.#deps
    const began = clock.elapsed()
    while (this.#running === steps) {
      const step = steps.next()
      if (step.done) {
        this.#running = undefined
        return this.#note(step.value, lost)
      }
      if (clock.elapsed() - began >= SLICE_MS) return void clock.after(0, () => this.#work(steps, lost))
    }
  }

  #note(forecasts: readonly Forecast[], lost: readonly string[]): void {
    const { journal } = this.#deps
    const sinceOf = new Map(lost.flatMap((name) => [[name, journal.outageSince(name)] as const]))
    const facts = forecasts.flatMap((forecast): JournalFact[] => {
      const prediction = predictionOf(forecast, lost)
      const workload = idOf(forecast.binding as AnyBinding)
      return prediction.before.flatMap(({ name: cluster }) => {
        const since = sinceOf.get(cluster)
        return since === undefined ? [] : [{ what: 'prediction', workload, cluster, after: { since, ...prediction } }]
      })
    })
    journal.note(facts, false)
    this.#settle(journal.predictions.open())
  }

  #settle(predictions: readonly OpenPrediction[]): void {
    const { cache, clock, journal } = this.#deps
    const facts = predictions.flatMap(({ workload, cluster, madeAt, fact }): JournalFact[] => {
      const present = cache.clusters.get(cluster)
      const check = checkPrediction(fact, {
        binding: cache.bindingOf(workload),
        elapsedMs: clock.now() - madeAt,
        isOver: !present || !isLost(present) || journal.outageSince(cluster) !== fact.since,
      })
      return check ? [{ what: 'prediction', workload, cluster, before: fact, after: { ...fact, ...check } }] : []
    })
    if (facts.length === 0) return
    journal.note(facts, false)
    this.#notify()
  }

  #notify(): void {
    const { journal, metrics } = this.#deps
    const { exact, missed } = totalAccuracy(journal.predictions.accuracies())
    metrics.incidentPredictions(exact, missed)
  }
}

const isLost = (cluster: Cluster): boolean => readinessOf(cluster) !== 'True' && readinessOf(cluster) !== 'Missing'
