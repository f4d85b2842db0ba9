/** The access of each user, shared by the user's connections and requests. */
import type { Clock, Stop } from '@/lib/std/clock'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { KubeClient } from '@/server/kube/client'
import type { Informers } from '@/server/kube/informer'
import type { Logger } from '@/server/runtime/controller'
import type { Principal } from '../auth/principal'
import type { AccessMetrics } from '../metrics-hooks'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { Access, Scope } from './access'
import { ReviewLimiter } from './review-limiter'
import { Reviewer } from './reviewer'
import { EVERYTHING } from './scope'
import { RbacWatcher, type AffectedNamespacesOf } from './rbac-watcher'
import { UserAccess } from './user-access'

export interface AccessCacheOptions {
  /** A client with the console's own credentials. */
  client: KubeClient
  informers: Informers
  cache: ControlPlaneCache
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  log: Logger
  metrics: AccessMetrics
}

/** Half of the slots are reserved for reviews that a request waits for. */
const REVIEW_LIMITS = { most: 16, perUser: 6, background: 8 }
/** The key of the console's own reviews. No digest of a user has this form. */
const CONSOLE = 'console'
/** A user who left may return with the next page. */
const EXPIRES_AFTER_MS = 60_000

interface Entry {
  user: UserAccess
  identity: Identity
  handles: number
  forget?: Stop | undefined
}

/**
 * The rights of users as the API server reports them. Callers that act as the console itself see everything that it
 * reads, because the caches use the same credentials.
 */
export class AccessCache {
  readonly #options: AccessCacheOptions
  readonly #limiter = new ReviewLimiter(REVIEW_LIMITS)
  readonly #entries = new Map<string, Entry>()
  readonly #rbac: RbacWatcher

  constructor(options: AccessCacheOptions) {
    this.#options = options
    this.#rbac = new RbacWatcher({
      ...options,
      reviewer: this.#reviewer(CONSOLE, options.client),
      onRights: (affectedBy) => this.#onRights(affectedBy),
      onNamespace: (name) => this.#forAll((user) => user.addNamespace(name)),
      onNamespaceGone: (name) => this.#forAll((user) => user.removeNamespace(name)),
    })
  }

  /** Returns the rights of the user. The caller closes the handle. */
  of(principal: Principal): Access {
    const reviewer = this.#reviewer(principal.key, principal.client)
    const entry = this.#entryOf(principal, reviewer)
    entry.handles += 1
    entry.forget?.()
    entry.forget = undefined
    entry.user.askWith(reviewer)
    return new AccessHandle(entry.user, {
      fixed: principal.via === 'local' ? EVERYTHING : undefined,
      whyUnread: (kind) => this.#options.cache.whyUnread(kind),
      leave: () => this.#leave(principal.key, entry),
    })
  }

  close(): void {
    this.#rbac.stop()
    for (const { user, forget } of this.#entries.values()) {
      forget?.()
      user.close()
    }
    this.#entries.clear()
  }

  #reviewer(user: string, client: KubeClient): Reviewer {
    return new Reviewer({ client, limiter: this.#limiter, metrics: this.#options.metrics, user })
  }

  #entryOf({ key, identity }: Principal, reviewer: Reviewer): Entry {
    const known = this.#entries.get(key)
    if (known) return known
    const { clock, random } = this.#options
    const user = new UserAccess({
      reviewer,
      clock,
      random,
      namedIn: () => this.#rbac.namedIn(identity),
      createdAt: (namespace) => this.#rbac.createdAt(namespace),
      namespaces: async () => {
        await this.#rbac.start()
        return this.#rbac.namespaces()
      },
    })
    const created: Entry = { user, identity, handles: 0 }
    this.#entries.set(key, created)
    this.#options.metrics.reviewedUsers(this.#entries.size)
    return created
  }

  #leave(key: string, entry: Entry): void {
    entry.handles -= 1
    if (entry.handles > 0) return
    entry.forget = this.#options.clock.after(EXPIRES_AFTER_MS, () => {
      entry.user.close()
      this.#entries.delete(key)
      this.#options.metrics.reviewedUsers(this.#entries.size)
    })
  }

  #onRights(affectedBy: AffectedNamespacesOf): void {
    for (const { user, identity } of this.#entries.values()) {
      const affected = affectedBy(identity)
      if (affected) user.invalidate(affected)
    }
  }

  #forAll(notify: (user: UserAccess) => void): void {
    for (const { user } of this.#entries.values()) notify(user)
  }
}

/** A handle to the rights of a user, valid until it is closed. */
class AccessHandle implements Access {
  readonly #stops = new Set<Stop>()
  #open = true

  constructor(
    private readonly user: UserAccess,
    private readonly given: { fixed: Scope | undefined; leave: () => void } & Pick<Access, 'whyUnread'>,
  ) {}

  get scope(): Scope | undefined {
    return this.given.fixed ?? this.user.scope
  }

  can: Access['can'] = (question) => this.user.can(question)

  whyUnread: Access['whyUnread'] = (kind) => this.given.whyUnread(kind)

  whenReviewed(): Promise<Scope> {
    const { fixed } = this.given
    return fixed ? Promise.resolve(fixed) : this.user.whenReviewed()
  }

  onScope(handler: (scope: Scope) => void): Stop {
    if (this.given.fixed) return () => undefined
    const stop = this.user.onScope(handler)
    this.#stops.add(stop)
    return () => {
      stop()
      this.#stops.delete(stop)
    }
  }

  close(): void {
    if (!this.#open) return
    this.#open = false
    for (const stop of this.#stops) stop()
    this.given.leave()
  }
}
