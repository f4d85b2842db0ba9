/** The difference of every workload from the placement that its policy would give now; updated in small steps. */
import { HISTORY_ANNOTATION } from '@/lib/domain/failover'
import { driftOf, isSameCapacity, settleClusters } from '@/lib/domain/rebalance'
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import type { Clock, Stop } from '@/lib/std/clock'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import type { Change } from '@/server/kube/informer'
import { idOf, type ControlPlaneCache } from './control-plane-cache'
import { Signal } from './signal'

/** One time slice, in milliseconds of work; requests are served between slices. */
const SLICE_MS = 8
/** Maximum share of the time spent computing. */
const TIME_SHARE = 1 / 10
/** Changes within this time are processed together. */
const GATHER_MS = 100
/** Small changes of capacity are adopted after this time without changes. */
const QUIET_MS = 15_000

/** The inputs of a binding's drift besides the clusters; other changes of the binding cause no computation. */
interface DriftInputs {
  clusters: readonly Cluster[]
  generation: number | undefined
  observed: number | undefined
  scheduledAt: string | undefined
  uid: string | undefined
  applied: string | undefined
  evicted: string | undefined
  deleting: boolean
  drift: number
}

export interface DriftCacheOptions {
  profile?: SchedulerProfile | undefined
  /** Reads a timer in milliseconds, to measure a time slice. Default: constant 0. */
  elapsed?: () => number
}

/**
 * Drift by workload id. A workload is computed again when the fields of its binding that the scheduler reads changed,
 * or the clusters changed by more than a little free capacity (`settleClusters`); a status reported by members never
 * causes it.
 */
export class DriftCache {
  /** Emits the ids of workloads whose drift changed. */
  readonly touched = new Signal()
  readonly #cache: ControlPlaneCache
  readonly #clock: Clock
  readonly #options: DriftCacheOptions
  readonly #known = new Map<string, DriftInputs>()
  /** Workloads to compute, in order. */
  readonly #waiting = new Set<string>()
  #clusters: readonly Cluster[] = []
  #clustersChanged = false
  #timer: Stop | undefined
  #quiet: Stop | undefined
  #stops: Stop[] = []

  constructor(cache: ControlPlaneCache, clock: Clock, options: DriftCacheOptions = {}) {
    this.#cache = cache
    this.#clock = clock
    this.#options = options
  }

  start(): void {
    this.#stops = [
      this.#cache.clusters.onChange((change) => this.#onCluster(change)),
      this.#cache.onBindingChange((change) => this.#onBinding(change)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#timer?.()
    this.#quiet?.()
  }

  /** Returns the number of replicas that would move; 0 also while it is not computed yet. */
  drift(id: string): number {
    return this.#known.get(id)?.drift ?? 0
  }

  /** False while a workload was not compared with the current clusters yet. */
  get isCurrent(): boolean {
    return this.#waiting.size === 0 && !this.#clustersChanged
  }

  #onBinding(change: Change<AnyBinding>): void {
    if (change.type === 'deleted') {
      const id = idOf(change.old)
      // The workload may have another binding now.
      if (!this.#cache.bindingOf(id)) return this.#forget(id)
    }
    const binding = change.type === 'deleted' ? this.#cache.bindingOf(idOf(change.old))! : change.object
    const id = idOf(binding)
    const known = this.#known.get(id)
    if (known && isSame(known, binding)) return
    this.#waiting.add(id)
    this.#schedule(GATHER_MS)
  }

  #onCluster(change: Change<Cluster>): void {
    this.#clustersChanged = true
    if (change.type !== 'updated' || !isSameCapacity(change.old, change.object)) {
      this.#quiet?.()
      this.#quiet = this.#clock.after(QUIET_MS, () => {
        this.#adopt(this.#cache.clusters.list())
        if (this.#waiting.size > 0) this.#schedule(0)
      })
    }
    this.#schedule(GATHER_MS)
  }

  /** When the clusters changed, every workload is computed again. */
  #adopt(clusters: readonly Cluster[]): void {
    const isOther =
      clusters.length !== this.#clusters.length || clusters.some((cluster, at) => cluster !== this.#clusters[at])
    if (!isOther) return
    this.#clusters = clusters
    for (const binding of this.#cache.bindings()) this.#waiting.add(idOf(binding))
  }

  #schedule(afterMs: number): void {
    this.#timer ??= this.#clock.after(afterMs, () => this.#work())
  }

  /** Runs one time slice; the pause after it is proportional to its duration. */
  #work(): void {
    this.#timer = undefined
    // Objects missing from an incomplete cache would look like drift.
    if (!this.#cache.hasSynced()) return this.#schedule(GATHER_MS)
    const { elapsed = () => 0 } = this.#options
    const begun = elapsed()
    this.#settle()
    for (const id of this.#waiting) {
      this.#waiting.delete(id)
      this.#compute(id)
      if (elapsed() - begun >= SLICE_MS) break
    }
    if (this.#waiting.size > 0) this.#schedule((elapsed() - begun) / TIME_SHARE)
  }

  #settle(): void {
    if (!this.#clustersChanged) return
    this.#clustersChanged = false
    this.#adopt(settleClusters(this.#clusters, this.#cache.clusters.list()))
  }

  #compute(id: string): void {
    const binding = this.#cache.bindingOf(id)
    if (!binding) return this.#forget(id)
    const known = this.#known.get(id)
    if (known?.clusters === this.#clusters && isSame(known, binding)) return
    const { profile } = this.#options
    const drift = driftOf(binding, { clusters: this.#clusters, ...(profile && { profile }) }, known?.drift)
    this.#known.set(id, { ...factsOf(binding), clusters: this.#clusters, drift })
    if (drift !== (known?.drift ?? 0)) this.touched.emit(id)
  }

  #forget(id: string): void {
    this.#waiting.delete(id)
    if (this.#known.delete(id)) this.touched.emit(id)
  }
}

/** The generation counts changes of the spec; the scheduler writes the generation that it observed to the status. */
function factsOf({ metadata, status }: AnyBinding): Omit<DriftInputs, 'clusters' | 'drift'> {
  return {
    generation: metadata.generation,
    observed: status?.schedulerObservedGeneration,
    scheduledAt: status?.lastScheduledTime,
    uid: metadata.uid,
    applied: metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION],
    evicted: metadata.annotations?.[HISTORY_ANNOTATION],
    deleting: metadata.deletionTimestamp !== undefined,
  }
}

function isSame(known: DriftInputs, binding: AnyBinding): boolean {
  const facts = factsOf(binding)
  return FACTS.every((fact) => known[fact] === facts[fact])
}

const FACTS = ['generation', 'observed', 'scheduledAt', 'uid', 'applied', 'evicted', 'deleting'] as const
