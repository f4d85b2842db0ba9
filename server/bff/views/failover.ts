/** The failover monitor: the stories of every workload and cluster, and how many there are of which stage. */
import {
  explainInaction,
  type FailoverSettings,
  type FailoverStory,
  failoverStories,
  policyOf,
} from '@/lib/domain/failover'
import { DRAIN_TAINT, isProtection, noExecuteTaints } from '@/lib/domain/eviction'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Clock, type EpochMs, parseTime, type Stop } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import type {
  FailoverEntryView, FailoverStoryView, FailoverSummaryView, PastStoryView,
} from '@/lib/view/failover-model'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { clusterState } from '@/lib/view/project/cluster'
import { projectClusterStory, projectStory } from '@/lib/view/project/failover'
import { SETTLING_MS } from '@/lib/view/project/settling'
import { shareStructure } from '@/lib/view/share-structure'
import type { Change } from '@/server/kube/informer'
import type { Scope } from '../access/access'
import { CLUSTERS, seesAllWorkloads, seesWorkload, seesWorkloadThen } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import type { Journal } from '../recorder/journal'
import { clustersOf, idOf, type World } from '../world/world'
import { policiesSeen } from './details'
import { Incidents, type Outage, SHOWN_AFTER_MS } from './incidents'
import { driversOf, isLost, roomOf, troubledSince } from './cluster-drivers'
import { Signal } from './signal'
import type { WorkloadRows } from './workloads'

export interface FailoverSources {
  world: World
  journal: Journal
  clock: Clock
  rows: WorkloadRows
  evictionsPerSecond?: number | undefined
  settings?: FailoverSettings | undefined
}

/** What a story may be told by. */
interface Known {
  clusters: readonly Cluster[]
  policies: ReturnType<World['policiesOf']>
}

const DAY_MS = 86_400_000
const NO_STORIES: readonly FailoverStoryView[] = []
const CLUSTER_PREFIX = 'cluster '

/**
 * Entries by workload id, and by `cluster NAME`. What was touched is told anew when somebody asks; what was not keeps its
 * identity. Without a reader a change costs an entry in a set.
 */
export class FailoverRows {
  readonly touched = new Signal()
  readonly summaryTouched = new Signal()
  readonly historyTouched = new Signal()
  readonly #sources: FailoverSources
  readonly #dirty = new Set<string>()
  readonly #byWorkload = new Map<string, readonly FailoverStoryView[]>()
  /** By cluster: the stories of the workloads there. */
  readonly #byCluster = new Map<string, Map<string, FailoverStoryView>>()
  readonly #looks = new Map<string, Stop>()
  readonly #shownPast = new Set<string>()
  readonly #incidents: Incidents
  /** By cluster: when its incident is no longer shown. */
  readonly #ends = new Map<string, Stop>()
  #stops: Stop[] = []

  constructor(sources: FailoverSources) {
    this.#sources = sources
    this.#incidents = new Incidents(sources)
  }

  start(): void {
    const { world, journal } = this.#sources
    this.#stops = [
      world.onBindingChange((change) => this.#onBinding(change)),
      world.clusters.onChange((change) => this.#onCluster(change)),
      journal.storyEnded.listen((id) => this.#onEnd(id)),
      this.#sources.rows.touched.listen((id) => {
        for (const cluster of this.#incidents.clustersOf(id)) this.touched.emit(CLUSTER_PREFIX + cluster)
      }),
    ]
    for (const { id } of this.#past()) this.#onEnd(id)
  }

  stop(): void {
    for (const stop of [...this.#stops, ...this.#looks.values(), ...this.#ends.values()]) stop()
    this.#looks.clear()
    this.#ends.clear()
  }

  /** Ids of all entries. */
  ids(): string[] {
    this.#refresh()
    return [
      ...this.#byWorkload.keys(),
      ...this.#sources.world.clusters.list().map(({ metadata }) => CLUSTER_PREFIX + metadata.name),
    ]
  }

  /** The stories of a workload or a cluster; undefined when there are none for the scope. */
  entry(id: string, scope: Scope = EVERYTHING): FailoverEntryView | undefined {
    this.#refresh()
    if (!id.startsWith(CLUSTER_PREFIX)) return toEntry(id, this.#seen(id, scope))
    const story = scope.sees(CLUSTERS) ? this.#clusterStory(id.slice(CLUSTER_PREFIX.length), scope) : undefined
    return story && toEntry(id, [story])
  }

  /** How many there are of which, as far as the scope sees them. */
  summary(scope: Scope = EVERYTHING): FailoverSummaryView {
    this.#refresh()
    const counts = { unhealthy: 0, toleration: 0, evicting: 0, replaced: 0, done: 0, kept: 0, running: 0 }
    const workloads = { tolerating: 0, evicting: 0, replaced: 0 }
    let since: string | undefined
    for (const id of this.#byWorkload.keys()) {
      const stories = this.#seen(id, scope)
      const stage = stageOfWorkload(stories)
      if (stage) workloads[stage] += 1
      for (const story of stories) {
        counts[story.kept ? 'kept' : story.stage] += 1
        if (!isRunning(story)) continue
        counts.running += 1
        if (story.since !== undefined && (since === undefined || story.since < since)) since = story.since
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
      clustersLost: scope.sees(CLUSTERS) ? this.#lostClusters() : [],
      done24h: this.#past().filter((story) => seesPast(story, scope)).length,
      ...(since !== undefined && { since }),
    }
  }

  /** Ids of all stories that ended within the last day. */
  pastIds(): string[] {
    return this.#past().map(({ id }) => id)
  }

  /** A story that ended; undefined when it is older than a day, or not for the scope. */
  past(id: string, scope: Scope = EVERYTHING): PastStoryView | undefined {
    const story = this.#sources.journal.pastStory(id)
    const isRecent = story && parseTime(story.endedAt) >= this.#sources.clock.now() - DAY_MS
    if (!isRecent || !seesPast(story, scope)) return undefined
    return story.kind === 'workload' || seesAllWorkloads(scope) ? story : withoutWorkloads(story)
  }

  /** Stories of a workload. Who may not list Clusters, or its policy, is told what the binding alone tells. */
  #seen(id: string, scope: Scope): readonly FailoverStoryView[] {
    const stories = this.#byWorkload.get(id) ?? NO_STORIES
    if (stories.length === 0 || !seesWorkload(scope, id)) return NO_STORIES
    const { world } = this.#sources
    const binding = world.bindingOf(id)
    if (!binding) return NO_STORIES
    const policies = policiesSeen(world.policiesOf(binding), scope)
    if (scope.sees(CLUSTERS) && policies.length === world.policiesOf(binding).length) return stories
    return this.#storiesOf(id, binding, {
      clusters: scope.sees(CLUSTERS) ? world.clusters.list() : [],
      policies,
    }).filter((story) => stories.some((full) => full.id === story.id))
  }

  #past(): PastStoryView[] {
    return this.#sources.journal.pastStories(this.#sources.clock.now() - DAY_MS)
  }

  #lostClusters(): string[] {
    const lost = this.#sources.world.clusters.list().filter((cluster) => isLost(cluster))
    return lost.map(({ metadata }) => metadata.name).sort()
  }

  #onEnd(id: string): void {
    this.#shownPast.add(id)
    const ended = this.#sources.journal.pastStory(id)
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

  /** Of all that a cluster reports, only its readiness and its taints drive workloads away. */
  #onCluster(change: Change<Cluster>): void {
    const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
    if (change.type !== 'updated' || !deepEqual(roomOf(change.old), roomOf(change.object))) this.#touchUnplaced()
    if (change.type === 'updated' && deepEqual(driversOf(change.old), driversOf(change.object))) return
    for (const binding of this.#sources.world.bindingsIn(name)) this.#touch(idOf(binding), [])
    this.touched.emit(CLUSTER_PREFIX + name)
    this.summaryTouched.emit('now')
  }

  /** Why no cluster takes a workload depends on what clusters have free. */
  #touchUnplaced(): void {
    for (const [id, stories] of this.#byWorkload) if (stories.some(isUnplaced)) this.#touch(id, [])
  }

  #refresh(): void {
    for (const id of this.#dirty) this.#tell(id)
    this.#dirty.clear()
  }

  #tell(id: string): void {
    const before = this.#byWorkload.get(id) ?? NO_STORIES
    const binding = this.#sources.world.bindingOf(id)
    const stories = binding ? shareStructure(before, this.#tellAll(id, binding)) : NO_STORIES
    for (const { cluster } of before) this.#byCluster.get(cluster)?.delete(id)
    for (const story of stories) this.#storiesIn(story.cluster).set(id, story)
    if (stories.length > 0) this.#byWorkload.set(id, stories)
    else this.#byWorkload.delete(id)
  }

  #storiesIn(cluster: string): Map<string, FailoverStoryView> {
    const known = this.#byCluster.get(cluster)
    if (known) return known
    const created = new Map<string, FailoverStoryView>()
    this.#byCluster.set(cluster, created)
    return created
  }

  #tellAll(id: string, binding: AnyBinding): FailoverStoryView[] {
    const { world, clock } = this.#sources
    const known = { clusters: world.clusters.list(), policies: world.policiesOf(binding) }
    const times = this.#storiesBy(binding, known).flatMap((story) => [
      this.#settledAt(id, story),
      story.deadline?.at ?? Infinity,
    ])
    this.#lookAgain(id, clock.now(), times)
    return this.#storiesOf(id, binding, known)
  }

  /** The stories that can be told by what is known. */
  #storiesOf(id: string, binding: AnyBinding, known: Known): FailoverStoryView[] {
    const now = this.#sources.clock.now()
    const shown = this.#storiesBy(binding, known).filter((story) => this.#settledAt(id, story) <= now)
    return shown.map((story) => this.#project({ id, binding, story, known }))
  }

  #storiesBy(binding: AnyBinding, { clusters, policies }: Known): FailoverStory[] {
    const { clock, settings } = this.#sources
    const stories = failoverStories({
      binding,
      clusters,
      policy: policyOf(binding, policies),
      now: clock.now(),
      ...(settings && { settings }),
    })
    return stories.filter(({ producer = '' }) => !isProtection({ producer }))
  }

  #project({
    id,
    binding,
    story,
    known,
  }: {
    id: string
    binding: AnyBinding
    story: FailoverStory
    known: Known
  }): FailoverStoryView {
    const { journal, clock, settings } = this.#sources
    const { cluster, cause, stage, deadline, kept, successors } = story
    const now = clock.now()
    const isStill = !kept && (stage !== 'evicting' || successors.length === 0)
    // Only what is due is worth a run of the scheduler for each row.
    const foresee = stage === 'toleration' && deadline !== undefined && deadline.at <= now
    const why = isStill ? explainInaction(binding, { ...known, now, foresee, ...(settings && { settings }) }) : []
    const reason = why.find((each) => each.cluster === cluster)?.sentence
    const outage = known.clusters.length > 0 ? journal.outageSince(cluster) : undefined
    const failingSince = cause === 'cluster' ? outage : journal.unhealthySince(id, cluster)
    return projectStory({ story, reason, open: journal.openStory(id, cluster), failingSince })
  }

  /** A workload that starts is unhealthy for a while, and no failover before its time there is up. */
  #settledAt(id: string, { cluster, cause, stage, since, deadline }: FailoverStory): EpochMs {
    if (cause !== 'application' || (stage !== 'unhealthy' && stage !== 'toleration')) return -Infinity
    const { journal } = this.#sources
    if (stage === 'toleration' && !journal.isStarting(id, cluster)) return -Infinity
    const seen = journal.unhealthySince(id, cluster)
    const failingSince = seen === undefined ? (since ?? -Infinity) : parseTime(seen)
    return Math.min(failingSince + SETTLING_MS, stage === 'toleration' ? deadline?.at ?? Infinity : Infinity)
  }

  /** Some stages begin by time alone. */
  #lookAgain(id: string, now: EpochMs, times: readonly EpochMs[]): void {
    this.#looks.get(id)?.()
    this.#looks.delete(id)
    const next = Math.min(...times.filter((at) => at > now))
    if (next === Infinity) return
    this.#looks.set(
      id,
      this.#sources.clock.after(next - now, () => {
        const binding = this.#sources.world.bindingOf(id)
        this.#touch(id, binding ? clustersOf(binding) : [])
      }),
    )
  }

  #clusterStory(name: string, scope: Scope): FailoverStoryView | undefined {
    const { world } = this.#sources
    const cluster = world.clusters.get(name)
    const there = [...(this.#byCluster.get(name) ?? [])].filter(
      ([id, { cause }]) => cause === 'cluster' && seesWorkload(scope, id),
    )
    if (!cluster) return undefined
    const stories = there.map(([, story]) => story)
    const isTroubled = isLost(cluster) || noExecuteTaints(cluster.spec.taints).length > 0
    const outage = this.#outageOf(name, { isLost: isLost(cluster), stories })
    if (!isTroubled && !outage) return undefined
    const drained = cluster.spec.taints?.some(({ key }) => key === DRAIN_TAINT.key) === true
    return projectClusterStory({
      cluster: name,
      trouble: clusterState(cluster),
      ready: !isLost(cluster),
      drained,
      since: outage?.since ?? troubledSince(cluster),
      stories,
      placed: isTroubled
        ? world.bindingsIn(name).filter((binding) => isPlacedIn(binding, name) && seesWorkload(scope, idOf(binding))).length
        : 0,
      ...(outage && { incident: this.#incidents.of(outage, scope) }),
    })
  }

  /** The outage that a cluster is in, or was in until an hour ago; then it is looked at again at the end of the hour. */
  #outageOf(cluster: string, now: { isLost: boolean; stories: readonly FailoverStoryView[] }): Outage | undefined {
    const { journal, clock } = this.#sources
    const { isLost, stories } = now
    this.#ends.get(cluster)?.()
    this.#ends.delete(cluster)
    const since = journal.outageSince(cluster)
    if (isLost) return since === undefined ? undefined : { cluster, since, stories }
    const past = this.#incidents.endedLately(cluster)
    if (past?.unhealthySince === undefined) {
      this.#incidents.forget(cluster)
      return undefined
    }
    const until = parseTime(past.endedAt) + SHOWN_AFTER_MS - clock.now()
    this.#ends.set(cluster, clock.after(until + 1, () => this.touched.emit(CLUSTER_PREFIX + cluster)))
    return { cluster, since: past.unhealthySince, endedAt: past.endedAt, stories }
  }
}

const seesPast = ({ workload, endedAt }: PastStoryView, scope: Scope): boolean =>
  (workload === undefined ? scope.sees(CLUSTERS) : seesWorkloadThen(scope, workload, endedAt))

/** An outage without the number of workloads that left: not all of them are the reader's. */
function withoutWorkloads({ workloads: _count, ...story }: PastStoryView): PastStoryView {
  return { ...story, state: { ...story.state, reason: story.state.reason.replace(/; .*/, '') } }
}

/** What the banner counts: what goes on by itself. A copy that is kept stays for as long as somebody wants it. */
function isRunning({ kept, stage, cause, deadline }: FailoverStoryView): boolean {
  return !kept && (stage !== 'unhealthy' || (cause === 'cluster' && deadline !== undefined))
}

const isPlacedIn = ({ spec }: AnyBinding, cluster: string): boolean =>
  spec.clusters?.some(({ name }) => name === cluster) === true

/** The stage with the furthest to go of those that run; undefined when none of them does. */
function stageOfWorkload(stories: readonly FailoverStoryView[]): keyof FailoverSummaryView['workloads'] | undefined {
  const stages = new Set(stories.filter(isRunning).map(({ stage }) => (stage === 'toleration' ? 'tolerating' : stage)))
  return (['tolerating', 'evicting', 'replaced'] as const).find((stage) => stages.has(stage))
}

const isUnplaced = ({ stage, kept, successors }: FailoverStoryView): boolean =>
  stage === 'evicting' && !kept && successors.length === 0

const toEntry = (id: string, stories: readonly FailoverStoryView[]): FailoverEntryView | undefined =>
  stories.length === 0 ? undefined : { id, stories: [...stories] }
