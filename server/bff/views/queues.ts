/** The rows and pages of queues, each as its reader may see it. */
import { objectKey, parseKey } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import { ProjectionMemo } from '@/lib/view/project/memo'
import { projectQueue, projectQueueDetail, type Sees } from '@/lib/view/project/queue'
import type { QueueDetailView, QueueView } from '@/lib/view/queue-model'
import type { Place, Scope } from '../access/access'
import { BINDINGS, QUEUES } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { QueuePlanCache } from './queue-plan-cache'
import { Signal } from './signal'

/** Rows and pages by `namespace/name`. Names of workloads are shown only where the reader may list bindings. */
export class QueueRows {
  readonly touched = new Signal()
  /** Nothing concerns all pages that does not touch each of them. */
  readonly allTouched = new Signal()
  readonly #cache: ControlPlaneCache
  readonly #plans: QueuePlanCache
  /** By scope, then by id: what was shown last, so that what did not change stays the same object. */
  readonly #rows = new Memory<QueueView>()
  readonly #pages = new Memory<QueueDetailView>()
  #stop: Stop = () => undefined

  constructor(cache: ControlPlaneCache, plans: QueuePlanCache) {
    this.#cache = cache
    this.#plans = plans
  }

  start(): void {
    this.#stop = this.#plans.queueTouched.listen((id) => this.touched.emit(id))
  }

  stop(): void {
    this.#stop()
  }

  /** Ids of all rows. */
  ids(): string[] {
    return this.#cache.queues.list().map(objectKey)
  }

  /** Where a queue with that id would be; undefined when the text is no id. */
  placeOf(id: string): Place | undefined {
    const { namespace, name } = parseKey(id)
    return namespace && name && !name.includes('/') ? { ...QUEUES, namespace } : undefined
  }

  /** The row; undefined when there is no such queue for the scope. */
  row(id: string, scope: Scope = EVERYTHING): QueueView | undefined {
    const place = this.placeOf(id)
    const plan = place && scope.sees(place) ? this.#plans.queue(id) : undefined
    if (!plan) {
      this.#rows.of(scope).forget(id)
      return undefined
    }
    return this.#rows.of(scope).get(id, [plan], () => withoutFair(projectQueue(plan, seesIn(scope)), scope))
  }

  /** The page; undefined when there is no such queue for the scope. */
  page(id: string, scope: Scope = EVERYTHING): QueueDetailView | undefined {
    const view = this.row(id, scope)
    const plan = view && this.#plans.queue(id)
    if (!plan) return undefined
    return this.#pages.of(scope).get(id, [plan, view], () => projectQueueDetail(plan, view, seesIn(scope)))
  }

  /** To be called when a page is no longer kept. */
  close(id: string): void {
    this.#pages.forget(id)
  }
}

/** A fair share is a part of the weights of all queues that share: it would tell of those that are hidden. */
function withoutFair(view: QueueView, scope: Scope): QueueView {
  if (!view.share || scope.seesAll(QUEUES)) return view
  const { resource, part } = view.share
  return { ...view, share: { resource, part } }
}

const seesIn =
  (scope: Scope): Sees =>
  (namespace) =>
    scope.sees({ ...BINDINGS, namespace })

/** Scopes come and go with users; those of the last few are remembered. */
const MOST_SCOPES = 50

/** What was projected last, for each scope. */
class Memory<T> {
  readonly #memos = new Map<string, ProjectionMemo<T>>()

  of({ key }: Scope): ProjectionMemo<T> {
    const memo = this.#memos.get(key) ?? new ProjectionMemo<T>()
    this.#memos.delete(key)
    this.#memos.set(key, memo)
    if (this.#memos.size > MOST_SCOPES) this.#memos.delete(this.#memos.keys().next().value!)
    return memo
  }

  forget(id: string): void {
    for (const memo of this.#memos.values()) memo.forget(id)
  }
}
