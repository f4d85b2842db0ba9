/** The rows of the propagation policies: which ones a change affects, and how each is projected. */
import type { Stop } from '@/lib/std/clock'
import type { PolicyView } from '@/lib/view/policy-model'
import { templateOf } from '@/lib/view/project/binding-facts'
import { projectPolicy } from '@/lib/view/project/policy'
import { shareStructure } from '@/lib/std/share-structure'
import { workloadId } from '@/lib/view/workload-id'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModels } from '../read-model/read-model'

/** Rows by policy id; `touched` emits the ids that may have changed. */
export class PolicyRows {
  readonly touched = new Signal()
  readonly #rows = new Map<string, PolicyView>()
  #stops: Stop[] = []

  /** `drifts` emits the ids of workloads whose drift changed. */
  constructor(
    private readonly all: ControlPlaneIds,
    private readonly models: ReadModels,
    private readonly drifts: Signal,
  ) {}

  start(): void {
    this.#stops = [
      this.all.onPolicy((id, isRemoved) => {
        if (isRemoved) this.#rows.delete(id)
        this.touched.emit(id)
      }),
      this.all.onClaimed((id) => this.touched.emit(id)),
      this.drifts.listen((workload) => {
        const id = this.all.policyOfWorkload(workload)
        if (id !== undefined) this.touched.emit(id)
      }),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Returns the ids of all rows. */
  ids(): string[] {
    return this.all.policies()
  }

  /**
   * Returns the row, which counts only the workloads that the scope sees; undefined when the scope sees no such policy.
   */
  row(id: string, scope: Scope): PolicyView | undefined {
    const reader = this.models.of(scope)
    const policy = reader.policy(id)
    if (!policy) return undefined
    const claimed = reader
      .bindingsOfPolicy(id)
      .map((binding) => ({ binding, drift: reader.drift(workloadId(templateOf(binding))) ?? 0 }))
    if (!reader.isUnrestricted) return projectPolicy(policy, claimed)
    const row = shareStructure(this.#rows.get(id), projectPolicy(policy, claimed))
    this.#rows.set(id, row)
    return row
  }
}
