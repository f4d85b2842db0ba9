/** The plan of all queues as the console shows it, computed again at a limited rate when one of its inputs changed. */
import {
  planReleases,
  QUEUE_ANNOTATION,
  type QueuePlan,
  type QueueSnapshot,
  queueSnapshotOf,
  type ReleasePlan,
} from '@/lib/domain/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import type { Clock, Stop } from '@/lib/std/clock'
import type { HeldView } from '@/lib/view/model'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { type HeldFacts, projectHeld } from '@/lib/view/project/held'
import { deepEqual } from '@/lib/std/equal'
import type { Change } from '@/server/kube/informer'
import { idOf, type ControlPlaneCache } from './control-plane-cache'
import { Signal } from './signal'

const MIN_INTERVAL_MS = 250
/** A change is followed by what the controller does about it, whose decision has to wait for this one. */
const SETTLE_MS = 100
/** A slow plan is computed less often: maximum share of the time spent planning. */
const TIME_SHARE = 1 / 20

/** What suspends a binding, and from what that was told. */
interface Held {
  binding: AnyBinding
  facts: HeldFacts
  view: HeldView
}

/** One plan for all readers; the views decide what each reader sees. */
export class QueuePlanCache {
  /** Emits the ids of queues that may have changed. */
  readonly queueTouched = new Signal()
  /** Emits the ids of workloads that are now suspended for a different reason. */
  readonly workloadTouched = new Signal()
  readonly #cache: ControlPlaneCache
  readonly #clock: Clock
  readonly #elapsed: () => number
  #snapshot: QueueSnapshot = { now: 0, queues: [], orphans: [], lateBindings: [], offered: {}, capacity: {}, taken: {} }
  #plan: ReleasePlan = { now: 0, releases: [], steps: [], queues: [], orphans: [] }
  #held = new Map<ObjectKey, Held>()
  #known = new Set<string>()
  #isStale = true
  #next: Stop | undefined
  #look: Stop | undefined
  /** In elapsed time. */
  #notBefore = -Infinity
  #stops: Stop[] = []

  /** `elapsed` reads a timer in milliseconds, to measure planning. Default: constant 0. */
  constructor(cache: ControlPlaneCache, clock: Clock, elapsed: () => number = () => 0) {
    this.#cache = cache
    this.#clock = clock
    this.#elapsed = elapsed
  }

  start(): void {
    const { queues, quotas, clusters, priorityClasses } = this.#cache
    const stale = (): void => this.#stale()
    this.#stops = [
      queues.onChange((change) => {
        this.queueTouched.emit(objectKey(change.type === 'deleted' ? change.old : change.object))
        stale()
      }),
      quotas.onChange(stale),
      priorityClasses.onChange(stale),
      clusters.onChange(stale),
      this.#cache.onBindingChange((change) => this.#onBinding(change)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#next?.()
    this.#look?.()
  }

  /** Returns the current plan and computes it if it is outdated and the rate limit allows it. */
  plan(): ReleasePlan {
    if (this.#isStale && this.#clock.elapsed() >= this.#notBefore) this.#make()
    return this.#plan
  }

  /** Returns one queue of the plan; undefined when it does not exist. */
  queue(id: string): QueuePlan | undefined {
    return this.#cache.queues.get(id) && this.plan().queues.find(({ queue }) => queue.key === id)
  }

  /** Returns the queue as it would be planned without its hold. */
  withoutHold(id: string): QueuePlan | undefined {
    this.plan()
    const queues = this.#snapshot.queues.map((queue) =>
      queue.key === id ? { ...queue, spec: { ...queue.spec, hold: undefined } } : queue,
    )
    return planReleases({ ...this.#snapshot, queues }).queues.find(({ queue }) => queue.key === id)
  }

  /** Returns the key of the queue that a namespace belongs to. */
  ownerOf(namespace: string): string | undefined {
    return this.plan().queues.find(({ queue }) => !queue.deleting && queue.namespaces.includes(namespace))?.queue.key
  }

  /** Returns what suspends a binding; undefined when it is not suspended. The same object while nothing changed. */
  held(binding: AnyBinding): HeldView | undefined {
    if (binding.spec.suspension?.scheduling !== true) return undefined
    const held = binding.kind === 'ResourceBinding' ? this.#held.get(objectKey(binding)) : undefined
    return held?.view ?? projectHeld(binding)
  }

  /** Bindings in namespaces without a queue matter only for the capacity that they use, and only while queues exist. */
  #onBinding(change: Change<AnyBinding>): void {
    const concerns = (binding: AnyBinding): boolean =>
      binding.spec.suspension?.scheduling === true || binding.metadata.annotations?.[QUEUE_ANNOTATION] !== undefined
    const { old } = change.type === 'added' ? { old: undefined } : change
    const next = change.type === 'deleted' ? undefined : change.object
    if (this.#cache.queues.list().length > 0 || (old && concerns(old)) || (next && concerns(next))) this.#stale()
  }

  #stale(): void {
    this.#isStale = true
    const waitMs = Math.max(SETTLE_MS, this.#notBefore - this.#clock.elapsed())
    this.#next ??= this.#clock.after(waitMs, () => this.#onTime())
  }

  /** A request may have caused a plan meanwhile. */
  #onTime(): void {
    this.#next = undefined
    if (!this.#isStale) return
    if (this.#clock.elapsed() < this.#notBefore) this.#stale()
    else this.#make()
  }

  #make(): void {
    const begun = this.#elapsed()
    const { queues, quotas, clusters, priorityClasses } = this.#cache
    const now = this.#clock.now()
    this.#snapshot = queueSnapshotOf({
      queues: queues.list(),
      bindings: this.#bindings(),
      quotas: quotas.list(),
      clusters: clusters.list(),
      priorityClasses: priorityClasses.list(),
      now,
    })
    this.#plan = planReleases(this.#snapshot)
    this.#isStale = false
    this.#notBefore = this.#clock.elapsed() + Math.max(MIN_INTERVAL_MS, (this.#elapsed() - begun) / TIME_SHARE)
    this.#lookAgain()
    this.#notifyHeld()
    this.#notifyQueues()
  }

  /** Without queues only bindings that a former queue left behind matter. */
  #bindings(): readonly ResourceBinding[] {
    const bindings = this.#cache.resourceBindings()
    if (this.#cache.queues.list().length > 0) return bindings
    return bindings.filter(({ spec }) => spec.suspension?.scheduling === true)
  }

  #lookAgain(): void {
    this.#look?.()
    const { lookAgainAt, now } = this.#plan
    if (lookAgainAt === undefined) return
    this.#look = this.#clock.after(Math.max(MIN_INTERVAL_MS, lookAgainAt - now), () => this.#stale())
  }

  #notifyHeld(): void {
    const [before, held] = [this.#held, this.#heldNow()]
    this.#held = held
    for (const [key, { view }] of held) if (before.get(key)?.view !== view) this.#touch(key)
    for (const key of before.keys()) if (!held.has(key)) this.#touch(key)
  }

  #touch(key: ObjectKey): void {
    const binding = this.#cache.bindingByKey('ResourceBinding', key)
    if (binding) this.workloadTouched.emit(idOf(binding))
  }

  /** Told anew where the binding or its place changed: with long queues, most of the time would go into the others. */
  #heldNow(): Map<ObjectKey, Held> {
    const now = new Map<ObjectKey, Held>()
    const note = (key: ObjectKey, facts: HeldFacts): void => {
      const binding = this.#cache.bindingByKey('ResourceBinding', key)
      const before = this.#held.get(key)
      if (before && before.binding === binding && isSame(before.facts, facts)) {
        now.set(key, before)
        return
      }
      const view = binding && projectHeld(binding, facts)
      if (view) now.set(key, { binding, facts, view: before && deepEqual(before.view, view) ? before.view : view })
    }
    for (const plan of this.#plan.queues) noteQueue(plan, note)
    for (const { key } of this.#plan.orphans) note(key, { orphan: this.#cache.knowsQueues })
    return now
  }

  #notifyQueues(): void {
    const ids = this.#plan.queues.map(({ queue }) => queue.key)
    for (const id of new Set([...this.#known, ...ids])) this.queueTouched.emit(id)
    this.#known = new Set(ids)
  }
}

function noteQueue(
  { queue, pendingWorkloads, hold }: QueuePlan,
  note: (key: ObjectKey, facts: HeldFacts) => void,
): void {
  const asked = hold.state === 'None' || hold.resume ? undefined : queue.spec.hold
  const shared = { queue: queue.key, ...(asked && { hold: asked }) }
  for (const { binding, position, why } of pendingWorkloads)
    note(binding.key, { ...shared, entry: { since: binding.since, position, why } })
  for (const { key, state } of queue.bindings)
    if (state === 'HeldPlaced' || state === 'PlacedSuspended') note(key, shared)
}

/** Names the fields, because it is asked for every pending workload. */
function isSame(a: HeldFacts, b: HeldFacts): boolean {
  return (
    a.queue === b.queue
    && a.orphan === b.orphan
    && a.entry?.position === b.entry?.position
    && a.entry?.since === b.entry?.since
    && deepEqual(a.entry?.why, b.entry?.why)
    && deepEqual(a.hold, b.hold)
  )
}
