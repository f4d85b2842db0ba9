/** Watches the control plane and writes changes to the journal. */
import { type EvictionRules, evictionRules, noExecuteTaints } from '@/lib/domain/eviction'
import { defaultProfile, type SchedulerProfile } from '@/lib/domain/placement'
import { ignoredTrigger, type IgnoredTrigger } from '@/lib/domain/rebalance'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { KubeObject } from '@/lib/kube/object'
import type { EpochMs, Stop } from '@/lib/std/clock'
import type { CausedBy, LoadFact } from '@/lib/view/journal'
import { type CauseFacts, decideCause, causesOfTask, type Pending, pendingOf } from '@/lib/domain/cause'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import {
  causedBy,
  clusterSubject,
  diffBinding,
  diffDeleted,
  diffFacts,
  type Facts,
  factsOfBinding,
  factsOfCluster,
  subjectOf,
  workloadSubject,
} from '@/lib/view/project/journal-facts'
import { readinessOf } from '@/lib/view/project/cluster'
import { clusterOfReplicas, recordedReplicas } from '@/lib/view/project/recorded-replicas'
import { CREATED_BY_ANNOTATION } from '@/lib/view/project/plan-record'
import type { Change } from '@/server/kube/informer'
import { idOf, type ControlPlaneCache } from '../cache/control-plane-cache'
import type { Journal } from './journal'
import { isLoadNoted } from './load-facts'

/** The behaviour of the observed control plane. */
export interface ObserverRules {
  /** Default: that of Evenkeel's controllers. */
  eviction?: EvictionRules | undefined
  scheduler?: SchedulerProfile | undefined
  authorOf?: CauseFacts['author']
}

const NOTHING: Facts = new Map()
const UNSEEN = causedBy([{ code: 'unseen' }])

/**
 * Compares each version of an object with the facts in the journal. Facts of an earlier process differ because of an
 * unobserved change, and the entry is marked as such.
 */
export class Observer {
  readonly #journal: Journal
  /** Subjects that this process has observed. */
  readonly #seen = new Set<string>()
  /** By subject: changes that the scheduler has not processed yet. */
  readonly #pending = new Map<string, Pending>()
  /** By subject. */
  readonly #loadNotedAt = new Map<string, EpochMs>()
  #stops: Stop[] = []
  #stopped = false

  constructor(
    journal: Journal,
    private readonly rules: ObserverRules = {},
  ) {
    this.#journal = journal
  }

  start(cache: ControlPlaneCache): void {
    this.#journal.resume()
    this.#stops = [
      cache.clusters.onChange((change) => this.#onCluster(cache, change)),
      cache.onBindingChange((change) => this.#onBinding(cache, change)),
      this.#watchFreshness(cache),
    ]
    void cache.whenSynced().then(() => this.#forgetUnseen())
  }

  stop(): void {
    this.#stopped = true
    for (const stop of this.#stops) stop()
  }

  /** Subjects of the journal that no longer exist were deleted unobserved. */
  #forgetUnseen(): void {
    if (this.#stopped) return
    for (const key of this.#journal.subjects()) {
      if (!this.#seen.has(key)) this.#forget(key, true)
    }
  }

  #onCluster(cache: ControlPlaneCache, change: Change<Cluster>): void {
    const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
    const subject = { cluster: name }
    const key = clusterSubject(name)
    if (change.type === 'deleted') return this.#forget(key, false)
    const watched = this.#seen.has(key)
    const before = this.#journal.known(key) ?? NOTHING
    const after = this.#withLoad(key, before, factsOfCluster(change.object))
    const facts = diffFacts({ subject, before, after, caused: UNSEEN, watched })
    this.#journal.note(facts, !watched)
    this.#learn(key, after)
    if (change.type === 'updated' && isTroubled(change.old) === isTroubled(change.object)) return
    for (const binding of cache.bindingsIn(name)) this.#recordReplicas(cache, binding)
  }

  /**
   * From the failure of a cluster on, the ready replicas of its workloads are recorded, although no binding has changed
   * yet.
   */
  #recordReplicas(cache: ControlPlaneCache, binding: AnyBinding): void {
    const key = workloadSubject(idOf(binding))
    const known = this.#journal.known(key)
    if (!known || !this.#seen.has(key)) return
    const others = [...known].filter(([name]) => clusterOfReplicas(name) === undefined)
    const replicas = recordedReplicas(binding, { known, isTroubled: isTroubledIn(cache) })
    const after: Facts = new Map([
      ...others,
      ...[...replicas].map(([cluster, fact]) => [`replicas ${cluster}`, fact] as const),
    ])
    const subject = { workload: idOf(binding) }
    this.#journal.note(diffFacts({ subject, before: known, after, caused: UNSEEN, watched: true }), false)
    this.#learn(key, after)
  }

  /** Returns the facts with the load of the journal, unless the current load is recorded. */
  #withLoad(key: string, before: Facts, facts: Facts): Facts {
    const [was, is] = [before.get('load'), facts.get('load')] as (LoadFact | undefined)[]
    const now = this.#journal.now()
    if (is && isLoadNoted(was, is, now - (this.#loadNotedAt.get(key) ?? -Infinity))) {
      this.#loadNotedAt.set(key, now)
      return facts
    }
    const kept = new Map(facts)
    if (was) kept.set('load', was)
    return kept
  }

  #onBinding(cache: ControlPlaneCache, change: Change<AnyBinding>): void {
    const binding = change.type === 'deleted' ? change.old : change.object
    const subject = { workload: idOf(binding) }
    const key = workloadSubject(subject.workload)
    if (change.type === 'deleted') return this.#forget(key, false)
    const watched = this.#seen.has(key)
    const { eviction = evictionRules(), scheduler: profile, authorOf: author } = this.rules
    const causes = { ...causeFacts(cache, subject.workload), author, profile }
    const before = this.#journal.known(key) ?? NOTHING
    const after = factsOfBinding(binding, {
      causesOf: (task) => causesOfTask(task, binding, causes),
      known: before,
      rules: eviction,
      ignored: this.#ignoredTrigger(change, before),
      isTroubled: isTroubledIn(cache),
    })
    const caused = this.#causeOf(change, key, causes)
    const facts = diffBinding(binding, { subject, before, after, caused, watched }, eviction)
    this.#journal.note(facts, !watched)
    this.#learn(key, after)
  }

  #ignoredTrigger(change: Exclude<Change<AnyBinding>, { type: 'deleted' }>, before: Facts): IgnoredTrigger | undefined {
    const { scheduler: profile = defaultProfile } = this.rules
    const known = before.get('ignored') as IgnoredTrigger | undefined
    return ignoredTrigger(change.type === 'updated' ? change.old : undefined, change.object, { known, profile })
  }

  /** Returns the cause of a changed placement, if this change has one. */
  #causeOf(change: Exclude<Change<AnyBinding>, { type: 'deleted' }>, key: string, facts: CauseFacts): CausedBy {
    if (change.type === 'added' || !this.#seen.has(key)) {
      this.#keepPending(key, pendingOf(change.object, facts))
      return UNSEEN
    }
    const { causes, pending } = decideCause(change.old, change.object, this.#pending.get(key) ?? [], facts)
    this.#keepPending(key, pending)
    return causedBy(causes ?? [])
  }

  #keepPending(key: string, pending: Pending): void {
    if (pending.length > 0) this.#pending.set(key, pending)
    else this.#pending.delete(key)
  }

  #learn(key: string, facts: Facts): void {
    this.#seen.add(key)
    this.#journal.learn(key, facts)
  }

  #forget(key: string, late: boolean): void {
    this.#journal.note(diffDeleted(subjectOf(key), this.#journal.known(key) ?? NOTHING), late)
    this.#seen.delete(key)
    this.#pending.delete(key)
    this.#loadNotedAt.delete(key)
    this.#journal.forget(key)
  }

  /** Changes during an outage of the control plane are observed only by their results. */
  #watchFreshness(cache: ControlPlaneCache): Stop {
    let staleSince: string | undefined
    return cache.onFreshness(() => {
      const { state, since } = cache.freshness()
      if (state === 'stale') staleSince ??= since
      if (state !== 'live' || staleSince === undefined) return
      this.#journal.noteGap(staleSince, 'unreachable')
      staleSince = undefined
    })
  }
}

const isTroubledIn =
  (cache: ControlPlaneCache) =>
  (name: string): boolean | undefined => {
    const cluster = cache.clusters.get(name)
    return cluster && isTroubled(cluster)
  }

const isTroubled = (cluster: Cluster): boolean =>
  readinessOf(cluster) !== 'True' || noExecuteTaints(cluster.spec.taints).length > 0

function causeFacts(cache: ControlPlaneCache, workload: string): CauseFacts {
  return {
    cluster: (name) => cache.clusters.get(name),
    plan: (name, uid) => {
      const plan = cache.plans.get(name)
      return plan?.metadata.uid === uid ? authorOf(plan) : undefined
    },
    rebalancer: (createdAt) => {
      const [found, ...others] = cache
        .rebalancersOf(workload)
        .filter(({ metadata }) => metadata.creationTimestamp === createdAt)
      return found && others.length === 0 ? { name: found.metadata.name, ...authorOf(found) } : undefined
    },
  }
}

/** Returns the user that the console wrote on an object that it created. */
function authorOf({ metadata: { annotations } }: KubeObject): { by?: string } {
  const by = annotations?.[CREATED_BY_ANNOTATION]
  return by === undefined ? {} : { by }
}
