/**
 * Observes the fleet in the store itself: pods of the members, whatever these report, and every change when it is made.
 */
import type { ClusterPoint, RehearsalRecord, WorkloadId, WorkloadPoint } from '@/lib/domain/rehearsal/record'
import { isConditionTrue } from '@/lib/kube/conditions'
import { resourceName } from '@/lib/kube/kind'
import {
  cluster as clusterKind,
  type Cluster,
  pod as podKind,
  type Pod,
  resourceBinding as bindingKind,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import { isDown } from '@/lib/kube/simulation'
import type { Clock } from '@/lib/std/clock'
import type { Store } from '@/server/apiserver'
import { desiredOf, keyOfWorkload, loadOf, ownerOf, placesOf, type Places, workloadOf } from './facts'
import { Lanes } from './lanes'
import { addPoint } from './points'
import { budgetsIn, templateOf } from './templates'
import { Timeline } from './timeline'

type StoreEvent = Parameters<Parameters<Store['subscribe']>[0]>[0][number]

const PODS = resourceName(podKind)
const BINDINGS = resourceName(bindingKind)
const CLUSTERS = resourceName(clusterKind)

interface Seen<P> {
  now: P
  /** Since the rehearsal began; the last one holds. */
  points: P[]
}

interface SeenWorkload extends Seen<WorkloadPoint> {
  workload: WorkloadId
  places: Places
  /** At the start of the rehearsal; undefined if it was created later. */
  placesBefore?: Places
}

/** A workload that is not where it was when the rehearsal began. */
export interface Move {
  workload: WorkloadId
  before: readonly Replicas[]
  after: readonly Replicas[]
}

interface Replicas {
  cluster: string
  replicas: number
}

export class Observer {
  readonly timeline: Timeline
  readonly lanes: Lanes
  readonly #workloads = new Map<string, SeenWorkload>()
  readonly #clusters = new Map<string, Seen<ClusterPoint>>()
  /** Ready pods by workload and cluster. */
  readonly #ready = new Map<string, Map<string, Set<string>>>()
  readonly #stop: () => void
  #begunAt: number | undefined
  /** Counts changes of workloads, so that one can tell whether there were any. */
  changes = 0

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {
    this.timeline = new Timeline(() => this.#atMs())
    this.lanes = new Lanes(() => this.#atMs())
    this.#stop = store.subscribe((events) => {
      for (const event of events) this.#take(event)
    })
  }

  /** The rehearsal begins now: what was before is where it starts from. */
  begin(): void {
    this.#begunAt = this.clock.now()
    for (const seen of [...this.#workloads.values(), ...this.#clusters.values()]) seen.points = []
    for (const seen of this.#workloads.values()) seen.placesBefore = seen.places
    for (const key of this.#workloads.keys()) this.#touch(key)
    this.lanes.begin()
    for (const [name, seen] of this.#clusters) this.#note(this.#clusters, name, { ...seen.now, atMs: 0 })
  }

  record(durationMs: number): RehearsalRecord {
    const budgetsOf = budgetsIn(this.store)
    return {
      durationMs,
      workloads: sorted(this.#workloads)
        .filter(({ points }) => points.length > 0)
        .map(({ workload, points }) => ({ workload, points, budgets: budgetsOf(workload) })),
      clusters: [...this.#clusters.keys()]
        .toSorted()
        .map((cluster) => ({ cluster, points: this.#clusters.get(cluster)!.points })),
    }
  }

  /** Workloads that are not where they were when it began. */
  moves(): Move[] {
    return sorted(this.#workloads).flatMap(({ workload, places, placesBefore }) => {
      const [before, after] = [replicasIn(placesBefore ?? new Map()), replicasIn(places)]
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ workload, before, after }]
    })
  }

  /** Workloads that have fewer ready pods than they should, now. */
  incomplete(): WorkloadId[] {
    return sorted(this.#workloads)
      .filter(({ now }) => now.ready < now.desired)
      .map(({ workload }) => workload)
  }

  get workloads(): number {
    return this.#workloads.size
  }

  close(): void {
    this.#stop()
  }

  #atMs(): number | undefined {
    return this.#begunAt === undefined ? undefined : this.clock.now() - this.#begunAt
  }

  #take({ type, entry: { location, value } }: StoreEvent): void {
    const isGone = type === 'delete'
    if (location.resource === PODS && location.keyspace !== '') {
      this.#takePod(location.keyspace, location.key, { pod: value as unknown as Pod, isGone })
    } else if (location.keyspace !== '') return
    else if (location.resource === BINDINGS) this.#takeBinding(value as unknown as ResourceBinding, isGone)
    else if (location.resource === CLUSTERS) this.#takeCluster(value as unknown as Cluster, isGone)
  }

  #takePod(cluster: string, key: string, { pod, isGone }: { pod: Pod; isGone: boolean }): void {
    const owner = ownerOf(pod)
    if (owner === undefined) return
    const counts = isGone || pod.metadata.deletionTimestamp ? false : isConditionTrue(pod.status?.conditions, 'Ready')
    const byCluster = this.#ready.get(owner) ?? new Map<string, Set<string>>()
    this.#ready.set(owner, byCluster)
    const pods = byCluster.get(cluster) ?? new Set<string>()
    byCluster.set(cluster, pods)
    if (pods.has(key) === counts) return
    if (counts) pods.add(key)
    else pods.delete(key)
    this.lanes.ready(cluster, counts ? 1 : -1)
    this.#touch(owner)
  }

  #takeBinding(binding: ResourceBinding, isGone: boolean): void {
    const workload = workloadOf(binding)
    if (!workload) return
    const key = keyOfWorkload(workload)
    const known = this.#workloads.get(key)
    const places = isGone ? new Map<string, number>() : placesOf(binding)
    // A binding that goes while its template stays takes the workload away from every cluster.
    const left = templateOf(this.store, workload) ? (known?.now.desired ?? 0) : 0
    const now = {
      atMs: 0,
      desired: isGone ? left : desiredOf(binding),
      ready: 0,
      clusters: isGone ? 0 : new Set([...places.keys(), ...leaving(binding)]).size,
    }
    this.timeline.placed(workload, known?.places ?? new Map(), places)
    this.lanes.placed(known?.places ?? new Map(), places)
    this.#workloads.set(key, { ...known, workload, points: known?.points ?? [], places, now })
    this.#touch(key)
  }

  #takeCluster(cluster: Cluster, isGone: boolean): void {
    const { name } = cluster.metadata
    const before = this.#clusters.get(name)?.now
    const up = !isGone && !isDown(cluster)
    this.timeline.cluster(cluster, isGone)
    if (before?.up !== up) this.lanes.up(name, up)
    this.#note(this.#clusters, name, { atMs: this.#atMs() ?? 0, up, ...loadOf(cluster) })
    if (before?.up === up) return
    for (const [key, byCluster] of this.#ready) if (byCluster.has(name)) this.#touch(key)
  }

  /** Counts the pods of a workload anew. */
  #touch(key: string): void {
    const seen = this.#workloads.get(key)
    if (!seen) return
    let ready = 0
    for (const [cluster, pods] of this.#ready.get(key) ?? []) {
      if (this.#clusters.get(cluster)?.now.up ?? true) ready += pods.size
    }
    this.changes += 1
    this.#note(this.#workloads, key, { ...seen.now, ready, atMs: this.#atMs() ?? 0 })
  }

  #note<P extends { atMs: number }, S extends Seen<P>>(all: Map<string, S>, key: string, now: P): void {
    const seen = all.get(key) ?? ({ now, points: [] as P[] } as unknown as S)
    all.set(key, seen)
    seen.now = now
    if (this.#begunAt !== undefined) addPoint(seen.points, now)
  }
}

const replicasIn = (places: Places): Replicas[] =>
  [...places].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([cluster, replicas]) => ({ cluster, replicas }))

const leaving = ({ spec }: ResourceBinding): string[] =>
  (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster)

const sorted = (workloads: ReadonlyMap<string, SeenWorkload>): SeenWorkload[] =>
  [...workloads.keys()].toSorted().map((key) => workloads.get(key)!)
