/**
 * Connects socket.io of several instances: an operation on a room reaches the sockets of all instances. Messages are in
 * a Redis stream, so an instance that lost its connection continues from its position and sends its pending messages
 * later. A message may arrive twice, so all messages here must tolerate that.
 *
 * The adapter of socket.io assumes that Redis is always available: it retries at once when a read fails, reads from
 * "now" after every pause until the first message arrives, and fails forever on a message that it cannot read. It
 * therefore uses the few commands below, which wait, track their position, and deliver every message once.
 */
import { message as text } from '@/lib/messages/message'
import { createAdapter } from '@socket.io/redis-streams-adapter'
import type { ServerOptions } from 'socket.io'
import type { Clock } from '@/lib/std/clock'
import { DEADLINE_MS, type RedisClient, RedisConnection, type RedisTarget } from './redis-connection'
import { StoreUnavailable } from './store'

export type SocketAdapter = NonNullable<ServerOptions['adapter']>

export interface SocketAdapterOptions extends RedisTarget {
  /** Prefix of the names of the stream and of every channel. */
  prefix: string
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
}

/** Messages that are kept for disconnected instances. */
const MAX_MESSAGES = 10_000
const BLOCK_MS = 5_000
/** Delay before a failed command is retried. */
const PAUSE_MS = 500
/** Messages that one instance keeps until Redis is available. */
const MAX_UNSENT = 1_000

/** Creates the adapter for one socket.io server. `close` ends all its connections. */
export function createSocketAdapter(options: SocketAdapterOptions): {
  adapter: SocketAdapter
  close: () => Promise<void>
} {
  const commands = new Commands(options)
  const { prefix } = options
  const adapter = createAdapter(commands, {
    streamName: `${prefix}sockets`,
    channelPrefix: `${prefix}sockets`,
    maxLen: MAX_MESSAGES,
    blockTimeInMs: BLOCK_MS,
  })
  return { adapter, close: () => commands.disconnect() }
}

/**
 * The commands that the adapter uses, for the writing side; the adapter makes one copy to read the stream and one to
 * subscribe.
 */
class Commands {
  readonly #options: SocketAdapterOptions
  readonly #writer: RedisConnection
  readonly #copies: { disconnect(): Promise<void> }[] = []
  #unsent = 0
  #closed = false

  constructor(options: SocketAdapterOptions) {
    this.#options = options
    this.#writer = new RedisConnection(options)
  }

  duplicate(): Reader {
    const copy = new Reader(this.#options)
    this.#copies.push(copy)
    return copy
  }

  /**
   * Resolves once the message is written, regardless of how long it takes. Rejects when too many messages are pending,
   * and on close.
   */
  async xAdd(
    stream: string,
    id: string,
    message: Record<string, string>,
    how: Parameters<RedisClient['xAdd']>[3],
  ): Promise<string> {
    if (this.#unsent >= MAX_UNSENT) throw new StoreUnavailable(text('api.store.tooMany'))
    this.#unsent += 1
    try {
      return await this.#resend(() => this.#writer.ask((client) => client.xAdd(stream, id, message, how)))
    } finally {
      this.#unsent -= 1
    }
  }

  /** Neither awaited nor checked for failure; callers that wait for responses have deadlines of their own. */
  async publish(channel: string, message: Buffer): Promise<number> {
    return this.#writer.ask((client) => client.publish(channel, message)).catch(() => 0)
  }

  sendCommand(words: string[]): Promise<unknown> {
    return this.#writer.ask((client) => client.sendCommand(words))
  }

  /** Never called; the adapter detects the client library by it. */
  sSubscribe(): Promise<void> {
    return Promise.reject(new Error('sharded channels are not used'))
  }

  async disconnect(): Promise<void> {
    this.#closed = true
    await Promise.all([this.#writer.close(), ...this.#copies.map((copy) => copy.disconnect())])
  }

  async #resend<T>(say: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await say()
      } catch (error) {
        if (this.#closed) throw error
      }
      await new Promise<void>((resolve) => {
        this.#options.clock.after(PAUSE_MS, resolve)
      })
    }
  }
}

type Entry = { id: string; message: Record<string, string> }
type Listener = (message: Buffer) => void

/** The reading side. */
class Reader {
  readonly #clock: Clock
  readonly #connection: RedisConnection
  readonly #channels = new Map<string, Listener>()
  /** Read from the stream, not delivered yet. */
  readonly #waiting: Entry[] = []
  /** The id of the last message read; undefined until the end of the stream was looked up. */
  #position: string | undefined
  #closed = false

  constructor(options: SocketAdapterOptions) {
    this.#clock = options.clock
    this.#connection = new RedisConnection({ ...options, prepare: (client) => this.#subscribeAll(client) })
  }

  /** Errors are handled where they occur. */
  on(): this {
    return this
  }

  /** The connection is made in the background and restored by itself. */
  connect(): Promise<this> {
    return Promise.resolve(this)
  }

  /** Required by the adapter's copies of the reading side. */
  sSubscribe(): Promise<void> {
    return Promise.reject(new Error('sharded channels are not used'))
  }

  async subscribe(channels: string[], listener: Listener): Promise<void> {
    for (const channel of channels) this.#channels.set(channel, listener)
    // Without a connection, the next one starts with these channels.
    await this.#connection.ask((client) => this.#subscribeAll(client)).catch(() => undefined)
  }

  /** Returns the next message, or null after a while. Never rejects, because the caller would retry at once. */
  async xRead([{ key }]: [{ key: string }], { COUNT }: { COUNT: number }): Promise<[{ messages: Entry[] }] | null> {
    if (this.#waiting.length === 0) await this.#read(key, COUNT)
    const next = this.#waiting.shift()
    return next ? [{ messages: [next] }] : null
  }

  async disconnect(): Promise<void> {
    this.#closed = true
    await this.#connection.close()
  }

  async #read(stream: string, most: number): Promise<void> {
    try {
      const position = (this.#position ??= await this.#endOf(stream))
      const found = await this.#connection.ask(
        (client) => client.xRead([{ key: stream, id: position }], { COUNT: most, BLOCK: BLOCK_MS }),
        BLOCK_MS + DEADLINE_MS,
      )
      this.#waiting.push(...((found as { messages: Entry[] }[] | null)?.[0]?.messages ?? []))
      this.#position = this.#waiting.at(-1)?.id ?? position
    } catch {
      // The store over the same Redis reports the outage. A closed reader never reads again.
      await new Promise<void>((resolve) => {
        if (!this.#closed) this.#clock.after(PAUSE_MS, resolve)
      })
    }
  }

  async #endOf(stream: string): Promise<string> {
    const last = await this.#connection.ask((client) => client.xRevRange(stream, '+', '-', { COUNT: 1 }))
    return last?.[0]?.id ?? '0-0'
  }

  async #subscribeAll(client: RedisClient): Promise<void> {
    for (const [channel, listener] of this.#channels) await client.subscribe(channel, listener, true)
  }
}
