/** One computation of losses, of one state of the fleet, in steps between which requests are answered. */
import { type Loss, LossSimulation, type LossFleet } from '@/lib/domain/rebalance/loss'
import type { EpochMs } from '@/lib/std/clock'
import { fnv1a32 } from '@/lib/std/fnv'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { readinessOf } from '@/lib/view/project/cluster'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { keyOfSet, type LossSet, type LossSets, lossSetsOf, pairsOf } from './loss-sets'

export interface ComputationOptions extends LossFleet {
  bindings: readonly AnyBinding[]
}

/** Sets of one kind: single clusters, regions and zones together, or pairs. */
interface Part {
  sets: readonly LossSet[]
  done: number
  /** Milliseconds since the computation began. */
  tookMs?: number
}

export class LossComputation {
  readonly begunAt: EpochMs
  readonly revision: string
  readonly sets: LossSets
  readonly bindings: readonly AnyBinding[]
  readonly base: Part
  pairs: Part | undefined
  readonly #simulation: LossSimulation
  readonly #outcomes = new Map<string, Loss>()
  #current: Generator<undefined, Loss> | undefined

  constructor(fleet: ComputationOptions) {
    this.begunAt = fleet.now
    this.revision = revisionOf(fleet)
    this.sets = lossSetsOf(fleet.clusters)
    this.#simulation = new LossSimulation(fleet)
    this.bindings = this.#simulation.workloads as readonly AnyBinding[]
    this.base = { sets: [...this.singles, ...this.sets.region, ...this.sets.zone], done: 0 }
  }

  get names(): readonly string[] {
    return this.sets.clusters.map(({ name }) => name)
  }

  get singles(): readonly LossSet[] {
    return this.names.map((name) => ({ clusters: [name] }))
  }

  /** Decisions that all pairs take at most. */
  get pairDecisions(): number {
    const touched = this.names.reduce((sum, name) => sum + this.#simulation.touched(name), 0)
    return touched * Math.max(0, this.names.length - 1)
  }

  get isDone(): boolean {
    return this.#next() === undefined
  }

  /** Pairs follow when everything else is computed. */
  addPairs(): void {
    this.pairs ??= { sets: pairsOf(this.names), done: 0 }
  }

  outcome(clusters: readonly string[]): Loss | undefined {
    return this.#outcomes.get(keyOfSet(clusters))
  }

  /** One decision of the scheduler, or less. `elapsedMs`: what the computation took so far. */
  step(elapsedMs: number): void {
    const part = this.#next()
    if (!part) return
    const { clusters } = part.sets[part.done]!
    const known = this.outcome(clusters)
    this.#current ??= this.#simulation.lose(clusters)
    const step = known ? ({ done: true, value: known } as const) : this.#current.next()
    if (!step.done) return
    this.#outcomes.set(keyOfSet(clusters), step.value)
    this.#current = undefined
    part.done += 1
    if (part.done === part.sets.length) part.tookMs = elapsedMs
  }

  #next(): Part | undefined {
    return [this.base, this.pairs].find((part) => part !== undefined && part.done < part.sets.length)
  }
}

/** What decides about losses, apart from what members report as used, which changes all the time. */
export function revisionOf({ bindings, clusters }: Pick<ComputationOptions, 'bindings' | 'clusters'>): string {
  const parts = [
    ...bindings.map(({ metadata: { uid, generation } }) => `${uid} ${generation}`),
    ...clusters.map(
      (cluster) => `${cluster.metadata.uid} ${cluster.metadata.generation} ${readinessOf(cluster)} ${roomOf(cluster)}`,
    ),
  ]
  // Added up, so that the order of the lists does not matter.
  return parts.reduce((sum, part) => (sum + fnv1a32(part)) >>> 0, 0).toString(16)
}

const roomOf = ({ status }: Cluster): string => JSON.stringify(status?.resourceSummary?.allocatable ?? {})
