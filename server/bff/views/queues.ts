/** The rows and pages of queues, each as its reader may see it. */
import { type AdmissionEstimate, estimateAdmissions, type QueuePlan } from '@/lib/domain/queue'
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { forgetOldest } from '@/lib/std/recent-map'
import { ProjectionMemo } from '@/lib/view/project/memo'
import { projectQueue, projectQueueDetail } from '@/lib/view/project/queue'
import type { QueueDetailView, QueueView } from '@/lib/view/queue-model'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModel, ReadModels } from '../read-model/read-model'

/** Estimates are computed again after this time. */
const ESTIMATE_MS = 30_000

interface Sources {
  clock: Clock
  /** Returns how long ended workloads of these namespaces ran, in milliseconds. */
  staysIn: (namespaces: readonly string[]) => readonly number[]
}

interface Estimates {
  plan: QueuePlan
  at: EpochMs
  estimates: ReadonlyMap<string, AdmissionEstimate>
}

/** Rows and pages by `namespace/name`. Names of workloads are shown only where the reader may list bindings. */
export class QueueRows {
  readonly touched = new Signal()
  /** Never emits: a change that affects all pages touches each of them. */
  readonly allTouched = new Signal()
  /** By scope, then by id: the last result, so that an unchanged view stays the same object. */
  readonly #rows = new Memory<QueueView>()
  readonly #pages = new Memory<QueueDetailView>()
  /** By the id of an open page. */
  readonly #estimates = new Map<string, Estimates>()
  #stop: Stop = () => undefined
  #nextLook: Stop = () => undefined

  /** `changed` emits the ids of queues whose plan changed. */
  constructor(
    private readonly all: ControlPlaneIds,
    private readonly models: ReadModels,
    private readonly changed: Signal,
    private readonly sources: Sources,
  ) {}

  start(): void {
    this.#stop = this.changed.listen((id) => this.touched.emit(id))
    this.#lookLater()
  }

  stop(): void {
    this.#stop()
    this.#nextLook()
  }

  /** Returns the ids of all rows. */
  ids(): string[] {
    return this.all.queues()
  }

  /** Returns the row; undefined when the scope sees no such queue. */
  row(id: string, scope: Scope): QueueView | undefined {
    const reader = this.models.of(scope)
    const plan = reader.queue(id)
    if (!plan) {
      this.#rows.of(reader).forget(id)
      return undefined
    }
    return this.#rows.of(reader).get(id, [plan], () => withoutFair(projectQueue(plan, reader.seesWorkloadsIn), reader))
  }

  /** Returns the page; undefined when the scope sees no such queue. */
  page(id: string, scope: Scope): QueueDetailView | undefined {
    const reader = this.models.of(scope)
    const view = this.row(id, scope)
    const plan = view && reader.queue(id)
    if (!plan) return undefined
    const estimates = this.#estimatesOf(id, plan)
    return this.#pages
      .of(reader)
      .get(id, [plan, view, estimates], () => projectQueueDetail(plan, view, reader.seesWorkloadsIn, estimates))
  }

  /** Computed from all workloads of the queue: a reader who sees one of them sees its estimate, but not the others. */
  #estimatesOf(id: string, plan: QueuePlan): Estimates['estimates'] {
    const { clock, staysIn } = this.sources
    const [known, now] = [this.#estimates.get(id), clock.now()]
    if (known?.plan === plan && now - known.at < ESTIMATE_MS) return known.estimates
    const fresh = estimateAdmissions(plan, { now, stays: staysIn(plan.queue.namespaces) })
    const estimates = known && deepEqual([...known.estimates], [...fresh]) ? known.estimates : fresh
    this.#estimates.set(id, { plan, at: now, estimates })
    return estimates
  }

  /** The longer a workload runs, the later its likely end, even without changes. */
  #lookLater(): void {
    this.#nextLook = this.sources.clock.after(ESTIMATE_MS, () => {
      for (const id of this.#estimates.keys()) this.touched.emit(id)
      this.#lookLater()
    })
  }

  /** Call this when a page is no longer kept. */
  close(id: string): void {
    this.#pages.forget(id)
    this.#estimates.delete(id)
  }
}

/** A fair share depends on the weights of all queues, so it would reveal hidden ones. */
function withoutFair(view: QueueView, reader: ReadModel): QueueView {
  if (!view.share || reader.seesAllQueues) return view
  const { resource, part } = view.share
  return { ...view, share: { resource, part } }
}

/** Scopes change with the users; only the latest ones are kept. */
const MAX_SCOPES = 50

/** The last projection, for each scope. */
class Memory<T> {
  readonly #memos = new Map<string, ProjectionMemo<T>>()

  of({ key }: ReadModel): ProjectionMemo<T> {
    const memo = this.#memos.get(key) ?? new ProjectionMemo<T>()
    this.#memos.delete(key)
    this.#memos.set(key, memo)
    forgetOldest(this.#memos, MAX_SCOPES)
    return memo
  }

  forget(id: string): void {
    for (const memo of this.#memos.values()) memo.forget(id)
  }
}
