/** Watches the control plane and tells the journal what changed. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Stop } from '@/lib/std/clock'
import type { PlacementTrigger } from '@/lib/view/journal'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import {
  clusterSubject, diffBinding, diffDeleted, diffFacts, type Facts, factsOfBinding, factsOfCluster, subjectOf, triggerOf,
  workloadSubject,
} from '@/lib/view/project/journal-facts'
import type { Change } from '@/server/kube/informer'
import { idOf, type World } from '../world/world'
import type { Journal } from './journal'

const NOTHING: Facts = new Map()

/**
 * Compares each version of an object with what the journal knew of it. What it knew may be of an earlier process: then the
 * difference happened while nobody watched, and is told as such.
 */
export class Observer {
  readonly #journal: Journal
  /** By subject; those that this process has seen. */
  readonly #seen = new Set<string>()
  #stops: Stop[] = []
  #stopped = false

  constructor(journal: Journal) {
    this.#journal = journal
  }

  start(world: World): void {
    this.#journal.resume()
    this.#stops = [
      world.clusters.onChange((change) => this.#onCluster(change)),
      world.onBindingChange((change) => this.#onBinding(change)),
      this.#watchFreshness(world),
    ]
    void world.whenSynced().then(() => this.#forgetUnseen())
  }

  stop(): void {
    this.#stopped = true
    for (const stop of this.#stops) stop()
  }

  /** What the journal knew and is not there was deleted while nobody watched. */
  #forgetUnseen(): void {
    if (this.#stopped) return
    for (const key of this.#journal.subjects()) {
      if (!this.#seen.has(key)) this.#forget(key, true)
    }
  }

  #onCluster(change: Change<Cluster>): void {
    const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
    const subject = { cluster: name }
    const key = clusterSubject(name)
    if (change.type === 'deleted') return this.#forget(key, false)
    const watched = this.#seen.has(key)
    const after = factsOfCluster(change.object)
    const before = this.#journal.known(key) ?? NOTHING
    const facts = diffFacts({ subject, before, after, trigger: 'unseen', watched })
    this.#journal.note(facts, !watched)
    this.#learn(key, after)
  }

  #onBinding(change: Change<AnyBinding>): void {
    const binding = change.type === 'deleted' ? change.old : change.object
    const subject = { workload: idOf(binding) }
    const key = workloadSubject(subject.workload)
    if (change.type === 'deleted') return this.#forget(key, false)
    const watched = this.#seen.has(key)
    const after = factsOfBinding(binding)
    const before = this.#journal.known(key) ?? NOTHING
    const facts = diffBinding(binding, { subject, before, after, trigger: triggerIn(change, watched), watched })
    this.#journal.note(facts, !watched)
    this.#learn(key, after)
  }

  #learn(key: string, facts: Facts): void {
    this.#seen.add(key)
    this.#journal.learn(key, facts)
  }

  #forget(key: string, late: boolean): void {
    this.#journal.note(diffDeleted(subjectOf(key), this.#journal.known(key) ?? NOTHING), late)
    this.#seen.delete(key)
    this.#journal.forget(key)
  }

  /** What happened while the control plane did not answer is seen afterwards only by what became of it. */
  #watchFreshness(world: World): Stop {
    let staleSince: string | undefined
    return world.onFreshness(() => {
      const { state, since } = world.freshness()
      if (state === 'stale') staleSince ??= since
      if (state !== 'live' || staleSince === undefined) return
      this.#journal.noteGap(staleSince, 'unreachable')
      staleSince = undefined
    })
  }
}

function triggerIn(change: Change<AnyBinding>, watched: boolean): PlacementTrigger {
  return change.type === 'updated' && watched ? triggerOf(change.old, change.object) : 'unseen'
}
