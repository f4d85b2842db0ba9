/**
 * Where the scheduler will place each triggered workload by the latest reports of the clusters, and where it should have
 * placed it by those at the time of its decision. A batch takes longer than clusters need to report, so the preview is only
 * a snapshot.
 */
import {
  ASSUMED_FOR_MS,
  Assumptions,
  isTriggered,
  isWorkload,
  type SchedulerProfile,
  upstreamProfile,
} from '@/lib/domain/placement'
import { generalEstimator, type Estimator } from '@/lib/domain/estimate'
import { expectedPlacement, isSameDistribution, RecentMoves } from '@/lib/domain/rebalance'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Lease } from '@/lib/kube/kinds/lease'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { type Clock, parseTime, type Stop } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { idOf, type ControlPlaneCache } from './control-plane-cache'
import { SchedulerTerm } from './scheduler-term'
import { Signal } from './signal'

/** Pending workloads are predicted again after this time at the earliest. */
const REFRESH_MS = 2000
/** Longer by this for each of them: a prediction costs as much as a decision of the scheduler, which decides meanwhile. */
const REFRESH_MS_EACH = 1

type Places = readonly TargetCluster[]

export class ExpectedPlacements {
  /** Emits the ids of workloads whose expected placement may have changed. */
  readonly touched = new Signal()
  /** Emits the id of each workload that was scheduled after a trigger. */
  readonly scheduled = new Signal()
  /** By workload: what was expected when the scheduler decided on that trigger. */
  readonly #decided = new Map<string, { trigger: string; places: Places }>()
  readonly #pending = new Set<string>()
  readonly #moves = new RecentMoves()
  readonly #computed = new WeakMap<AnyBinding, { clusters: readonly Cluster[]; places: Places }>()
  readonly #profile: SchedulerProfile
  readonly #assumptions: Assumptions | undefined
  readonly #term: SchedulerTerm | undefined
  #clusters: readonly Cluster[] | undefined
  #timer: Stop | undefined
  #stops: Stop[] = []

  constructor(
    private readonly cache: ControlPlaneCache,
    private readonly clock: Clock,
    profile: SchedulerProfile = upstreamProfile,
    /** Reads the Lease of Karmada's scheduler. Absent where another one schedules. */
    readLease?: () => Promise<Lease>,
  ) {
    this.#profile = profile
    if (!profile.overcommitProtection) return
    const assumptions = new Assumptions()
    this.#assumptions = assumptions
    this.#term = readLease && new SchedulerTerm(readLease, clock, (before) => assumptions.forgetUntil(before))
  }

  start(): void {
    this.#term?.start()
    this.#stops = [
      this.cache.onBindingChange((change) => {
        if (change.type === 'deleted') this.#forget(change.old)
        else if (change.type === 'added') this.#begin(change.object)
        else this.#update(change.old, change.object)
      }),
      this.cache.clusters.onChange(() => {
        const { size } = this.#pending
        if (size > 0) this.#timer ??= this.clock.after(REFRESH_MS + REFRESH_MS_EACH * size, () => this.#refresh())
      }),
    ]
  }

  stop(): void {
    this.#term?.stop()
    this.#timer?.()
    for (const stop of this.#stops) stop()
  }

  /** What the scheduler counts besides the reports of clusters; undefined without overcommit protection. */
  get assumptions(): Assumptions | undefined {
    return this.#assumptions
  }

  /** Whether a restart of the scheduler, which then counts nothing from before, would have been noticed. */
  get knowsRestarts(): boolean {
    return this.#term?.isKnown ?? false
  }

  /** Changes of placements that the clusters may not have reported yet. */
  get movesUnderWay(): ReturnType<RecentMoves['at']> {
    return this.#moves.at(this.clock.now())
  }

  /** Returns the expected placement by the last trigger of the workload; undefined if it was not observed. */
  of(id: string): Places | undefined {
    const binding = this.cache.bindingOf(id)
    const trigger = binding?.spec.rescheduleTriggeredAt
    if (!binding || trigger === undefined) return undefined
    const decided = this.#decided.get(id)
    if (decided?.trigger === trigger) return decided.places
    if (!isTriggered(binding, this.#profile)) return undefined
    this.#clusters ??= this.cache.clusters.list()
    const known = this.#computed.get(binding)
    if (known?.clusters === this.#clusters) return known.places
    const places = this.#expect(binding, this.#clusters)
    this.#computed.set(binding, { clusters: this.#clusters, places })
    return places
  }

  #expect(binding: AnyBinding, clusters: readonly Cluster[]): Places {
    return expectedPlacement(binding, { clusters, profile: this.#profile, estimators: this.#estimators() })
  }

  #estimators(): readonly Estimator[] | undefined {
    const assumptions = this.#assumptions
    if (!assumptions) return undefined
    const now = this.clock.now()
    const { resourceModels } = this.#profile
    return [generalEstimator({ resourceModels, assumedIn: (cluster) => assumptions.in(cluster, now) })]
  }

  #refresh(): void {
    this.#timer = undefined
    this.#clusters = undefined
    for (const id of this.#pending) this.touched.emit(id)
  }

  #begin(binding: AnyBinding): void {
    if (isTriggered(binding, this.#profile)) this.#pending.add(idOf(binding))
    this.#assumeFrom(binding)
  }

  /** What the scheduler assumed before the console looked is not known: it is what has not become healthy since. */
  #assumeFrom(binding: AnyBinding): void {
    const { lastScheduledTime, aggregatedStatus = [] } = binding.status ?? {}
    const at = lastScheduledTime === undefined ? NaN : parseTime(lastScheduledTime)
    if (!this.#assumptions || !(at > this.clock.now() - ASSUMED_FOR_MS)) return
    const healthy = new Set(
      aggregatedStatus.filter(({ health }) => health === 'Healthy').map((item) => item.clusterName),
    )
    const coming = (binding.spec.clusters ?? []).filter(({ name }) => !healthy.has(name))
    if (coming.length > 0) this.#assumptions.record(binding, coming, at)
  }

  #update(old: AnyBinding, binding: AnyBinding): void {
    const id = idOf(binding)
    const places = binding.spec.clusters ?? []
    const isMoved = !isSameDistribution(old.spec.clusters ?? [], places)
    const wasDecided = isDecision(old, binding, isMoved)
    if (isMoved) this.#moves.record(old, places, this.clock.now())
    if (wasDecided && isTriggered(old, this.#profile)) this.#decide(id, old)
    this.#assumptions?.update(old, binding)
    if (isWritten(old, binding) && isWorkload(binding.spec))
      this.#assumptions?.record(binding, places, this.clock.now())
    if (isTriggered(binding, this.#profile)) this.#pending.add(id)
    else if (this.#pending.delete(id)) this.scheduled.emit(id)
  }

  /** Notes what was expected right before the decision. The scheduler patches the placement first, then the status. */
  #decide(id: string, before: AnyBinding): void {
    const trigger = before.spec.rescheduleTriggeredAt
    if (trigger === undefined || this.#decided.get(id)?.trigger === trigger) return
    this.#decided.set(id, { trigger, places: this.#expect(before, this.cache.clusters.list()) })
  }

  #forget(binding: AnyBinding): void {
    const id = idOf(binding)
    this.#decided.delete(id)
    this.#pending.delete(id)
    this.#assumptions?.forget(binding)
    this.#moves.record(binding, [], this.clock.now())
  }
}

/** Reports whether the scheduler decided, whatever it wrote. */
function isDecision(old: AnyBinding, next: AnyBinding, isMoved: boolean): boolean {
  return old.status?.lastScheduledTime !== next.status?.lastScheduledTime || (isMoved && !isEvicted(old, next))
}

/**
 * Reports whether the scheduler patched its result. It counts a workload from each patch on, also from one that only lists
 * the same clusters in another order, or notes a new placement, as it does with Duplicated workloads when it starts.
 */
function isWritten(old: AnyBinding, next: AnyBinding): boolean {
  if (isEvicted(old, next)) return false
  const resultOf = ({ metadata, spec }: AnyBinding) => [
    spec.clusters ?? [],
    metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION],
  ]
  return !deepEqual(resultOf(old), resultOf(next))
}

/** An eviction also removes a cluster, but adds its task. */
const isEvicted = (old: AnyBinding, next: AnyBinding): boolean =>
  (next.spec.gracefulEvictionTasks?.length ?? 0) > (old.spec.gracefulEvictionTasks?.length ?? 0)
