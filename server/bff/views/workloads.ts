/** The rows of the fleet: which ones a change touches, and how each is projected. */
import type { Work } from '@/lib/kube/kinds/work'
import { executionSpaceOf } from '@/lib/kube/names'
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import type { WorkloadView } from '@/lib/view/model'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { ProjectionMemo } from '@/lib/view/project/memo'
import { settlesUntil } from '@/lib/view/project/settling'
import { projectWorkload } from '@/lib/view/project/workload'
import type { Change } from '@/server/kube/informer'
import type { Scope } from '../access/access'
import { CLUSTERS, seesWorkload, WORKS } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import { idOf, type ControlPlaneCache } from '../cache/control-plane-cache'
import type { DriftCache } from './drift-cache'
import { heldAsSeen } from './held-narrow'
import type { QueuePlanCache } from './queue-plan-cache'
import { ReadinessCache } from './readiness-cache'
import { Signal } from './signal'

interface RowSources {
  queues?: QueuePlanCache
  drifts?: DriftCache
  /** Default: one of its own. */
  readiness?: ReadinessCache
}

/** Rows by workload id, projected when asked for; `touched` tells which may have changed. */
export class WorkloadRows {
  readonly touched = new Signal()
  /** Without and with Works, without and with Clusters. */
  readonly #memos = Array.from({ length: 4 }, () => new ProjectionMemo<WorkloadView>())
  readonly #cache: ControlPlaneCache
  readonly #clock: Clock
  readonly #queues: QueuePlanCache | undefined
  readonly #drifts: DriftCache | undefined
  readonly #readiness: ReadinessCache
  /** When the manifest of a workload for some member was last seen to change. */
  readonly #manifestChangedAt = new Map<string, EpochMs>()
  /** By workload id: the next look, when the time to settle is over. */
  readonly #looks = new Map<string, Stop>()
  #stops: Stop[] = []

  /** With `queues` rows say what keeps a workload back, with `drifts` how far it is from what its policy would give. */
  constructor(cache: ControlPlaneCache, clock: Clock, { queues, drifts, readiness }: RowSources = {}) {
    this.#cache = cache
    this.#readiness = readiness ?? new ReadinessCache(cache, clock)
    this.#clock = clock
    this.#queues = queues
    this.#drifts = drifts
  }

  /** Begins to follow the control plane; listeners are told every workload that is there. */
  start(): void {
    this.#readiness.start()
    this.#stops = [
      this.#readiness.touched.listen((name) => this.#touchAllIn(name)),
      this.#cache.works.onChange((change) => this.#onWork(change)),
      this.#cache.onBindingChange((change) => this.#onBinding(change)),
      ...[this.#queues?.workloadTouched, this.#drifts?.touched].flatMap((signal) =>
        signal ? [signal.listen((id) => this.touched.emit(id))] : [],
      ),
    ]
  }

  stop(): void {
    for (const stop of [...this.#stops, ...this.#looks.values()]) stop()
    this.#looks.clear()
    this.#readiness.stop()
  }

  /** Ids of all rows. */
  ids(): string[] {
    return this.#cache.bindings().map(idOf)
  }

  /**
   * The row as the scope permits; undefined when there is no such workload for it. The same object while nothing about
   * it changed. Who may not list Works or Clusters gets what the binding itself tells of them.
   */
  row(id: string, scope: Scope = EVERYTHING): WorkloadView | undefined {
    const binding = this.#cache.bindingOf(id)
    if (!binding) {
      this.#forget(id)
      return undefined
    }
    if (!seesWorkload(scope, id)) return undefined
    const works = this.#cache.knowsWorks && scope.seesAll(WORKS) ? this.#cache.worksOf(binding) : undefined
    const readiness = this.#cache.knowsClusters && scope.sees(CLUSTERS) ? this.#readiness.current() : undefined
    const settling = this.#settles(id, binding)
    const held = heldAsSeen(this.#queues?.held(binding), scope)
    const memo = this.#memos[(works ? 1 : 0) + (readiness ? 2 : 0)] as ProjectionMemo<WorkloadView>
    const drift = this.#drifts?.drift(id)
    return memo.get(id, [binding, works, readiness, settling, held, drift], () =>
      projectWorkload({ binding, works, readiness, settling, held, drift }),
    )
  }

  /** Whether replicas may just be starting; if so, the row is looked at again when that is over. */
  #settles(id: string, binding: AnyBinding): boolean {
    const now = this.#clock.now()
    const until = settlesUntil({ binding, manifestChangedAt: this.#manifestChangedAt.get(id), now })
    this.#looks.get(id)?.()
    this.#looks.delete(id)
    if (until === undefined) return false
    this.#looks.set(
      id,
      this.#clock.after(until - now, () => this.touched.emit(id)),
    )
    return true
  }

  #forget(id: string): void {
    for (const memo of this.#memos) memo.forget(id)
    this.#manifestChangedAt.delete(id)
    this.#looks.get(id)?.()
    this.#looks.delete(id)
  }

  #onBinding(change: Change<AnyBinding>): void {
    if (change.type !== 'added') this.touched.emit(idOf(change.old))
    if (change.type !== 'deleted') this.touched.emit(idOf(change.object))
  }

  #onWork(change: Change<Work>): void {
    const work = change.type === 'deleted' ? change.old : change.object
    const isNewManifest = change.type === 'updated' && change.old.metadata.generation !== work.metadata.generation
    for (const id of this.#cache.workloadsOfWork(work)) {
      if (isNewManifest) this.#manifestChangedAt.set(id, this.#clock.now())
      this.touched.emit(id)
    }
  }

  #touchAllIn(cluster: string): void {
    const ids = new Set(this.#cache.bindingsIn(cluster).map(idOf))
    for (const work of this.#cache.works.listNamespace(executionSpaceOf(cluster))) {
      for (const id of this.#cache.workloadsOfWork(work)) ids.add(id)
    }
    for (const id of ids) this.touched.emit(id)
  }
}
