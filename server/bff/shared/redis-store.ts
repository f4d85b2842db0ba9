/** The store of several instances: Redis 6.2 or newer, or a compatible server. */
import type { Clock, Stop } from '@/lib/std/clock'
import { Channels } from './channels'
import { within } from './deadline'
import { lifetime } from './lifetime'
import { DEADLINE_MS, type RedisClient, RedisConnection, type RedisTarget } from './redis-connection'
import type { SharedStore, StoreState } from './store'

export interface RedisStoreOptions extends RedisTarget {
  /** Prefix of every key and channel. Instances with the same prefix share all data. */
  prefix: string
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  /** Called when a message handler failed; the other handlers still get the message. */
  onError: (error: unknown) => void
  /** Interval of the probes while idle. Default: 3000. */
  probeEveryMs?: number
}

/** The probe's key expires this long after the last instance has gone. */
const PROBE_TTL_MS = 60_000

/**
 * Connects in the background, without giving up. Resolves once connected, or after two seconds without a connection:
 * `state()` tells which.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<SharedStore> {
  const store = new RedisStore(options)
  const { promise: connected, resolve } = Promise.withResolvers<void>()
  const stop = store.onState(({ ok }) => {
    if (ok) resolve()
  })
  await within(options.clock, DEADLINE_MS, connected).catch(() => undefined)
  stop()
  return store
}

class RedisStore implements SharedStore {
  readonly #prefix: string
  readonly #channels: Channels
  readonly #connection: RedisConnection

  constructor({ prefix, onError, ...target }: RedisStoreOptions) {
    this.#prefix = prefix
    this.#channels = new Channels(onError)
    this.#connection = new RedisConnection({
      ...target,
      prepare: (client) => this.#subscribeAll(client),
      probe: (client) => client.set(`${prefix}probe`, '', { PX: PROBE_TTL_MS }),
    })
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#connection.ask((client) => client.get(this.#key(key)))) ?? undefined
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    const PX = lifetime(ttlMs)
    await this.#connection.ask((client) => client.set(this.#key(key), value, { PX }))
  }

  async add(key: string, value: string, ttlMs: number): Promise<boolean> {
    const PX = lifetime(ttlMs)
    return (await this.#connection.ask((client) => client.set(this.#key(key), value, { PX, NX: true }))) === 'OK'
  }

  async delete(key: string): Promise<void> {
    await this.#connection.ask((client) => client.del(this.#key(key)))
  }

  async publish(channel: string, message: string): Promise<void> {
    await this.#connection.ask((client) => client.publish(this.#channel(channel), message))
  }

  subscribe(channel: string, handler: (message: string) => void): Stop {
    const isNew = !this.#channels.names.includes(channel)
    const stop = this.#channels.listen(channel, handler)
    if (isNew) void this.#subscribeLate(channel)
    return stop
  }

  state(): StoreState {
    return this.#connection.state()
  }

  onState(handler: (state: StoreState) => void): Stop {
    return this.#connection.onState(handler)
  }

  async close(): Promise<void> {
    this.#channels.clear()
    await this.#connection.close()
  }

  #key(key: string): string {
    return `${this.#prefix}key:${key}`
  }

  #channel(channel: string): string {
    return `${this.#prefix}channel:${channel}`
  }

  async #subscribeAll(client: RedisClient): Promise<void> {
    const { names } = this.#channels
    if (names.length > 0)
      await client.subscribe(
        names.map((name) => this.#channel(name)),
        this.#deliver,
      )
  }

  /**
   * Without a connection nothing is needed: the next one starts with all channels. There is no unsubscribe: channels
   * are few, and messages without a listener are cheap.
   */
  async #subscribeLate(channel: string): Promise<void> {
    let asked: RedisClient | undefined
    try {
      await this.#connection.ask((client) => {
        asked = client
        return client.subscribe(this.#channel(channel), this.#deliver)
      })
    } catch (error) {
      if (asked) this.#connection.drop(asked, error)
    }
  }

  readonly #deliver = (message: string, channel: string): void => {
    this.#channels.deliver(channel.slice(this.#channel('').length), message)
  }
}
