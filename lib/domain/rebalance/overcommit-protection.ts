/** The estimators of a scheduler that counts what it placed before, over the workloads of one batch. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { EpochMs } from '@/lib/std/clock'
import { type AssumedWorkload, type Estimator, generalEstimator } from '../estimate'
import { Assumptions, type Binding, defaultProfile, type SchedulerProfile } from '../placement'
import { isSameDistribution } from './distribution'

interface Options {
  profile?: SchedulerProfile | undefined
  /** What it counts already. Default nothing. */
  assumptions?: Assumptions | undefined
  now?: EpochMs
  /** Every restart of the scheduler was noticed, so that it counts them. Default false. */
  knowsRestarts?: boolean | undefined
}

/** The estimators to schedule with; empty for the default ones. */
export interface Estimators {
  estimators?: readonly Estimator[]
}

/** Without the feature gate, the estimators are the default ones, whatever was placed. */
export class OvercommitProtection {
  readonly #isOn: boolean
  readonly #now: EpochMs
  readonly #resourceModels: boolean
  readonly #knowsRestarts: boolean
  readonly #before: Counted
  /** Those before and the batch. */
  readonly #counted: Counted
  /** The batch alone. */
  readonly #batch: Counted = countedFrom()

  constructor({ profile = defaultProfile, assumptions, now = 0, knowsRestarts = false }: Options) {
    this.#knowsRestarts = knowsRestarts
    this.#isOn = profile.overcommitProtection
    this.#resourceModels = profile.resourceModels
    this.#now = now
    this.#before = countedFrom(assumptions)
    this.#counted = countedFrom(assumptions)
  }

  /** The scheduler counts a result only if it wrote one. */
  record(binding: Binding, after: readonly TargetCluster[]): void {
    if (!this.#isOn || isSameDistribution(binding.spec.clusters ?? [], after)) return
    for (const { assumptions, lists } of [this.#counted, this.#batch]) {
      assumptions.record(binding, after, this.#now)
      for (const { name } of [...(binding.spec.clusters ?? []), ...after]) lists.delete(name)
    }
  }

  /** The estimators while no workload of the batch is healthy in its new clusters. */
  get current(): Estimators {
    return this.#isOn ? this.#over(this.#counted) : {}
  }

  /** False while the scheduler counts something from before the batch, unless it restarted. */
  get isSure(): boolean {
    return !this.#isOn || this.#before.assumptions.isEmpty
  }

  /**
   * Those, and the estimators after all of them became healthy: the scheduler then counts them no longer. A scheduler that
   * may have restarted in the last minutes, unnoticed, may count nothing from before.
   */
  states(): Estimators[] {
    if (!this.#isOn) return [{}]
    const known = [this.#counted, this.#before]
    const all = this.isSure || this.#knowsRestarts ? known : [...known, this.#batch, countedFrom()]
    return all.map((counted) => this.#over(counted))
  }

  #over({ assumptions, lists }: Counted): Estimators {
    const assumedIn = (cluster: string): readonly AssumedWorkload[] => {
      const list = lists.get(cluster) ?? assumptions.in(cluster, this.#now)
      lists.set(cluster, list)
      return list
    }
    return { estimators: [generalEstimator({ resourceModels: this.#resourceModels, assumedIn })] }
  }
}

interface Counted {
  assumptions: Assumptions
  /** By cluster, so that estimates get the same list until it changes. */
  lists: Map<string, readonly AssumedWorkload[]>
}

const countedFrom = (assumptions?: Assumptions): Counted => ({
  assumptions: new Assumptions(assumptions),
  lists: new Map(),
})
