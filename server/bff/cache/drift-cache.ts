/** How far every workload is from what its policy would give now; kept up to date a little at a time. */
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

/** One turn, in milliseconds of work; requests are answered between turns. */
const TURN_MS = 8
/** At most this part of the time goes into it, however much there is to compute. */
const MOST_OF_THE_TIME = 1 / 10
/** Changes that come together are answered together. */
const GATHER_MS = 100
/** Small changes of capacity count once there were none for so long. */
const QUIET_MS = 15_000

/** What a binding's drift depends on, besides the clusters; everything else about it may change for free. */
interface Known {
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
  /** Reads a timer in milliseconds, to see what a turn costs. Default: it costs nothing. */
  elapsed?: () => number
}

/**
 * Drift by workload id. A workload is computed again when its binding changed in what the scheduler reads, or the
 * clusters changed in more than a little free capacity (`settleClusters`): never for a status that members report.
 */
export class DriftCache {
  /** Told the ids of workloads whose drift changed. */
  readonly touched = new Signal()
  readonly #cache: ControlPlaneCache
  readonly #clock: Clock
  readonly #options: DriftCacheOptions
  readonly #known = new Map<string, Known>()
  /** To be looked at, the first first. */
  readonly #waiting = new Set<string>()
  #clusters: readonly Cluster[] = []
  #clustersChanged = false
  #turn: Stop | undefined
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
    this.#turn?.()
    this.#quiet?.()
  }

  /** Replicas that would move; 0 also while that is not computed yet. */
  drift(id: string): number {
    return this.#known.get(id)?.drift ?? 0
  }

  /** False while some workload was not compared with the present clusters yet. */
  get isCurrent(): boolean {
    return this.#waiting.size === 0 && !this.#clustersChanged
  }

  #onBinding(change: Change<AnyBinding>): void {
    if (change.type === 'deleted') {
      const id = idOf(change.old)
      // The workload may have another binding by now.
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

  /** With other clusters every workload is looked at again. */
  #adopt(clusters: readonly Cluster[]): void {
    const isOther =
      clusters.length !== this.#clusters.length || clusters.some((cluster, at) => cluster !== this.#clusters[at])
    if (!isOther) return
    this.#clusters = clusters
    for (const binding of this.#cache.bindings()) this.#waiting.add(idOf(binding))
  }

  #schedule(afterMs: number): void {
    this.#turn ??= this.#clock.after(afterMs, () => this.#work())
  }

  /** One turn; the pause after it is in proportion to what it took. */
  #work(): void {
    this.#turn = undefined
    // What is missing in copies that are not whole would look like drift.
    if (!this.#cache.hasSynced()) return this.#schedule(GATHER_MS)
    const { elapsed = () => 0 } = this.#options
    const begun = elapsed()
    this.#settle()
    for (const id of this.#waiting) {
      this.#waiting.delete(id)
      this.#compute(id)
      if (elapsed() - begun >= TURN_MS) break
    }
    if (this.#waiting.size > 0) this.#schedule((elapsed() - begun) / MOST_OF_THE_TIME)
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

/** The generation counts changes of the spec; the scheduler notes in the status what it has seen. */
function factsOf({ metadata, status }: AnyBinding): Omit<Known, 'clusters' | 'drift'> {
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

function isSame(known: Known, binding: AnyBinding): boolean {
  const facts = factsOf(binding)
  return FACTS.every((fact) => known[fact] === facts[fact])
}

const FACTS = ['generation', 'observed', 'scheduledAt', 'uid', 'applied', 'evicted', 'deleting'] as const
