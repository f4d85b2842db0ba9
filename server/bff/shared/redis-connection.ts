/**
 * One connection to Redis that reconnects by itself. It counts as available only while a write succeeds: a Redis that
 * is full, read-only or unresponsive counts as unavailable and is probed until it recovers.
 */
import { type Message, message } from '@/lib/messages/message'
import { createClient, ErrorReply } from 'redis'
import { isoTime, type Clock, type EpochMs, type Stop } from '@/lib/std/clock'
import { DeadlineMissed, within } from './deadline'
import { type StoreState, StoreUnavailable } from './store'

export interface RedisTarget {
  /** `redis://` or `rediss://`, with user and password if required. Never logged or shown. */
  url: string
  /** PEM of the certificate authorities for `rediss://`, instead of the default ones. */
  ca?: string
}

export interface RedisConnectionOptions extends RedisTarget {
  clock: Clock
  /** Uniform in [0, 1), for jitter. */
  random: () => number
  /** Runs on every new connection before it is used. */
  prepare?: (client: RedisClient) => Promise<void>
  /** Repeats a write while the connection lasts. Not for connections with blocking commands. */
  probe?: (client: RedisClient) => Promise<unknown>
  /** Default: 3000. */
  probeEveryMs?: number
}

export type RedisClient = ReturnType<typeof newClient>

/** Maximum wait for one response. */
export const DEADLINE_MS = 2_000
const PROBE_EVERY_MS = 3_000
const MAX_PAUSE_MS = 3_000
/** Redis answers a write that it cannot accept now with these errors, while reads and messages still work. */
const REFUSED_WRITES = /^(OOM|MISCONF|NOPERM)\b/

function newClient({ url, ca }: RedisTarget) {
  const socket = { reconnectStrategy: false, connectTimeout: DEADLINE_MS } as const
  return createClient({
    url,
    RESP: 3,
    name: 'evenkeel',
    maintNotifications: 'disabled',
    socket: ca === undefined ? socket : { ...socket, tls: true, ca },
    disableOfflineQueue: true,
    commandsQueueMaxLength: 20_000,
  })
}

export class RedisConnection {
  readonly #options: RedisConnectionOptions
  readonly #handlers = new Set<(state: StoreState) => void>()
  readonly #running: Promise<void>
  #client: RedisClient | undefined
  #state: StoreState
  /** Ends the current connection, or the pause before the next one. */
  #interrupt: (error: unknown) => void = () => undefined
  #arrival = expected<RedisClient>()
  #closed = false

  constructor(options: RedisConnectionOptions) {
    this.#options = options
    this.#state = { ok: false, since: options.clock.now(), error: message('api.store.cause.notConnected') }
    this.#running = this.#run()
  }

  state(): StoreState {
    return this.#state
  }

  /** Registers a handler that is called when the connection is made or lost. */
  onState(handler: (state: StoreState) => void): Stop {
    const own = (state: StoreState): void => handler(state)
    this.#handlers.add(own)
    return () => void this.#handlers.delete(own)
  }

  /**
   * Runs a command within `deadlineMs`. For the first two seconds without a connection callers wait for it, after that
   * they are rejected immediately. Every failure is StoreUnavailable; after a missed deadline the connection is
   * replaced.
   */
  async ask<T>(question: (client: RedisClient) => Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
    const { clock } = this.#options
    const until = clock.now() + deadlineMs
    const client = this.#client ?? (await this.#next())
    try {
      return await within(clock, Math.max(0, until - clock.now()), question(client))
    } catch (error) {
      if (error instanceof DeadlineMissed) this.drop(client, error)
      throw unavailable(error)
    }
  }

  /** Drops the connection; the next one is made after a short pause. No effect when the connection is already gone. */
  drop(client: RedisClient, error: unknown): void {
    if (client === this.#client) this.#interrupt(error)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#arrival.reject(new StoreUnavailable(message('api.store.closed')))
    this.#interrupt(new StoreUnavailable(message('api.store.closed')))
    await this.#running
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#closed; failures += 1) {
      const reachedAt = await this.#live()
      if (reachedAt !== undefined) failures = 0
      await this.#pause(failures)
    }
  }

  /**
   * Runs one connection from its beginning to its end; resolves with the time when it was made, undefined if it never
   * was.
   */
  async #live(): Promise<EpochMs | undefined> {
    const { clock, probeEveryMs = PROBE_EVERY_MS } = this.#options
    const client = newClient(this.#options)
    const ended = this.#endOf(client)
    let reachedAt: EpochMs | undefined
    try {
      await within(clock, DEADLINE_MS, Promise.race([this.#open(client), ended]))
      reachedAt = clock.now()
      this.#arrive(client)
      for (;;) {
        await this.#check(client, ended)
        await Promise.race([
          ended,
          new Promise<void>((resolve) => {
            clock.after(probeEveryMs, resolve)
          }),
        ])
      }
    } catch (error) {
      this.#leave(error)
    }
    client.destroy()
    return reachedAt
  }

  /** Rejects when the connection breaks or is dropped. */
  #endOf(client: RedisClient): Promise<never> {
    const { promise, reject } = expected<never>()
    this.#interrupt = reject
    client.on('error', reject)
    client.on('end', () => reject(new Error('the connection was closed')))
    return promise
  }

  async #open(client: RedisClient): Promise<void> {
    await client.connect()
    await this.#options.prepare?.(client)
  }

  /**
   * A Redis that accepts no writes keeps its connection, because reads and messages still work; any other failure ends
   * it.
   */
  async #check(client: RedisClient, ended: Promise<never>): Promise<void> {
    const { clock, probe } = this.#options
    try {
      await within(clock, DEADLINE_MS, Promise.race([probe?.(client), ended]))
      this.#notify({ ok: true })
    } catch (error) {
      if (!(error instanceof ErrorReply && REFUSED_WRITES.test(error.message))) throw error
      this.#notifyUnavailable(error)
    }
  }

  #arrive(client: RedisClient): void {
    if (this.#closed) throw new StoreUnavailable(message('api.store.closed'))
    this.#client = client
    this.#arrival.resolve(client)
  }

  #leave(error: unknown): void {
    if (this.#closed) return
    if (this.#client !== undefined) this.#arrival = expected()
    this.#client = undefined
    this.#notifyUnavailable(error)
  }

  #notifyUnavailable(error: unknown): void {
    const since = this.#state.ok ? this.#options.clock.now() : this.#state.since
    this.#notify({ ok: false, since, error: causeOf(error) })
  }

  #notify(state: StoreState): void {
    const turned = state.ok !== this.#state.ok
    this.#state = state
    if (turned) for (const handler of new Set(this.#handlers)) handler(state)
  }

  /** Returns the next connection, for callers at the beginning of an outage. */
  async #next(): Promise<RedisClient> {
    const { clock } = this.#options
    const state = this.#state
    const patienceMs = state.ok ? DEADLINE_MS : state.since + DEADLINE_MS - clock.now()
    if (this.#closed || patienceMs <= 0) throw this.#absent()
    try {
      return await within(clock, patienceMs, this.#arrival.promise)
    } catch {
      throw this.#absent()
    }
  }

  #absent(): StoreUnavailable {
    if (this.#closed || this.#state.ok) {
      return new StoreUnavailable(message('api.store.closed'))
    }
    const { since, error } = this.#state
    return new StoreUnavailable(message('api.store.unreachable', { since: isoTime(since), cause: error }))
  }

  async #pause(failures: number): Promise<void> {
    if (this.#closed) return
    const { clock, random } = this.#options
    const longest = Math.min(MAX_PAUSE_MS, 100 * 2 ** Math.min(failures, 10))
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#interrupt = () => resolve()
    const cancel = clock.after(longest * (0.5 + random() / 2), resolve)
    await promise
    cancel()
  }
}

/** Returns a promise that may fail before it is awaited. */
function expected<T>(): PromiseWithResolvers<T> {
  const resolvers = Promise.withResolvers<T>()
  resolvers.promise.catch(() => undefined)
  return resolvers
}

function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  if (error instanceof ErrorReply && error.message.startsWith('WRONGTYPE')) {
    return new StoreUnavailable(message('api.store.foreign'), { cause: error })
  }
  return new StoreUnavailable(message('api.store.failed', { cause: causeOf(error) }), { cause: error })
}

/** Texts for network errors, without the address, because users read them too. */
const NETWORK: Readonly<Record<string, Message>> = {
  ECONNREFUSED: message('api.store.cause.refused'),
  ENOTFOUND: message('api.store.cause.unknownHost'),
  EAI_AGAIN: message('api.store.cause.unknownHost'),
  ECONNRESET: message('api.store.cause.broken'),
  EPIPE: message('api.store.cause.broken'),
  ETIMEDOUT: message('api.store.cause.timeout'),
  EHOSTUNREACH: message('api.store.cause.noRoute'),
  ENETUNREACH: message('api.store.cause.noRoute'),
}

/** Returns the error of Redis or the network, without keys and values, with an explanation where needed. */
function causeOf(error: unknown): Message | string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const text = first instanceof Error ? first.message : String(first)
  const network = NETWORK[(first as NodeJS.ErrnoException).code ?? '']
  if (network !== undefined) return network
  if (/^(WRONGPASS|NOAUTH)\b/.test(text)) return message('api.store.cause.credentials')
  if (/^OOM\b/.test(text)) return message('api.store.cause.outOfMemory')
  if (/^READONLY\b/.test(text)) return message('api.store.cause.readOnly')
  if (/^NOPERM\b/.test(text)) return message('api.store.cause.noPermission')
  if (/^MISCONF\b/.test(text)) return message('api.store.cause.notSaved')
  return text
}
