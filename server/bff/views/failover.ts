/** The failover monitor: the failovers of every workload and cluster, and their number by stage. */
import type { FailoverSettings } from '@/lib/domain/failover'
import { DRAIN_TAINT, noExecuteTaints } from '@/lib/domain/eviction'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Clock, type EpochMs, parseTime, type Stop } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import type { FailoverEntryView, FailoverView, FailoverSummaryView, PastFailoverView } from '@/lib/view/failover-model'
import { isMessage, type Message } from '@/lib/messages/message'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { clusterState } from '@/lib/view/project/cluster'
import { projectIncident } from '@/lib/view/project/failover'
import { shareStructure } from '@/lib/std/share-structure'
import { turnLimit } from '@/server/runtime/turns'
import type { Change } from '@/server/kube/informer'
import type { Scope } from '../access/access'
import { EVERYTHING } from '../access/scope'
import type { Journal } from '../recorder/journal'
import { clustersOf, idOf, type ControlPlaneCache } from '../cache/control-plane-cache'
import { Incidents, type Outage, SHOWN_AFTER_MS } from './incidents'
import { isRunning, isUnplaced, stageOfWorkload } from './failover-progress'
import { driversOf, isLost, isTroubledAgain, roomOf, troubledSince } from './cluster-drivers'
import { Signal } from '../cache/signal'
import type { ReadModel, ReadModels } from '../read-model/read-model'
import { WorkloadFailovers } from './workload-failovers'
import type { WorkloadRows } from './workloads'

export interface FailoverSources {
  cache: ControlPlaneCache
  models: ReadModels
  journal: Journal
  clock: Clock
  rows: WorkloadRows
  evictionsPerSecond?: number | undefined
  settings?: FailoverSettings | undefined
  /** Called when a row cannot be computed that no reader asked for. */
  onError: (error: unknown) => void
}

const DAY_MS = 86_400_000
/**
 * The latest ended failovers are listed regardless of their age, so that the list is not empty while the journal has
 * one.
 */
const LASTING = 20
/** How often the recovery from an outage is looked at without a reader: who opens the page late has an estimate, too. */
const FOLLOW_EVERY_MS = 2_000
const NONE: readonly FailoverView[] = []
const CLUSTER_PREFIX = 'cluster '

/**
 * Entries by workload id, and by `cluster NAME`. Changed entries are computed again on the next read; others keep their
 * identity. Without a reader a change costs only an entry in a set.
 */
export class FailoverRows {
  readonly touched = new Signal()
  readonly summaryTouched = new Signal()
  readonly historyTouched = new Signal()
  readonly #sources: FailoverSources
  readonly #dirty = new Set<string>()
  readonly #byWorkload = new Map<string, readonly FailoverView[]>()
  /** Workloads that left a cluster and that no other has taken. */
  readonly #unplaced = new Set<string>()
  /** By cluster: the failovers of its workloads. */
  readonly #byCluster = new Map<string, Map<string, FailoverView>>()
  readonly #looks = new Map<string, Stop>()
  readonly #shownPast = new Set<string>()
  /** Ids of the latest ended failovers, latest last. */
  #lasting: string[] = []
  readonly #projection: WorkloadFailovers
  readonly #incidents: Incidents
  /** By cluster: timer for the end of showing its incident. */
  readonly #ends = new Map<string, Stop>()
  #nextLook: Stop | undefined
  #stops: Stop[] = []

  constructor(sources: FailoverSources) {
    this.#sources = sources
    this.#projection = new WorkloadFailovers(sources)
    this.#incidents = new Incidents(sources)
  }

  start(): void {
    const { cache, journal } = this.#sources
    this.#stops = [
      cache.onBindingChange((change) => this.#onBinding(change)),
      cache.clusters.onChange((change) => this.#onCluster(change)),
      journal.failoverEnded.listen((id) => this.#onEnd(id)),
      this.#sources.rows.touched.listen((id) => {
        for (const cluster of this.#incidents.noteRow(id)) this.touched.emit(CLUSTER_PREFIX + cluster)
      }),
    ]
    this.#lasting = journal
      .pastFailovers(0)
      .slice(0, LASTING)
      .map(({ id }) => id)
      .reverse()
    for (const { id } of this.#past()) this.#onEnd(id)
  }

  stop(): void {
    for (const stop of [...this.#stops, ...this.#looks.values(), ...this.#ends.values()]) stop()
    this.#looks.clear()
    this.#ends.clear()
    this.#nextLook?.()
  }

  /** Computes changed entries until `isLong`; returns whether all are computed. */
  prepare(isLong: () => boolean): boolean {
    for (const id of this.#dirty) {
      this.#refreshOne(id)
      if (isLong()) break
    }
    return this.#dirty.size === 0
  }

  /** Returns the ids of all entries, and of workloads that may have one. */
  ids(): string[] {
    return [
      ...new Set([...this.#byWorkload.keys(), ...this.#dirty]),
      ...this.#sources.cache.clusters.list().map(({ metadata }) => CLUSTER_PREFIX + metadata.name),
    ]
  }

  /** Returns the failovers of a workload or a cluster; undefined when the scope sees none. */
  entry(id: string, scope: Scope): FailoverEntryView | undefined {
    if (!id.startsWith(CLUSTER_PREFIX)) {
      if (this.#dirty.has(id)) this.#refreshOne(id)
      return toEntry(id, this.#seen(id, this.#sources.models.of(scope)))
    }
    this.#refresh()
    const reader = this.#sources.models.of(scope)
    const failover = reader.seesClusters ? this.#incidentOf(id.slice(CLUSTER_PREFIX.length), reader) : undefined
    return failover && toEntry(id, [failover])
  }

  /** Returns the number of failovers in the scope by stage. */
  summary(scope: Scope): FailoverSummaryView {
    this.#refresh()
    const reader = this.#sources.models.of(scope)
    const counts = { unhealthy: 0, toleration: 0, evicting: 0, replaced: 0, done: 0, kept: 0, running: 0 }
    const workloads = { tolerating: 0, evicting: 0, replaced: 0 }
    let since: string | undefined
    for (const id of this.#byWorkload.keys()) {
      const failovers = this.#seen(id, reader)
      const stage = stageOfWorkload(failovers)
      if (stage) workloads[stage] += 1
      for (const failover of failovers) {
        counts[failover.kept ? 'kept' : failover.stage] += 1
        if (!isRunning(failover)) continue
        counts.running += 1
        if (failover.since !== undefined && (since === undefined || failover.since < since)) since = failover.since
      }
    }
    const { running, unhealthy, toleration: tolerating, evicting, replaced, kept } = counts
    return {
      id: 'now',
      running,
      unhealthy,
      tolerating,
      evicting,
      replaced,
      kept,
      workloads,
      clustersLost: reader.seesClusters ? this.#lostClusters() : [],
      done24h: this.#past().filter((failover) => seesPast(failover, reader)).length,
      ...(since !== undefined && { since }),
    }
  }

  /** Returns the ids of all failovers that ended within the last day, and of the latest ones. */
  pastIds(): string[] {
    return [...new Set([...this.#past().map(({ id }) => id), ...this.#lasting.toReversed()])]
  }

  /**
   * Returns an ended failover; undefined when it is neither of the last day nor one of the latest, or not visible to
   * the scope.
   */
  past(id: string, scope: Scope): PastFailoverView | undefined {
    const failover = this.#sources.journal.pastFailover(id)
    const isRecent =
      failover
      && (parseTime(failover.endedAt) >= this.#sources.clock.now() - DAY_MS || this.#lasting.includes(failover.id))
    const reader = this.#sources.models.of(scope)
    if (!isRecent || !seesPast(failover, reader)) return undefined
    return failover.kind === 'workload' || reader.seesAllWorkloads ? failover : withoutWorkloads(failover)
  }

  /**
   * Returns the failovers of a workload. Without permission to list Clusters or its policy, they are derived from the
   * binding alone.
   */
  #seen(id: string, reader: ReadModel): readonly FailoverView[] {
    const failovers = this.#byWorkload.get(id) ?? NONE
    const binding = failovers.length === 0 ? undefined : reader.binding(id)
    if (!binding) return NONE
    const policies = reader.policiesOf(binding)
    if (reader.seesClusters && policies.length === this.#sources.cache.policiesOf(binding).length) return failovers
    const known = { clusters: reader.clusters(), policies }
    const visible = this.#projection.viewsOf({ id, binding, known })
    return visible.filter((failover) => failovers.some((full) => full.id === failover.id))
  }

  #past(): PastFailoverView[] {
    return this.#sources.journal.pastFailovers(this.#sources.clock.now() - DAY_MS)
  }

  #lostClusters(): string[] {
    const lost = this.#sources.cache.clusters.list().filter((cluster) => isLost(cluster))
    return lost.map(({ metadata }) => metadata.name).sort()
  }

  #onEnd(id: string): void {
    this.#shownPast.add(id)
    if (!this.#lasting.includes(id)) this.#lasting = [...this.#lasting, id].slice(-LASTING)
    const ended = this.#sources.journal.pastFailover(id)
    if (ended) this.#incidents.noteEnd(ended)
    if (ended?.kind === 'cluster') this.touched.emit(CLUSTER_PREFIX + ended.cluster)
    this.historyTouched.emit(id)
    this.summaryTouched.emit('now')
  }

  #onBinding(change: Change<AnyBinding>): void {
    const objects = [
      ...(change.type === 'added' ? [] : [change.old]),
      ...(change.type === 'deleted' ? [] : [change.object]),
    ]
    for (const binding of objects) this.#touch(idOf(binding), clustersOf(binding))
  }

  #touch(id: string, clusters: readonly string[]): void {
    this.#dirty.add(id)
    this.touched.emit(id)
    for (const name of clusters) this.touched.emit(CLUSTER_PREFIX + name)
    this.summaryTouched.emit('now')
  }

  /** Of the reported status of a cluster, only its readiness and its taints make workloads leave. */
  #onCluster(change: Change<Cluster>): void {
    const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
    if (change.type !== 'updated' || !deepEqual(roomOf(change.old), roomOf(change.object))) this.#touchUnplaced()
    if (change.type === 'updated' && deepEqual(driversOf(change.old), driversOf(change.object))) return
    for (const binding of this.#sources.cache.bindingsIn(name)) this.#touch(idOf(binding), [])
    this.touched.emit(CLUSTER_PREFIX + name)
    this.summaryTouched.emit('now')
    if (change.type !== 'deleted' && isLost(change.object)) this.#follow(0)
  }

  /** Reads the incidents while clusters are lost: each reading records how many workloads have recovered, for the estimate. */
  #follow(afterMs: number): void {
    this.#nextLook ??= this.#sources.clock.after(afterMs, () => {
      this.#nextLook = undefined
      const nextMs = this.#readIncidents()
      if (nextMs !== undefined) this.#follow(nextMs)
    })
  }

  /** Returns how long to wait until the next reading; undefined if no cluster is lost. */
  #readIncidents(): number | undefined {
    const lost = this.#lostClusters()
    try {
      if (!this.prepare(turnLimit(this.#sources.clock))) return 0
      for (const name of lost) this.entry(CLUSTER_PREFIX + name, EVERYTHING)
    } catch (error) {
      this.#sources.onError(error)
    }
    return lost.length > 0 ? FOLLOW_EVERY_MS : undefined
  }

  /** The reason why no cluster takes a workload depends on the free capacity of clusters. */
  #touchUnplaced(): void {
    for (const id of this.#unplaced) this.#touch(id, [])
  }

  #refresh(): void {
    this.prepare(() => false)
  }

  #refreshOne(id: string): void {
    this.#dirty.delete(id)
    const before = this.#byWorkload.get(id) ?? NONE
    const binding = this.#sources.cache.bindingOf(id)
    const failovers = binding ? shareStructure(before, this.#projectAll(id, binding)) : NONE
    for (const { cluster } of before) this.#byCluster.get(cluster)?.delete(id)
    for (const failover of failovers) this.#failoversIn(failover.cluster).set(id, failover)
    if (failovers.length > 0) this.#byWorkload.set(id, failovers)
    else this.#byWorkload.delete(id)
    if (failovers.some(isUnplaced)) this.#unplaced.add(id)
    else this.#unplaced.delete(id)
  }

  #failoversIn(cluster: string): Map<string, FailoverView> {
    const known = this.#byCluster.get(cluster)
    if (known) return known
    const created = new Map<string, FailoverView>()
    this.#byCluster.set(cluster, created)
    return created
  }

  #projectAll(id: string, binding: AnyBinding): FailoverView[] {
    const { cache, clock } = this.#sources
    const known = { clusters: cache.clusters.list(), policies: cache.policiesOf(binding) }
    const { views, turningPoints } = this.#projection.read({ id, binding, known })
    this.#lookAgain(id, clock.now(), turningPoints)
    return views
  }

  /** Some stages begin merely by the passage of time. */
  #lookAgain(id: string, now: EpochMs, times: readonly EpochMs[]): void {
    this.#looks.get(id)?.()
    this.#looks.delete(id)
    const next = Math.min(...times.filter((at) => at > now))
    if (next === Infinity) return
    this.#looks.set(
      id,
      this.#sources.clock.after(next - now, () => {
        const binding = this.#sources.cache.bindingOf(id)
        this.#touch(id, binding ? clustersOf(binding) : [])
      }),
    )
  }

  #incidentOf(name: string, reader: ReadModel): FailoverView | undefined {
    const { cache } = this.#sources
    const cluster = cache.clusters.get(name)
    const there = [...(this.#byCluster.get(name) ?? [])].filter(
      ([id, { cause }]) => cause === 'cluster' && reader.seesWorkload(id),
    )
    if (!cluster) return undefined
    const failovers = there.map(([, failover]) => failover)
    const isTroubled = isLost(cluster) || noExecuteTaints(cluster.spec.taints).length > 0
    const last = this.#outageOf(name, { isLost: isLost(cluster), failovers })
    const outage = last && isTroubledAgain(cluster, last.endedAt) ? undefined : last
    if (!isTroubled && !outage) return undefined
    const drained = cluster.spec.taints?.some(({ key }) => key === DRAIN_TAINT.key) === true
    return projectIncident({
      cluster: name,
      trouble: clusterState(cluster),
      ready: !isLost(cluster),
      drained,
      since: outage?.since ?? troubledSince(cluster),
      failovers,
      placed: isTroubled
        ? cache.bindingsIn(name).filter((binding) => isPlacedIn(binding, name) && seesBinding(binding, reader)).length
        : 0,
      ...(outage && { incident: this.#incidents.of(outage, reader) }),
    })
  }

  /**
   * Returns the current outage of a cluster, or one that ended within the last hour; it is checked again at the end of
   * that hour.
   */
  #outageOf(cluster: string, now: { isLost: boolean; failovers: readonly FailoverView[] }): Outage | undefined {
    const { journal, clock } = this.#sources
    const { isLost, failovers } = now
    this.#ends.get(cluster)?.()
    this.#ends.delete(cluster)
    const since = journal.outageSince(cluster)
    if (isLost) return since === undefined ? undefined : { cluster, since, failovers }
    const past = this.#incidents.endedLately(cluster)
    if (past?.unhealthySince === undefined) {
      this.#incidents.forget(cluster)
      return undefined
    }
    const until = parseTime(past.endedAt) + SHOWN_AFTER_MS - clock.now()
    this.#ends.set(
      cluster,
      clock.after(until + 1, () => this.touched.emit(CLUSTER_PREFIX + cluster)),
    )
    return { cluster, since: past.unhealthySince, endedAt: past.endedAt, failovers }
  }
}

const seesPast = ({ workload, endedAt }: PastFailoverView, reader: ReadModel): boolean =>
  workload === undefined ? reader.seesClusters : reader.seesWorkloadThen(workload, endedAt)

/** Returns an outage without the number of workloads that left, because the reader may not see all of them. */
function withoutWorkloads({ workloads: _count, ...failover }: PastFailoverView): PastFailoverView {
  const { reason } = failover.state
  return {
    ...failover,
    state: { ...failover.state, reason: isMessage(reason) ? (reason.args?.end as Message) : reason },
  }
}

const seesBinding = ({ metadata }: AnyBinding, reader: ReadModel): boolean =>
  reader.seesWorkloadsIn(metadata.namespace ?? '')

const isPlacedIn = ({ spec }: AnyBinding, cluster: string): boolean =>
  spec.clusters?.some(({ name }) => name === cluster) === true

const toEntry = (id: string, failovers: readonly FailoverView[]): FailoverEntryView | undefined =>
  failovers.length === 0 ? undefined : { id, failovers: [...failovers] }
