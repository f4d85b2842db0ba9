/**
 * Decides which sessions are valid. The session itself is in its cookie; this module holds only its end: the two
 * timeouts, revocations (in the shared store, so that every instance knows them), and the timers that notify open
 * connections.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import { type Message, message } from '@/lib/messages/message'
import type { Logger } from '@/server/runtime/controller'
import { type SharedStore, StoreUnavailable } from '../shared/store'
import { Refusal } from '../http/refusal'
import type { Ended, EndReason } from './authenticator'
import { sessionEnded, storeUnavailable } from './refusals'
import type { Session } from './session-cookie'

export interface SessionsOptions {
  store: SharedStore
  clock: Clock
  log: Logger
  /** A session without activity for this time ends; undefined: never. */
  idleMs: number | undefined
}

/** Why a session is no longer valid. */
interface End {
  why: EndReason
  /** Older versions stored plain text. */
  message: Message | string
}

interface Tracked {
  session: Session
  stop: Stop
}

/** Messages between instances. A lost message causes a reconnect, or the store makes up for it. */
type SessionMessage =
  | { type: 'ended'; id: string; end: End }
  | { type: 'all-ended'; user: string; mark: string; end: End }
  | { type: 'seen'; id: string; seenAt: EpochMs }

/**
 * The last end of all sessions of a user. Later sessions carry its mark, because the clocks of instances may differ.
 */
interface EndOfAll {
  mark: string
  end: End
}

/** The end of a session, for later requests and for open connections. */
interface Recorded {
  key: string
  value: string
  until: EpochMs
  told: SessionMessage
}

const CHANNEL = 'sessions'
const RECORD_AGAIN_MS = 5000
/** Maximum difference between the clocks of two instances. */
const SKEW_MS = 600_000

export class Sessions {
  readonly #options: SessionsOptions
  readonly #tracked = new Map<string, Tracked>()
  /**
   * Sessions that ended here or that other instances reported as ended, until their regular end: refused even while the
   * store is unavailable.
   */
  readonly #ended = new Map<string, End>()
  readonly #handlers = new Set<(ended: Ended) => void>()
  readonly #watchers: ((session: Session) => Stop)[] = []
  readonly #timers = new Set<Stop>()
  readonly #unsubscribe: Stop

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#unsubscribe = options.store.subscribe(CHANNEL, (text) => this.#told(JSON.parse(text) as SessionMessage))
  }

  /**
   * Throws a Refusal for an ended session. While the store is unavailable, sessions seen on this instance continue,
   * because their end would have been reported; others cannot be checked and are refused with 503.
   */
  async refuseEnded(session: Session): Promise<void> {
    const end =
      this.#outOfTime(session, session.seenAt) ?? this.#ended.get(session.id) ?? (await this.#revoked(session))
    if (end) throw sessionEnded(end.why, end.message)
  }

  /**
   * Reports whether a session can never be valid again: its maximum lifetime is over, or it was ended. An idle session
   * may continue under a newer cookie. False while the store cannot tell.
   */
  async isOver(session: Session): Promise<boolean> {
    if (this.#options.clock.now() >= session.expiresAt || this.#ended.has(session.id)) return true
    return (await this.#revoked(session).catch(unlessAway)) !== undefined
  }

  /** Notifies listeners when this session ends. Called for every accepted session. */
  track(session: Session): void {
    const known = this.#tracked.get(session.id)
    if (known) {
      if (session.seenAt > known.session.seenAt) known.session = session
      return
    }
    const watched = this.#watchers.map((watch) => watch(session))
    const tracked: Tracked = { session, stop: () => undefined }
    const timer = this.#arm(tracked)
    tracked.stop = () => {
      timer()
      for (const stop of watched) stop()
    }
    this.#tracked.set(session.id, tracked)
  }

  /** Registers a function that runs for every tracked session until it ends on this instance. */
  beside(watch: (session: Session) => Stop): void {
    this.#watchers.push(watch)
  }

  /** Notes activity of a session on every instance. */
  async seen(session: Session): Promise<void> {
    this.track(session)
    await this.#publish({ type: 'seen', id: session.id, seenAt: session.seenAt })
  }

  /** Ends the session everywhere. A failed write to the store is retried until it succeeds. */
  async end({ id, expiresAt }: Pick<Session, 'id' | 'expiresAt'>, why: EndReason, message: Message): Promise<void> {
    const end = { why, message }
    this.#ends(id, end, expiresAt)
    const told: SessionMessage = { type: 'ended', id, end }
    await this.#record({ key: `revoked/${id}`, value: JSON.stringify(end), until: expiresAt, told })
    await this.#publish(told)
  }

  /**
   * Returns the mark for a new session of this user, so that earlier ends of all sessions do not apply to it. Rejects
   * with StoreUnavailable.
   */
  async markOf(user: string): Promise<string | undefined> {
    return (await this.#endOfAll(user))?.mark
  }

  /** Ends every session of a user that began before now, everywhere. `lastsMs`: the maximum lifetime of a session. */
  async endAllOf(user: string, message: Message, lastsMs: number): Promise<void> {
    const [key, mark] = [userKey(user), randomUUID()]
    const end: End = { why: 'revoked', message }
    const told: SessionMessage = { type: 'all-ended', user: key, mark, end }
    const value: EndOfAll = { mark, end }
    const until = this.#options.clock.now() + lastsMs + SKEW_MS
    await this.#record({ key, value: JSON.stringify(value), until, told })
    this.#endAll(key, mark, end)
    await this.#publish(told)
  }

  /** Reports that a session continues as another user: its connections reconnect and are authenticated again. */
  changed(id: string, message: Message): void {
    this.#notify({ sessionId: id, why: 'changed', message })
  }

  onEnded(handler: (ended: Ended) => void): Stop {
    this.#handlers.add(handler)
    return () => void this.#handlers.delete(handler)
  }

  close(): void {
    this.#unsubscribe()
    for (const { stop } of this.#tracked.values()) stop()
    for (const stop of this.#timers) stop()
    this.#tracked.clear()
    this.#handlers.clear()
  }

  #outOfTime({ expiresAt }: Session, seenAt: EpochMs): End | undefined {
    const { clock, idleMs } = this.#options
    if (clock.now() >= expiresAt) return { why: 'expired', message: message('api.auth.expired') }
    if (idleMs === undefined || clock.now() < seenAt + idleMs) return undefined
    return { why: 'idle', message: message('api.auth.idle') }
  }

  async #revoked({ id, identity: { user }, mark }: Session): Promise<End | undefined> {
    const { store } = this.#options
    try {
      const [own, all] = await Promise.all([store.get(`revoked/${id}`), this.#endOfAll(user)])
      if (own !== undefined) return JSON.parse(own) as End
      return all === undefined || all.mark === mark ? undefined : all.end
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (this.#tracked.has(id)) return undefined
      throw storeUnavailable()
    }
  }

  async #endOfAll(user: string): Promise<EndOfAll | undefined> {
    const known = await this.#options.store.get(userKey(user))
    return known === undefined ? undefined : (JSON.parse(known) as EndOfAll)
  }

  /** Notifies at the deadline, which is recomputed then, because the session may have been renewed. */
  #arm(tracked: Tracked): Stop {
    const { clock, idleMs = Infinity } = this.#options
    let cancel: Stop = () => undefined
    const look = (): void => {
      const { session } = tracked
      const end = this.#outOfTime(session, session.seenAt)
      // Activity on another instance may be unknown here; the cookie of the next request contains it.
      if (end) return this.#finish(session.id, end.why === 'idle' ? { ...end, why: 'changed' } : end)
      const deadline = Math.min(session.expiresAt, session.seenAt + idleMs)
      cancel = clock.after(deadline - clock.now(), look)
    }
    look()
    return () => cancel()
  }

  #ends(id: string, end: End, expiresAt: EpochMs): void {
    if (this.#ended.has(id)) return
    this.#ended.set(id, end)
    this.#later(expiresAt, () => void this.#ended.delete(id))
    this.#finish(id, end)
  }

  #endAll(user: string, mark: string, end: End): void {
    for (const { session } of this.#tracked.values()) {
      const { id, identity, expiresAt } = session
      if (userKey(identity.user) === user && session.mark !== mark) this.#ends(id, end, expiresAt)
    }
  }

  #finish(id: string, { why, message }: End): void {
    const tracked = this.#tracked.get(id)
    if (!tracked) return
    this.#tracked.delete(id)
    tracked.stop()
    this.#notify({ sessionId: id, why, message })
  }

  #notify(ended: Ended): void {
    for (const handler of this.#handlers) handler(ended)
  }

  #told(message: SessionMessage): void {
    switch (message.type) {
      case 'ended': {
        const tracked = this.#tracked.get(message.id)
        if (tracked) this.#ends(message.id, message.end, tracked.session.expiresAt)
        return
      }
      case 'all-ended':
        return this.#endAll(message.user, message.mark, message.end)
      case 'seen': {
        const tracked = this.#tracked.get(message.id)
        if (!tracked || message.seenAt <= tracked.session.seenAt) return
        tracked.session = { ...tracked.session, seenAt: message.seenAt }
      }
    }
  }

  async #record(record: Recorded): Promise<void> {
    const { store, clock, log } = this.#options
    const { key, value, until } = record
    const left = until - clock.now()
    if (left <= 0) return
    try {
      await store.set(key, value, left)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      log.warn({ err: error }, 'failed to publish the end of a session to other instances; retrying')
      this.#later(clock.now() + RECORD_AGAIN_MS, () => void this.#recordAgain(record))
    }
  }

  /** Other instances missed the message too while the store was unavailable. */
  async #recordAgain(record: Recorded): Promise<void> {
    await this.#record(record)
    await this.#publish(record.told)
  }

  async #publish(message: SessionMessage): Promise<void> {
    const { store, log } = this.#options
    try {
      await store.publish(CHANNEL, JSON.stringify(message))
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      log.debug({ err: error }, 'failed to publish a session to other instances')
    }
  }

  #later(at: EpochMs, act: () => void): void {
    const cancel = this.#options.clock.after(Math.max(0, at - this.#options.clock.now()), () => {
      this.#timers.delete(cancel)
      act()
    })
    this.#timers.add(cancel)
  }
}

function unlessAway(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

/** User names must not appear in keys. */
function userKey(user: string): string {
  return `revoked-user/${createHash('sha256').update(user).digest('base64url')}`
}
