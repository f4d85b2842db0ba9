/** Manages all topics by name and rights: collections, and one topic for each object with an open page. */
import { type Message, message } from '@/lib/messages/message'
import type { Clock, Stop } from '@/lib/std/clock'
import type { Entity } from '@/lib/view/live-client'
import type { Place, ResourceName, Scope } from '../access/access'
import type { Signal } from '../cache/signal'
import { type Unread, unreadIn, unreadOf, type ReasonOfKind, worthNoting } from '../read-model/unread-kinds'
import { Topic } from './topic'

/** The source of a collection. */
export interface Source {
  /** Emits every existing id when listening begins, and every id that may have changed. */
  touched: Signal
  /** Returns every current id, regardless of rights; the hub filters by the scope of a topic. */
  ids: () => Iterable<string>
  /** Returns the place of an entity; undefined when it summarises many objects and is built for each reader. */
  placeOf: (id: string) => Place | undefined
  /** Readers that may list none of these are refused. */
  resources: readonly ResourceName[]
  /** Entities also come from records of the console: objects that the console cannot read do not hide them. */
  hasOwnRecords?: boolean
  /** Returns the entity built from objects in the scope, without facts about others. */
  project: (id: string, scope: Scope) => Entity | undefined
  /**
   * Computes what several entities, or one that sums up many rows, are built from, until `isLong`: returns whether nothing
   * is left. `project` gives the same answers without it, and computes what is left in one go.
   */
  prepare?: (scope: Scope, isLong: () => boolean) => boolean
  /** Minimum time between two revisions, where the default is too slow or too fast; undefined: the default. */
  flushIntervalMs?: number | (() => number | undefined)
}

/** The source of pages of single objects; their topics are `PREFIX/ID`. */
export interface PageSource extends Omit<Source, 'ids' | 'placeOf' | 'resources' | 'prepare' | 'flushIntervalMs'> {
  /** Returns the place of the object with that id; undefined when the text is not an id. */
  placeOf: (id: string) => Place | undefined
  /** Emitted when something changed that every page depends on; absent: no change affects every page. */
  allTouched?: Signal
  open?: (id: string) => void
  close?: (id: string) => void
  /** As of a collection, for the page of that id. */
  prepare?: (scope: Scope, isLong: () => boolean, id: string) => boolean
  flushIntervalMs?: (id: string) => number | undefined
}

export interface HubOptions {
  clock: Clock
  /** Returns a new epoch for a topic, unique across instances. */
  newEpoch: () => string
  collections: Readonly<Record<string, Source>>
  /** By prefix. */
  pages: Readonly<Record<string, PageSource>>
  onError: (error: unknown, topic: string, id: string) => void
  /** Kinds of which the console reads nothing. Default: it reads all. */
  unread?: { why: ReasonOfKind; onChange: (handler: () => void) => Stop }
  /** Returns the interval of a topic from that of its source, if it has one. */
  flushIntervalMs?: (ownMs?: number) => number | undefined
  /**
   * Limits of topics without readers, which are kept for readers that reconnect: their number and time. Default: 50,
   * two minutes.
   */
  mostIdle?: number
  idleMs?: number
}

/**
 * A topic, or why it is not shown; with the kinds of it that are not read. `isForNow`: the rights of the reader are not
 * known everywhere yet.
 */
export type Found =
  | { topic: Topic; unread: readonly Unread[] }
  | { refusal: Message | string; isForNow?: boolean; unread?: readonly Unread[] }

/** The open topic for one name and one scope. */
interface Channel {
  topic: Topic
  scope: Scope
  source: Source | PageSource
  /** The object, for a page. */
  pageId?: string
  idle?: Stop | undefined
}

export class Hub {
  readonly #options: HubOptions
  /** By name, then by scope, least recently used first. */
  readonly #channels = new Map<string, Map<string, Channel>>()
  readonly #stops: Stop[] = []
  readonly #why: ReasonOfKind

  constructor(options: HubOptions) {
    this.#options = options
    this.#why = options.unread?.why ?? (() => undefined)
    for (const [name, source] of Object.entries(options.collections)) {
      this.#stops.push(source.touched.listen((id) => this.#touch(name, source, id)))
    }
    for (const [prefix, source] of Object.entries(options.pages)) {
      this.#stops.push(
        source.touched.listen((id) => this.#touchPage(`${prefix}/${id}`, id)),
        ...(source.allTouched ? [source.allTouched.listen(() => this.#touchPages(source))] : []),
      )
    }
  }

  /** Returns the names of the collections and the prefixes of the pages. */
  get names(): string[] {
    return [...Object.keys(this.#options.collections), ...Object.keys(this.#options.pages)]
  }

  hasCollection(name: string): boolean {
    return Object.hasOwn(this.#options.collections, name)
  }

  /** Returns the topic of that name for readers of that scope. */
  find(name: string, scope: Scope): Found {
    const source = this.#options.collections[name]
    if (source && this.hasCollection(name)) return this.#collection(name, source, scope)
    const slash = name.indexOf('/')
    const prefix = name.slice(0, Math.max(0, slash))
    const pages = Object.hasOwn(this.#options.pages, prefix) ? this.#options.pages[prefix] : undefined
    const id = name.slice(slash + 1)
    const place = pages?.placeOf(id)
    if (!pages || !place) return { refusal: message('api.live.noTopic', { name }) }
    if (scope.problem !== undefined) return { refusal: scope.problem }
    const unread = unreadIn(place, scope, this.#why)
    if (unread) return refused([unread], scope)
    return { topic: this.#open({ name, scope, source: pages, pageId: id }), unread: [] }
  }

  /** Called when a kind begins or ceases to be read: topics are to be found again. */
  onUnreadChange(handler: () => void): Stop {
    return this.#options.unread?.onChange(handler) ?? (() => undefined)
  }

  /** Updates every topic with readers, without waiting for its interval. */
  flush(): void {
    for (const { topic } of this.#all()) if (topic.isRead) topic.flush()
  }

  close(): void {
    for (const stop of this.#stops) stop()
    for (const channel of this.#all()) {
      channel.idle?.()
      channel.topic.close()
    }
    this.#channels.clear()
  }

  #collection(name: string, source: Source, scope: Scope): Found {
    if (scope.problem !== undefined) return { refusal: scope.problem }
    const { resources, hasOwnRecords = false } = source
    const { unread, isAll } = unreadOf(resources, scope, this.#why)
    const mayBeShown = hasOwnRecords && unread.some(({ reason }) => reason !== 'NoPermission')
    if (isAll && !mayBeShown) return refused(unread, scope)
    return { topic: this.#open({ name, scope, source }), unread: worthNoting(unread, resources, scope) }
  }

  #open({ name, scope, source, pageId }: Omit<Channel, 'topic'> & { name: string }): Topic {
    const byScope = this.#channels.get(name) ?? new Map<string, Channel>()
    this.#channels.set(name, byScope)
    const known = byScope.get(scope.key)
    const channel = known ?? {
      topic: this.#newTopic({ name, source, scope, pageId }),
      scope,
      source,
      ...(pageId !== undefined && { pageId }),
    }
    byScope.delete(scope.key)
    byScope.set(scope.key, channel)
    this.#watchIdle(name, channel)
    if (!known) this.#fill(channel)
    return channel.topic
  }

  #fill({ topic, source, scope, pageId }: Channel): void {
    if (pageId !== undefined) {
      ;(source as PageSource).open?.(pageId)
      return topic.touch(pageId)
    }
    const { ids, placeOf } = source as Source
    for (const id of ids()) if (isSeen(placeOf(id), scope)) topic.touch(id)
  }

  #touch(name: string, { placeOf }: Source, id: string): void {
    const byScope = this.#channels.get(name)
    if (!byScope || byScope.size === 0) return
    const place = placeOf(id)
    for (const { topic, scope } of byScope.values()) if (isSeen(place, scope)) topic.touch(id)
  }

  #touchPage(name: string, id: string): void {
    for (const { topic } of this.#channels.get(name)?.values() ?? []) topic.touch(id)
  }

  #touchPages(source: PageSource): void {
    for (const channel of this.#all())
      if (channel.source === source && channel.pageId !== undefined) channel.topic.touch(channel.pageId)
  }

  /** Checks periodically whether a topic still has readers; a topic without readers computes nothing. */
  #watchIdle(name: string, channel: Channel): void {
    channel.idle?.()
    channel.idle = this.#options.clock.after(this.#options.idleMs ?? 120_000, () => {
      if (channel.topic.isRead) this.#watchIdle(name, channel)
      else this.#drop(name, channel)
    })
    const idle = [...this.#channels].flatMap(([each, byScope]) =>
      [...byScope.values()].filter(({ topic }) => !topic.isRead).map((found) => ({ each, found })),
    )
    for (const { each, found } of idle.slice(0, Math.max(0, idle.length - (this.#options.mostIdle ?? 50)))) {
      if (found !== channel) this.#drop(each, found)
    }
  }

  #drop(name: string, channel: Channel): void {
    const { topic, scope, source, pageId } = channel
    channel.idle?.()
    topic.close()
    const byScope = this.#channels.get(name)
    byScope?.delete(scope.key)
    if (byScope?.size !== 0) return
    this.#channels.delete(name)
    if (pageId !== undefined) (source as PageSource).close?.(pageId)
  }

  #all(): Channel[] {
    return [...this.#channels.values()].flatMap((byScope) => [...byScope.values()])
  }

  #newTopic({ name, source, scope, pageId = '' }: Omit<Channel, 'topic'> & { name: string }): Topic {
    const { clock, newEpoch, onError, flushIntervalMs = (ownMs) => ownMs } = this.#options
    const onFailure = (error: unknown, id: string): void => onError(error, name, id)
    const { prepare } = source
    const topic: Topic = new Topic({
      name,
      epoch: newEpoch(),
      clock,
      project: (id) => source.project(id, scope),
      ...(prepare && { prepare: (isLong) => prepare(scope, isLong, pageId) }),
      isComplete: scope.isPartial !== true,
      flushIntervalMs: () => flushIntervalMs(ownIntervalOf(source, pageId)),
      ...(this.hasCollection(name) && { onLook: () => this.#lookTogether(scope, topic) }),
      onError: onFailure,
    })
    return topic
  }

  /**
   * Collections of the same readers are computed at the same moment: a message, which is sent a little later, would
   * otherwise tell of a change in one of them and not in another.
   */
  #lookTogether(scope: Scope, { flushIntervalMs }: Topic): void {
    for (const name of Object.keys(this.#options.collections)) {
      const topic = this.#channels.get(name)?.get(scope.key)?.topic
      if (topic?.isRead && topic.flushIntervalMs === flushIntervalMs) topic.lookAlong()
    }
  }
}

function ownIntervalOf({ flushIntervalMs }: Source | PageSource, pageId: string): number | undefined {
  return typeof flushIntervalMs === 'function' ? flushIntervalMs(pageId) : flushIntervalMs
}

const isSeen = (place: Place | undefined, scope: Scope): boolean => place === undefined || scope.sees(place)

/** Of several permissions that are missing, the first is named. */
function refused(unread: readonly Unread[], { isPartial = false }: Scope): Found {
  const isPermission = ({ reason }: Unread): boolean => reason === 'NoPermission'
  const told = unread.every(isPermission) ? unread.slice(0, 1) : unread
  return { refusal: told[0]!.sentence, unread: told, isForNow: isPartial && unread.some(isPermission) }
}
