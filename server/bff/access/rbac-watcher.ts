/**
 * Watches RBAC objects and namespaces, as far as the console may read them, because their changes may change rights.
 */
import type { Kind } from '@/lib/kube/kind'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { type Namespace, namespace as namespaceKind } from '@/lib/kube/kinds/namespace'
import { role } from '@/lib/kube/kinds/role'
import { roleBinding } from '@/lib/kube/kinds/role-binding'
import type { Identity } from '@/lib/kube/rbac/attributes'
import { type Clock, type EpochMs, parseTime, type Stop } from '@/lib/std/clock'
import type { Change, Informers } from '@/server/kube/informer'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import { type RbacChange, keysOfIdentity, RbacIndex, type RbacObject } from './rbac-index'
import { resourceOf } from './resources'
import type { Reviewer } from './reviewer'

/** Where permissions may have changed: anywhere (unknown), or cluster-wide and in some namespaces. */
export type AffectedNamespaces = 'all' | { everywhere: boolean; namespaces: ReadonlySet<string> }

/** Returns where the rights of a user may have changed; undefined when they cannot have changed. */
export type AffectedNamespacesOf = (identity: Identity) => AffectedNamespaces | undefined

export interface RbacWatcherOptions {
  /** Reviews with the console's own credentials. */
  reviewer: Reviewer
  informers: Informers
  cache: ControlPlaneCache
  clock: Clock
  onRights: (affectedBy: AffectedNamespacesOf) => void
  onNamespace: (name: string) => void
  onNamespaceGone: (name: string) => void
}

const NAMESPACES = namespaceKind as unknown as Kind
const RBAC = [role, roleBinding, clusterRole, clusterRoleBinding] as unknown as readonly Kind[]
/** Changes within this time cause one review, */
const TOGETHER_MS = 50
/** and a second one later, because other authorizers follow RBAC with caches of their own. */
const AGAIN_AFTER_MS = 1_450
/** When the subjects of a change are unknown, all users are reviewed, at most once in this time. */
const ALL_EVERY_MS = 1_500
/** A cache that does not sync must not keep all users waiting. */
const SYNC_TIMEOUT_MS = 2_000
/** The console's own rights may change too. */
const ASK_AGAIN_MS = 60_000

/**
 * Watches the kinds that the console may list; for the other kinds, the periodic reviews find the changes. Nothing is
 * cached before `start`.
 */
export class RbacWatcher {
  readonly #options: RbacWatcherOptions
  readonly #index: RbacIndex
  readonly #stops = new Set<Stop>()
  readonly #followed = new Set<Kind>()
  /** Number of bindings by namespace: namespaces with bindings have content to show. */
  readonly #holding = new Map<string, number>()
  /** Changes by key of a subject; `all` when a change may concern all users. */
  #affected: Map<string, { everywhere: boolean; namespaces: Set<string> }> | 'all' = new Map()
  #pending: Stop | undefined
  #allAt: number = -Infinity
  #started: Promise<void> | undefined
  /** True once reviews have run without a kind that is watched only from now on. */
  #isLate = false

  constructor(options: RbacWatcherOptions) {
    this.#options = options
    this.#index = new RbacIndex(options.informers)
  }

  /** Resolves when the namespaces are known, or when it is clear that they will not be known soon. */
  start(): Promise<void> {
    this.#started ??= this.#begin()
    return this.#started
  }

  stop(): void {
    this.#pending?.()
    for (const stop of this.#stops) stop()
    this.#stops.clear()
  }

  /**
   * Returns the existing namespaces if known, else the namespaces of observed objects; namespaces with content come
   * first.
   */
  namespaces(): readonly string[] {
    const { informers, cache } = this.#options
    const known = this.#followed.has(NAMESPACES)
      ? informers
          .of(namespaceKind)
          .list()
          .map(({ metadata }) => metadata.name)
      : [
          ...this.#holding.keys(),
          ...[cache.spreads, cache.queues].flatMap((copy) =>
            copy.list().map(({ metadata }) => metadata.namespace ?? ''),
          ),
        ]
    const [holding, empty] = [new Set<string>(), new Set<string>()]
    for (const name of known) (this.#holding.has(name) ? holding : empty).add(name)
    return [...holding, ...empty]
  }

  /** Returns when that namespace was created; undefined when unknown. */
  createdAt(name: string): EpochMs | undefined {
    const { informers } = this.#options
    const born = this.#followed.has(NAMESPACES)
      ? informers.of(namespaceKind).get(name)?.metadata.creationTimestamp
      : undefined
    return born === undefined ? undefined : parseTime(born)
  }

  /** Returns the namespaces in which RBAC binds a role to the user; undefined while this is uncertain. */
  namedIn(identity: Identity): ReadonlySet<string> | undefined {
    return this.#knowsRbac() ? this.#index.namespacesOf(keysOfIdentity(identity)) : undefined
  }

  async #begin(): Promise<void> {
    this.#stops.add(
      this.#options.cache.onBindingChange((change) => {
        if (change.type === 'updated') return
        const { namespace } = (change.type === 'deleted' ? change.old : change.object).metadata
        if (namespace !== undefined) this.#hold(namespace, change.type === 'added' ? 1 : -1)
      }),
    )
    const patience = Promise.withResolvers<void>()
    this.#stops.add(this.#options.clock.after(SYNC_TIMEOUT_MS, patience.resolve))
    await Promise.race([this.#followAll(), patience.promise])
    this.#isLate = true
  }

  #hold(namespace: string, by: 1 | -1): void {
    const before = this.#holding.get(namespace) ?? 0
    if (before + by > 0) this.#holding.set(namespace, before + by)
    else this.#holding.delete(namespace)
    if (before === 0 && this.#started && !this.#followed.has(NAMESPACES)) this.#options.onNamespace(namespace)
  }

  /** Reports whether all RBAC kinds are cached and the caches are current. */
  #knowsRbac(): boolean {
    const { informers } = this.#options
    return RBAC.every((kind) => this.#followed.has(kind) && informers.of(kind).freshness().state === 'live')
  }

  async #followAll(): Promise<void> {
    const left = [NAMESPACES, ...RBAC].filter((kind) => !this.#followed.has(kind))
    await Promise.all(left.map((kind) => this.#follow(kind)))
    if (this.#followed.size > RBAC.length) return
    const again: Stop = this.#options.clock.after(ASK_AGAIN_MS, () => {
      this.#stops.delete(again)
      void this.#followAll()
    })
    this.#stops.add(again)
  }

  async #follow(kind: Kind): Promise<void> {
    const { reviewer, informers } = this.#options
    const may = await reviewer.can({ ...resourceOf(kind), verb: 'list' }).catch(() => ({ allowed: false }))
    if (!may.allowed) return
    const informer = informers.of(kind)
    await informer.whenSynced()
    if (this.#followed.has(kind)) return
    this.#followed.add(kind)
    if (RBAC.every((each) => this.#followed.has(each))) this.#index.addIndexes()
    let quiet = true
    this.#stops.add(
      informer.onChange((change) => {
        if (quiet) return
        if (kind === NAMESPACES) this.#onNamespace(change as unknown as Change<Namespace>)
        else this.#onRbac(change as unknown as Change<RbacObject>)
      }),
    )
    quiet = false
    // Earlier reviews could not cover all namespaces.
    if (kind === NAMESPACES && this.#isLate) this.#note('all')
  }

  /**
   * A namespace that was deleted and created again is a different one: permissions in the old one do not carry over.
   */
  #onNamespace(change: Change<Namespace>): void {
    const { onNamespace, onNamespaceGone } = this.#options
    const isAnother = change.type === 'updated' && change.old.metadata.uid !== change.object.metadata.uid
    if (change.type === 'deleted' || isAnother) onNamespaceGone(change.old.metadata.name)
    if (change.type === 'added' || isAnother) onNamespace(change.object.metadata.name)
  }

  #onRbac(change: Change<RbacObject>): void {
    if (!RBAC.every((kind) => this.#followed.has(kind))) return this.#note('all')
    const concerns = this.#index.changesOf(change)
    if (concerns.length > 0) this.#note(concerns)
  }

  #note(concerns: readonly RbacChange[] | 'all'): void {
    if (concerns === 'all') this.#affected = 'all'
    else for (const concern of concerns) this.#gather(concern)
    const { clock } = this.#options
    const wait =
      this.#affected === 'all' ? Math.max(TOGETHER_MS, this.#allAt + ALL_EVERY_MS - clock.elapsed()) : TOGETHER_MS
    this.#pending ??= clock.after(wait, () => this.#notify())
  }

  #gather({ keys, namespace }: RbacChange): void {
    if (this.#affected === 'all') return
    for (const key of keys) {
      const known = this.#affected.get(key) ?? { everywhere: false, namespaces: new Set<string>() }
      this.#affected.set(key, known)
      if (namespace === undefined) known.everywhere = true
      else known.namespaces.add(namespace)
    }
  }

  #notify(): void {
    const { clock, onRights } = this.#options
    const affected = this.#affected
    this.#pending = undefined
    this.#affected = new Map()
    if (affected === 'all') this.#allAt = clock.elapsed()
    const affectedBy: AffectedNamespacesOf = (identity) =>
      affected === 'all' ? 'all' : joined(affected, keysOfIdentity(identity))
    const again: Stop = clock.after(AGAIN_AFTER_MS, () => {
      this.#stops.delete(again)
      onRights(affectedBy)
    })
    this.#stops.add(again)
    onRights(affectedBy)
  }
}

type ByKey = ReadonlyMap<string, Exclude<AffectedNamespaces, 'all'>>

function joined(affected: ByKey, keys: readonly string[]): AffectedNamespaces | undefined {
  const found = keys.flatMap((key) => affected.get(key) ?? [])
  if (found.length === 0) return undefined
  return {
    everywhere: found.some(({ everywhere }) => everywhere),
    namespaces: new Set(found.flatMap(({ namespaces }) => [...namespaces])),
  }
}
