/** Predictions of incidents and their results, from the journal. */
import { type Accuracy, accuracyOf } from '@/lib/domain/rebalance/compare'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { JournalEntry, PredictionFact } from '../journal'

/** A prediction that is not yet compared with what became of the workload. */
export interface OpenPrediction {
  workload: string
  cluster: string
  /** When it was made. */
  madeAt: EpochMs
  fact: PredictionFact
}

/** How well the predictions of one incident came true. */
export interface IncidentAccuracy extends Accuracy {
  cluster: string
  since: string
}

/** Incidents that are counted. */
const MAX_INCIDENTS = 20

/** Folds entries in their order. */
export class PredictionHistory {
  /** By incident, then by workload. */
  readonly #open = new Map<string, Map<string, OpenPrediction>>()
  readonly #errors = new Map<string, Map<string, number>>()
  /** By incident, in the order of their first entry. */
  readonly #incidents = new Map<string, { cluster: string; since: string }>()

  note(entry: JournalEntry): void {
    if (entry.what !== 'prediction' || !entry.after) return
    const { workload, cluster, after: fact } = entry
    const incident = `${cluster} ${fact.since}`
    this.#begin(incident, { cluster, since: fact.since })
    if (fact.result === undefined) {
      this.#open.get(incident)!.set(workload, { workload, cluster, madeAt: parseTime(entry.at), fact })
      return
    }
    this.#open.get(incident)!.delete(workload)
    if (fact.actual) this.#errors.get(incident)!.set(workload, fact.actual.error)
  }

  /** Predictions that are not compared yet, of all incidents. */
  open(): OpenPrediction[] {
    return [...this.#open.values()].flatMap((predictions) => [...predictions.values()])
  }

  openOf(workload: string): OpenPrediction[] {
    return [...this.#open.values()].flatMap((predictions) => predictions.get(workload) ?? [])
  }

  /** The latest incidents of which something is compared, the oldest first. */
  accuracies(): IncidentAccuracy[] {
    return [...this.#incidents]
      .map(([key, incident]) => {
        const errors = [...this.#errors.get(key)!.values()]
        return { ...incident, ...accuracyOf(errors.map((predictionError) => ({ predictionError }))) }
      })
      .filter(({ exact, missed }) => exact + missed > 0)
  }

  #begin(key: string, incident: { cluster: string; since: string }): void {
    if (this.#incidents.has(key)) return
    this.#incidents.set(key, incident)
    this.#open.set(key, new Map())
    this.#errors.set(key, new Map())
    const [oldest] = this.#incidents.keys()
    if (this.#incidents.size <= MAX_INCIDENTS || oldest === undefined) return
    for (const map of [this.#incidents, this.#open, this.#errors]) map.delete(oldest)
  }
}
