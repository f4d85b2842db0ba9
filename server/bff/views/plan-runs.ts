/** The rows and pages of the rebalance plans. Everything shown is in the objects, written by the controller. */
import type { RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import type { Stop } from '@/lib/std/clock'
import type { PlanRowView, PlanRunView } from '@/lib/view/rebalance-model'
import { projectPlanRow, projectPlanRun } from '@/lib/view/project/plan-run'
import { sameStructure, shareStructure } from '@/lib/std/share-structure'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModels } from '../read-model/read-model'
import { pageIntervalMs } from './target-intervals'

/** A plan as projected, for all scopes that see plans. */
interface Entry {
  plan: RebalancePlanObject
  undoneBy: readonly RebalancePlanObject[]
  page: PlanRunView
  row: PlanRowView
}

/** Rows and pages by name; `touched` emits the names that may have changed. */
export class PlanRunRows {
  readonly touched = new Signal()
  readonly #entries = new Map<string, Entry>()
  #stop: Stop = () => undefined

  constructor(
    private readonly all: ControlPlaneIds,
    private readonly models: ReadModels,
  ) {}

  start(): void {
    this.#stop = this.all.onPlan((name, isRemoved) => {
      if (isRemoved) this.#entries.delete(name)
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

  /**
   * Returns the row; undefined if the scope lacks the plan. It stays the same object until something changes that it
   * shows.
   */
  row(name: string, scope: Scope): PlanRowView | undefined {
    return this.#entry(name, scope)?.row
  }

  /** Returns the page; undefined if the scope lacks the plan. It contains only the object. */
  page(name: string, scope: Scope): PlanRunView | undefined {
    return this.#entry(name, scope)?.page
  }

  /** Returns the minimum time between two messages about a page; undefined: that of other topics. */
  pageIntervalMs(name: string): number | undefined {
    return pageIntervalMs(this.#entries.get(name)?.page.targets.length ?? 0)
  }

  #entry(name: string, scope: Scope): Entry | undefined {
    const reader = this.models.of(scope)
    const plan = reader.plan(name)
    if (!plan) return undefined
    const undoneBy = reader.undoingPlans(name)
    const known = this.#entries.get(name)
    if (known?.plan === plan && sameStructure(known.undoneBy, undoneBy)) return known
    const page = shareStructure(known?.page, projectPlanRun({ plan, undoneBy }))
    const row = known?.page === page ? known.row : shareStructure(known?.row, projectPlanRow(page))
    const entry = { plan, undoneBy, page, row }
    this.#entries.set(name, entry)
    return entry
  }
}
