/** The rows of the rebalance plans. Everything shown stands in the objects: the loop writes it there. */
import type { RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import type { Stop } from '@/lib/std/clock'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { projectPlanRun } from '@/lib/view/project/plan-run'
import { shareStructure } from '@/lib/view/share-structure'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { Scope } from '../access/access'
import { PLANS } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import { Signal } from './signal'

/** Rows by name; `touched` tells which may have changed. */
export class PlanRunRows {
  readonly touched = new Signal()
  readonly #cache: ControlPlaneCache
  readonly #rows = new Map<string, PlanRunView>()
  #stop: Stop = () => undefined

  constructor(cache: ControlPlaneCache) {
    this.#cache = cache
  }

  start(): void {
    this.#stop = this.#cache.plans.onChange((change) =>
      this.#touch(change.type === 'deleted' ? change.old : change.object),
    )
  }

  stop(): void {
    this.#stop()
  }

  /** Ids of all rows. */
  ids(): string[] {
    return this.#cache.plans.list().map(({ metadata }) => metadata.name)
  }

  /** The row; undefined when there is no such plan for the scope. It tells nothing that the object does not. */
  row(name: string, scope: Scope = EVERYTHING): PlanRunView | undefined {
    if (!scope.sees(PLANS)) return undefined
    const plan = this.#cache.plans.get(name)
    if (!plan) {
      this.#rows.delete(name)
      return undefined
    }
    const row = shareStructure(this.#rows.get(name), projectPlanRun({ plan, undoneBy: this.#cache.undoingPlans(name) }))
    this.#rows.set(name, row)
    return row
  }

  /** A plan that undoes another one changes what may be done to that one. */
  #touch({ metadata, spec }: RebalancePlanObject): void {
    this.touched.emit(metadata.name)
    if (spec.undoOf !== undefined) this.touched.emit(spec.undoOf)
  }
}
