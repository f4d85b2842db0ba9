/** One computation of losses for one state of the fleet, in parts that are computed separately. */
import {
  findFixes,
  type Fix,
  type FixQuestion,
  type Loss,
  type LossFleet,
  LossSimulation,
  type Outcome,
} from '@/lib/domain/rebalance/loss'
import type { EpochMs } from '@/lib/std/clock'
import { fnv1a32 } from '@/lib/std/fnv'
import { message } from '@/lib/messages/message'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import type { NamedSet } from '@/lib/view/project/fixes'
import { readinessOf } from '@/lib/view/project/cluster'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type LossSet, type LossSets, lossSetsOf, pairsOf } from './loss-sets'

export interface ComputationOptions extends LossFleet {
  bindings: readonly AnyBinding[]
}

/** The sets of one kind: single clusters, regions and zones, or pairs. */
interface Part {
  sets: readonly LossSet[]
  /** Sets that were taken, and how many of them are computed. */
  taken: number
  done: number
  /** Milliseconds since the computation began. */
  tookMs?: number
}

/** A set that was taken for computing. */
export interface TakenSet extends LossSet {
  part: Part
}

export class LossComputation {
  readonly begunAt: EpochMs
  readonly revision: string
  readonly sets: LossSets
  readonly bindings: readonly AnyBinding[]
  readonly base: Part
  readonly fleet: ComputationOptions
  /** Upper bound of the decisions for the pairs that are not known yet. */
  readonly pairDecisions: number
  pairs: Part | undefined
  readonly #simulation: LossSimulation
  /** Undefined until computed. */
  fixes: readonly Fix[] | undefined
  #hasTakenFixes = false
  #steps: Generator<undefined> | undefined
  #elapsedMs = 0

  /**
   * `before`: the computation of an earlier state of the fleet; its results are reused where no change affects them.
   */
  constructor(fleet: ComputationOptions, before?: LossComputation) {
    this.begunAt = fleet.now
    this.revision = revisionOf(fleet)
    this.sets = lossSetsOf(fleet.clusters)
    this.#simulation = new LossSimulation(fleet, before && before.#simulation)
    this.bindings = this.#simulation.workloads as readonly AnyBinding[]
    this.fleet = { ...fleet, bindings: this.bindings, clusters: this.#simulation.clusters }
    const unknown = pairsOf(this.names).flatMap(({ clusters }) => (this.outcome(clusters) ? [] : clusters))
    this.pairDecisions = unknown.reduce((sum, name) => sum + this.#simulation.touched(name), 0)
    this.base = { sets: [...this.singles, ...this.sets.region, ...this.sets.zone], taken: 0, done: 0 }
  }

  get names(): readonly string[] {
    return this.sets.clusters.map(({ name }) => name)
  }

  get singles(): readonly LossSet[] {
    return this.names.map((name) => ({ clusters: [name] }))
  }

  /** Returns the losses of clusters, regions and zones, in the order of `question.sets`. */
  get namedSets(): NamedSet[] {
    const { region, zone } = this.sets
    const named = (list: readonly LossSet[], kind: 'region' | 'zone'): NamedSet[] =>
      list.map(({ clusters, place = '' }) => ({ clusters, name: message(`resilience.what.${kind}`, { place }) }))
    const singles = this.singles.map(({ clusters }) => ({
      clusters,
      name: message('resilience.what.clusters', { clusters: [...clusters] }),
    }))
    return [...singles, ...named(region, 'region'), ...named(zone, 'zone')]
  }

  /** Milliseconds that the completed parts took. */
  get tookMs(): number {
    return this.pairs?.tookMs ?? this.base.tookMs ?? 0
  }

  get isDone(): boolean {
    return this.fixes !== undefined && this.#parts.every(isComplete)
  }

  /** Returns the input for the fixes: the losses of clusters, regions and zones. */
  get question(): Pick<FixQuestion, 'fleet' | 'sets'> {
    return { fleet: this.fleet, sets: this.base.sets.map(({ clusters }) => clusters) }
  }

  /** Returns true once, when the losses of clusters, regions and zones are complete: the fixes are due then. */
  removeFixes(): boolean {
    if (this.#hasTakenFixes || !isComplete(this.base)) return false
    this.#hasTakenFixes = true
    return true
  }

  addFixes(fixes: readonly Fix[]): void {
    this.fixes = fixes
  }

  /** Adds the pairs; they follow when everything else is taken. */
  addPairs(): void {
    this.pairs ??= { sets: pairsOf(this.names), taken: 0, done: 0 }
  }

  outcome(clusters: readonly string[]): Loss | undefined {
    return this.#simulation.outcome(clusters)
  }

  /** Takes the next set whose result is unknown, each set once. `elapsedMs`: duration of the computation so far. */
  take(elapsedMs: number): TakenSet | undefined {
    for (const part of this.#parts) {
      while (part.taken < part.sets.length) {
        const set = part.sets[part.taken]!
        part.taken += 1
        if (!this.outcome(set.clusters)) return { ...set, part }
        countDone(part, elapsedMs)
      }
    }
    return undefined
  }

  /** Makes sets that were taken but not computed available again. */
  retake(): void {
    for (const part of this.#parts) Object.assign(part, { taken: 0, done: 0 })
    this.#hasTakenFixes = this.fixes !== undefined
  }

  /** Stores the outcome of a taken set. */
  learn({ part }: TakenSet, outcome: Outcome, elapsedMs: number): void {
    this.#simulation.learn(outcome)
    countDone(part, elapsedMs)
  }

  /** Computes one decision of the scheduler at most. */
  step(elapsedMs: number): void {
    this.#elapsedMs = elapsedMs
    this.#steps ??= this.#inSteps()
    if (this.#steps.next().done) this.#steps = undefined
  }

  *#inSteps(): Generator<undefined> {
    while (!this.isDone) {
      if (this.removeFixes()) this.addFixes(yield* findFixes({ ...this.question, simulation: this.#simulation }))
      const set = this.take(this.#elapsedMs)
      if (set) this.learn(set, yield* this.#simulation.lose(set.clusters), this.#elapsedMs)
    }
  }

  get #parts(): Part[] {
    return this.pairs ? [this.base, this.pairs] : [this.base]
  }
}

const isComplete = ({ done, sets }: Part): boolean => done === sets.length

function countDone(part: Part, elapsedMs: number): void {
  part.done += 1
  if (part.done === part.sets.length) part.tookMs = elapsedMs
}

/** Returns a hash of what decides about losses, without the usage that members report, which changes all the time. */
export function revisionOf({ bindings, clusters }: Pick<ComputationOptions, 'bindings' | 'clusters'>): string {
  const parts = [
    ...bindings.map(({ metadata: { uid, generation } }) => `${uid} ${generation}`),
    ...clusters.map(
      (cluster) => `${cluster.metadata.uid} ${cluster.metadata.generation} ${readinessOf(cluster)} ${roomOf(cluster)}`,
    ),
  ]
  // A sum, so that the order of the lists does not matter.
  return parts.reduce((sum, part) => (sum + fnv1a32(part)) >>> 0, 0).toString(16)
}

const roomOf = ({ status }: Cluster): string => JSON.stringify(status?.resourceSummary?.allocatable ?? {})
