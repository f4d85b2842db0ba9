/**
 * Keeps a sink equal to the objects of one kind in an API server: lists, watches, and resumes the watch from its last
 * revision. Lists again if the server has compacted that revision.
 */
import { isExpired, isUnreachable, KubeError } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { type KubeObject, objectKey } from '@/lib/kube/object'
import type { Clock, Stop } from '@/lib/std/clock'
import type { KubeClient, WatchEvent } from './client'
import type { Freshness } from './informer'
import { noWatchMetrics, type WatchMetrics, type WatchRestart } from './watch-metrics'

/** Receives the objects of a reflector. */
export interface ReflectorSink<T extends KubeObject> {
  /** Replaces the complete state. */
  replace(objects: readonly T[]): void
  upsert(object: T): void
  remove(object: T): void
}

export interface ReflectorOptions<T extends KubeObject> {
  client: KubeClient
  kind: Kind<T>
  clock: Clock
  /** Uniform in [0, 1), for jitter. */
  random: () => number
  sink: ReflectorSink<T>
  /** Returns what is kept of an object. Default: all of it. */
  keep?: (object: T) => T
  onFreshness: (freshness: Freshness) => void
  metrics?: WatchMetrics
  /** Restricts which objects are cached. */
  scope?: { namespace?: string; labelSelector?: string; fieldSelector?: string }
  /** Page size if the server cannot stream lists. Default 500. */
  pageSize?: number
  /** Watches end after a random time between this and twice this, so that they do not all end together. Default 300. */
  watchSeconds?: number
  /**
   * A watch without an event or bookmark for this time is restarted. Default 150, because servers send a bookmark per
   * minute.
   */
  quietSeconds?: number
  /** Default 200 ms, doubling to 10 s. The actual delay is random between half of it and all of it. */
  backoff?: { baseMs: number; maxMs: number }
}

/** Time after the requested end of a watch after which its connection counts as dead. */
const WATCHDOG_GRACE_SECONDS = 15
const QUIET_SECONDS = 150
/** Time in which the first events of a streamed list must be complete. */
const STREAMED_LIST_SECONDS = 60
/** A watch without events that ended sooner than this is retried with back-off instead of at once. */
const SHORT_WATCH_MS = 1000

/** The watchdog ended the watch: no event, bookmark or end in time. */
class IdleWatch extends Error {
  override readonly name = 'IdleWatch'
}

/** No event for a while: either the kind is idle or the connection is dead. A new watch is cheap. */
class QuietWatch extends Error {
  override readonly name = 'QuietWatch'
}

export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>
  readonly #metrics: WatchMetrics
  readonly #resource: string
  readonly #end = new AbortController()
  #freshness: Freshness = { state: 'syncing' }
  /** Revision from which the next watch starts; undefined: a list is needed first. */
  #resourceVersion: string | undefined
  #failures = 0
  /** Whether the server supports streamed lists; undefined until known. */
  #streamsLists: boolean | undefined
  #running: Promise<void> | undefined

  constructor(options: ReflectorOptions<T>) {
    this.#options = options
    this.#metrics = options.metrics ?? noWatchMetrics
    this.#resource = options.kind.group === '' ? options.kind.plural : `${options.kind.plural}.${options.kind.group}`
  }

  get freshness(): Freshness {
    return this.#freshness
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Resolves when no request is running. The sink is not called afterwards. */
  async stop(): Promise<void> {
    this.#end.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      try {
        if (this.#resourceVersion === undefined) await this.#list()
        else await this.#watch(this.#resourceVersion)
      } catch (error) {
        if (!this.#end.signal.aborted) await this.#recover(error)
      }
    }
  }

  async #recover(error: unknown): Promise<void> {
    const outdated = isOutdated(error)
    this.#restarted(outdated ? 'expired' : 'broken')
    // A kind that was removed may be installed anew, with other objects and revisions.
    if (error instanceof KubeError && error.code === 404) this.#resourceVersion = undefined
    if (outdated) {
      this.#resourceVersion = undefined
      if (this.#failures++ === 0) return
      // A new list failed as well.
      this.#becomeStale(error)
    } else {
      // The first break of a live stream is an ordinary reconnect; the cache is stale only if the reconnect fails too.
      const firstBreak = this.#freshness.state === 'live' && isUnreachable(error) && this.#failures === 0
      this.#failures += 1
      if (firstBreak) return
      this.#becomeStale(error)
    }
    await this.#pause()
  }

  async #list(): Promise<void> {
    if (this.#streamsLists === false) return this.#listPages()
    try {
      await this.#listStreamed()
    } catch (error) {
      // A server that has never completed a streamed list may ignore the request instead of refusing it.
      const ignored = error instanceof IdleWatch && this.#streamsLists === undefined
      if (!ignored && !refusesStreaming(error)) throw error
      this.#streamsLists = false
      await this.#listPages()
    }
  }

  async #listPages(): Promise<void> {
    const { client, kind, scope, pageSize = 500, sink } = this.#options
    const objects: T[] = []
    let next: string | undefined
    do {
      const page = await client.list(kind, { ...scope, limit: pageSize, ...(next !== undefined && { continue: next }) })
      if (this.#end.signal.aborted) return
      for (const item of page.items) objects.push(this.#keep(item))
      next = page.metadata.continue || undefined
      if (next === undefined) this.#reach(page.metadata.resourceVersion, () => sink.replace(objects))
    } while (next !== undefined)
  }

  /** Streams the current state up to a bookmark, and continues the same request as a watch. */
  async #listStreamed(): Promise<void> {
    const initial = new Map<string, T>()
    let complete = false
    const limit = { seconds: STREAMED_LIST_SECONDS, until: () => complete }
    await this.#stream({ sendInitialEvents: true }, limit, (event) => {
      if (complete) return this.#apply(event)
      if (event.type === 'DELETED') initial.delete(objectKey(event.object))
      else if (event.type !== 'BOOKMARK') initial.set(objectKey(event.object), this.#keep(event.object))
      else if (event.initialEventsEnd) {
        complete = true
        this.#streamsLists = true
        this.#reach(event.resourceVersion, () => this.#options.sink.replace([...initial.values()]))
      }
    })
    if (complete || this.#end.signal.aborted) return
    throw new IdleWatch('the server ended the list before it was complete')
  }

  async #watch(resourceVersion: string): Promise<void> {
    const { clock } = this.#options
    let openedAt = Infinity
    let events = 0
    // An accepted watch makes the cache live, but only events and time reset the back-off, because a server may
    // repeatedly accept and break watches.
    const onOpen = (): void => {
      openedAt = clock.elapsed()
      this.#become({ state: 'live', resourceVersion })
    }
    const lasted = (): boolean => clock.elapsed() - openedAt >= SHORT_WATCH_MS
    try {
      await this.#stream({ resourceVersion, onOpen }, undefined, (event) => {
        events += 1
        this.#apply(event)
      })
    } finally {
      if (lasted()) this.#failures = 0
    }
    this.#restarted('ended')
    if (events === 0 && !lasted() && !this.#end.signal.aborted) await this.#pause()
  }

  #apply(event: WatchEvent<T>): void {
    const { sink } = this.#options
    if (event.type === 'BOOKMARK') return this.#reach(event.resourceVersion)
    const apply =
      event.type === 'DELETED' ? () => sink.remove(event.object) : () => sink.upsert(this.#keep(event.object))
    this.#reach(event.object.metadata.resourceVersion, apply)
  }

  #keep(object: T): T {
    return this.#options.keep?.(object) ?? object
  }

  /** Reads one watch to its end, with a watchdog for dead connections. */
  async #stream(
    options: { resourceVersion?: string; sendInitialEvents?: boolean; onOpen?: () => void },
    first: { seconds: number; until: () => boolean } | undefined,
    onEvent: (event: WatchEvent<T>) => void,
  ): Promise<void> {
    const { client, kind, scope, random, watchSeconds = 300 } = this.#options
    const timeoutSeconds = Math.ceil(watchSeconds * (1 + random()))
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, this.#end.signal])
    const guards = [this.#watchdog(timeoutSeconds + WATCHDOG_GRACE_SECONDS, stop)]
    if (first) guards.push(this.#watchdog(first.seconds, stop, first.until))
    let heardAt = this.#options.clock.elapsed()
    guards.push(this.#whenQuiet(stop, () => heardAt))
    try {
      const request = { ...scope, ...options, allowWatchBookmarks: true, timeoutSeconds }
      for await (const event of client.watch(kind, request, signal)) {
        if (signal.aborted) break
        heardAt = this.#options.clock.elapsed()
        onEvent(event)
      }
    } finally {
      for (const guard of guards) guard()
    }
    const { reason } = stop.signal
    if (stop.signal.aborted && !this.#end.signal.aborted && !(reason instanceof QuietWatch)) throw reason
  }

  #whenQuiet(stop: AbortController, heardAt: () => number): Stop {
    const { clock, quietSeconds = QUIET_SECONDS } = this.#options
    const look = (): Stop =>
      clock.after(heardAt() + quietSeconds * 1000 - clock.elapsed(), () => {
        if (clock.elapsed() >= heardAt() + quietSeconds * 1000) stop.abort(new QuietWatch('nothing came for a while'))
        else cancel = look()
      })
    let cancel = look()
    return () => cancel()
  }

  #watchdog(seconds: number, stop: AbortController, unless?: () => boolean): Stop {
    return this.#options.clock.after(seconds * 1000, () => {
      if (!unless?.()) stop.abort(new IdleWatch(`the watch was silent for ${seconds} s and never ended`))
    })
  }

  /** Applies `change` and records that the cache is at `resourceVersion`. */
  #reach(resourceVersion: string, change?: () => void): void {
    change?.()
    this.#resourceVersion = resourceVersion
    this.#failures = 0
    this.#metrics.seen(this.#resource)
    this.#become({ state: 'live', resourceVersion })
  }

  #restarted(why: WatchRestart): void {
    if (!this.#end.signal.aborted) this.#metrics.restarted(this.#resource, why)
  }

  #becomeStale(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    const since = this.#freshness.state === 'stale' ? this.#freshness.since : this.#options.clock.now()
    const code = error instanceof KubeError && error.reason !== 'Unreachable' ? error.code : undefined
    this.#become({ state: 'stale', since, error: message, ...(code !== undefined && { code }), cause: error })
  }

  #become(freshness: Freshness): void {
    const isSame = newsIn(freshness) === newsIn(this.#freshness)
    this.#freshness = freshness
    if (isSame) return
    this.#metrics.following(this.#resource, freshness.state === 'live')
    this.#options.onFreshness(freshness)
  }

  async #pause(): Promise<void> {
    const { baseMs, maxMs } = this.#options.backoff ?? { baseMs: 200, maxMs: 10_000 }
    const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(Math.max(0, this.#failures - 1), 30))
    const delay = ceiling * (0.5 + this.#options.random() / 2)
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(delay, done)
      this.#end.signal.addEventListener('abort', done, { once: true })
      const { signal } = this.#end
      function done(): void {
        cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
    })
  }
}

/**
 * Identifies changes that listeners receive. The resourceVersion of a live cache changes constantly and does not count.
 */
const newsIn = (freshness: Freshness): string =>
  freshness.state === 'stale' ? `stale ${freshness.code ?? ''} ${freshness.error}` : freshness.state

/**
 * Reports whether the server cannot resume from that revision: it was compacted, or (after a restore) not reached yet.
 */
function isOutdated(error: unknown): boolean {
  if (isExpired(error)) return true
  const causes = error instanceof KubeError ? error.status.details?.causes : undefined
  return causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true
}

/** Reports whether the server refuses streamed lists, which it does by rejecting the parameters as invalid. */
function refusesStreaming(error: unknown): boolean {
  return error instanceof KubeError && [400, 422].includes(error.code)
}
