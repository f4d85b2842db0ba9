/**
 * Caches objects in members, by default only propagated ones: one informer per member and kind, started at first use
 * and stopped when the member leaves. Shared by all controllers of a process.
 */
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { MANAGED_LABEL, MANAGED_LABEL_VALUE } from '@/lib/kube/names'
import type { UnknownObject } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import type { Change, Informer, Informers } from '@/server/kube/informer'
import { createInformer, type RunningInformer } from '@/server/kube/informers'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { systemClock } from '@/server/runtime/system-clock'
import { MemberKinds } from './member-kinds'

/** A change of a propagated object in a member. */
export type MemberChange = Change<UnknownObject> & { cluster: string; kind: Kind<UnknownObject> }

export interface MemberWatch {
  /**
   * Returns the cache of one kind in one member, of propagated objects (label `karmada.io/managed=true`) or of all;
   * starts it at the first call.
   */
  of(cluster: string, kind: Kind<UnknownObject>): Informer<UnknownObject>
  /**
   * Returns the kind of that name as the member serves it; undefined if it does not. Rejects if the member does not
   * respond.
   */
  kindOf(cluster: string, name: { apiVersion: string; kind: string }): Promise<Kind<UnknownObject> | undefined>
  /** Called for every change in any member; a new handler first receives every existing object as `added`. */
  onChange(handler: (change: MemberChange) => void): Stop
}

/** The shared caches with a function to release them. */
export interface MemberWatchLease {
  members: MemberWatch
  release(): Promise<void>
}

/** `all` also contains objects that were not propagated. */
export type Extent = 'propagated' | 'all'

type Shared = WeakMap<Informers, { watch: SharedMemberWatch; users: number }>
const sharedOf: Record<Extent, Shared> = { propagated: new WeakMap(), all: new WeakMap() }

/** Acquires the caches of this control plane's members; they stop when the last user has released them. */
export function acquireMemberWatch(context: ReconcilerContext, extent: Extent = 'propagated'): MemberWatchLease {
  const shared = sharedOf[extent]
  const entry = shared.get(context.informers) ?? { watch: new SharedMemberWatch(context, extent), users: 0 }
  shared.set(context.informers, entry)
  entry.users += 1
  return {
    members: entry.watch,
    async release() {
      entry.users -= 1
      if (entry.users > 0) return
      shared.delete(context.informers)
      await entry.watch.stop()
    },
  }
}

/** Cached objects of one kind in one member. */
interface Copy {
  kind: Kind<UnknownObject>
  informer: RunningInformer<UnknownObject>
}

class SharedMemberWatch implements MemberWatch {
  readonly #informers = new Map<string, Map<string, Copy>>()
  readonly #handlers = new Set<(change: MemberChange) => void>()
  readonly #stopWatching: Stop
  readonly #kinds: MemberKinds

  constructor(
    private readonly context: ReconcilerContext,
    private readonly extent: Extent,
  ) {
    this.#kinds = new MemberKinds(context.client)
    this.#stopWatching = context.informers.of(clusterKind).onChange((change) => {
      if (change.type === 'deleted') void this.#forget(change.old.metadata.name)
    })
  }

  of(cluster: string, kind: Kind<UnknownObject>): Informer<UnknownObject> {
    const kinds = this.#informers.get(cluster) ?? new Map()
    this.#informers.set(cluster, kinds)
    const name = `${apiVersionOf(kind)}/${kind.kind}`
    const known = kinds.get(name)
    if (known) return known.informer
    const informer = this.#copy(cluster, kind)
    kinds.set(name, { kind, informer })
    informer.onChange((change) => this.#notify({ ...change, cluster, kind }))
    return informer
  }

  kindOf(cluster: string, name: { apiVersion: string; kind: string }): Promise<Kind<UnknownObject> | undefined> {
    return this.#kinds.find(cluster, name)
  }

  onChange(handler: (change: MemberChange) => void): Stop {
    const own = (change: MemberChange): void => handler(change)
    this.#handlers.add(own)
    for (const [cluster, kinds] of this.#informers) {
      for (const { kind, informer } of kinds.values()) {
        for (const object of informer.list()) own({ type: 'added', object, cluster, kind })
      }
    }
    return () => void this.#handlers.delete(own)
  }

  async stop(): Promise<void> {
    this.#stopWatching()
    this.#handlers.clear()
    await Promise.all([...this.#informers.keys()].map((cluster) => this.#forget(cluster)))
  }

  #copy(cluster: string, kind: Kind<UnknownObject>): RunningInformer<UnknownObject> {
    const { client, random, log, connectionClock = systemClock } = this.context
    return createInformer(kind, {
      client: client.member(cluster),
      clock: connectionClock,
      random,
      // A short maximum delay, so that a member that recovers is noticed soon.
      backoff: { baseMs: 200, maxMs: 2_000 },
      ...(this.extent === 'propagated' && { scope: { labelSelector: `${MANAGED_LABEL}=${MANAGED_LABEL_VALUE}` } }),
      onError: (error) => log.error({ cluster, kind: kind.kind, err: error }, 'member informer handler failed'),
    })
  }

  #notify(change: MemberChange): void {
    for (const handler of this.#handlers) handler(change)
  }

  async #forget(cluster: string): Promise<void> {
    const kinds = this.#informers.get(cluster)
    this.#informers.delete(cluster)
    this.#kinds.forget(cluster)
    await Promise.all([...(kinds?.values() ?? [])].map(({ informer }) => informer.stop()))
  }
}
