/** The rows of the rebalance plans. Everything shown is in the objects, written by the controller. */
import type { Stop } from '@/lib/std/clock'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { projectPlanRun } from '@/lib/view/project/plan-run'
import { shareStructure } from '@/lib/std/share-structure'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModels } from '../read-model/read-model'

/** Rows by name; `touched` emits the names that may have changed. */
export class PlanRunRows {
  readonly touched = new Signal()
  readonly #rows = new Map<string, PlanRunView>()
  #stop: Stop = () => undefined

  constructor(
    private readonly all: ControlPlaneIds,
    private readonly models: ReadModels,
  ) {}

  start(): void {
    this.#stop = this.all.onPlan((name, isRemoved) => {
      if (isRemoved) this.#rows.delete(name)
      this.touched.emit(name)
    })
  }

  stop(): void {
    this.#stop()
  }

  /** Returns the ids of all rows. */
  ids(): string[] {
    return this.all.plans()
  }

  /** Returns the row; undefined if the scope lacks the plan. It contains only the object. */
  row(name: string, scope: Scope): PlanRunView | undefined {
    const reader = this.models.of(scope)
    const plan = reader.plan(name)
    if (!plan) return undefined
    const row = shareStructure(this.#rows.get(name), projectPlanRun({ plan, undoneBy: reader.undoingPlans(name) }))
    this.#rows.set(name, row)
    return row
  }
}
