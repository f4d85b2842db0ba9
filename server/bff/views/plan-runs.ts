/** The rows of the rebalance plans. Everything shown stands in the objects: the controller writes it there. */
import type { Stop } from '@/lib/std/clock'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { projectPlanRun } from '@/lib/view/project/plan-run'
import { shareStructure } from '@/lib/view/share-structure'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModels } from '../read-model/read-model'

/** Rows by name; `touched` tells which may have changed. */
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

  /** Ids of all rows. */
  ids(): string[] {
    return this.all.plans()
  }

  /** The row; undefined when there is no such plan for the scope. It tells nothing that the object does not. */
  row(name: string, scope: Scope): PlanRunView | undefined {
    const reader = this.models.of(scope)
    const plan = reader.plan(name)
    if (!plan) return undefined
    const row = shareStructure(this.#rows.get(name), projectPlanRun({ plan, undoneBy: reader.undoingPlans(name) }))
    this.#rows.set(name, row)
    return row
  }
}
