/** The rows of the fleet: which ones a change affects, and how each is projected. */
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import type { WorkloadView } from '@/lib/view/model'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { ProjectionMemo } from '@/lib/view/project/memo'
import { settlesUntil } from '@/lib/view/project/settling'
import { projectWorkload } from '@/lib/view/project/workload'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModels } from '../read-model/read-model'

interface RowSources {
  all: ControlPlaneIds
  models: ReadModels
  clock: Clock
  /** Emits the names of clusters whose readiness changed. */
  answers: Signal
  /** Emit the ids of workloads whose row changed otherwise: suspension, drift. */
  others?: readonly Signal[]
}

/** Rows by workload id, projected on request; `touched` emits the ids that may have changed. */
export class WorkloadRows {
  readonly touched = new Signal()
  /** Memos for readers with and without Works, with and without Clusters. */
  readonly #memos = Array.from({ length: 4 }, () => new ProjectionMemo<WorkloadView>())
  readonly #sources: RowSources
  /** When the manifest of a workload for any member last changed. */
  readonly #manifestChangedAt = new Map<string, EpochMs>()
  /** By workload id: timer for the end of the settling time. */
  readonly #looks = new Map<string, Stop>()
  #stops: Stop[] = []

  constructor(sources: RowSources) {
    this.#sources = sources
  }

  /** Starts following the control plane; listeners get every existing workload. */
  start(): void {
    const { all, answers, others = [] } = this.#sources
    this.#stops = [
      answers.listen((name) => {
        for (const id of all.workloadsIn(name)) this.touched.emit(id)
      }),
      all.onWork((id, isNewManifest) => this.#onWork(id, isNewManifest)),
      all.onWorkload((id, isRemoved) => {
        if (isRemoved) this.#forget(id)
        this.touched.emit(id)
      }),
      ...others.map((signal) => signal.listen((id) => this.touched.emit(id))),
    ]
  }

  stop(): void {
    for (const stop of [...this.#stops, ...this.#looks.values()]) stop()
    this.#looks.clear()
  }

  /** Returns the ids of all rows. */
  ids(): string[] {
    return this.#sources.all.workloads()
  }

  /**
   * Returns the row for the scope; undefined if the scope lacks the workload. Returns the same object while nothing
   * changed. Readers who may not list Works or Clusters get the content of the binding.
   */
  row(id: string, scope: Scope): WorkloadView | undefined {
    const reader = this.#sources.models.of(scope)
    const binding = reader.binding(id)
    if (!binding) return undefined
    const works = reader.works(binding)
    const readiness = reader.answers()
    const settling = this.#settles(id, binding)
    const held = reader.held(binding)
    const memo = this.#memos[(works ? 1 : 0) + (readiness ? 2 : 0)] as ProjectionMemo<WorkloadView>
    const drift = reader.drift(id)
    return memo.get(id, [binding, works, readiness, settling, held, drift], () =>
      projectWorkload({ binding, works, readiness, settling, held, drift }),
    )
  }

  /** Reports whether replicas may still be starting; if so, the row is computed again after that time. */
  #settles(id: string, binding: AnyBinding): boolean {
    const now = this.#sources.clock.now()
    const until = settlesUntil({ binding, manifestChangedAt: this.#manifestChangedAt.get(id), now })
    this.#looks.get(id)?.()
    this.#looks.delete(id)
    if (until === undefined) return false
    this.#looks.set(
      id,
      this.#sources.clock.after(until - now, () => this.touched.emit(id)),
    )
    return true
  }

  #forget(id: string): void {
    for (const memo of this.#memos) memo.forget(id)
    this.#manifestChangedAt.delete(id)
    this.#looks.get(id)?.()
    this.#looks.delete(id)
  }

  #onWork(id: string, isNewManifest: boolean): void {
    if (isNewManifest) this.#manifestChangedAt.set(id, this.#sources.clock.now())
    this.touched.emit(id)
  }
}
