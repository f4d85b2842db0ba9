/** One connected browser: its subscriptions, and what happens when it reads too slowly. */
import type { Socket } from 'socket.io'
import { z } from 'zod'
import type { Clock, Stop } from '@/lib/std/clock'
import type { ClientToServer, FreshnessMessage, ServerToClient } from '@/lib/view/live'
import type { Hub } from './hub'
import { Subscription } from './subscription'

export type LiveSocket = Socket<ClientToServer, ServerToClient>

export interface SessionOptions {
  socket: LiveSocket
  hub: Hub
  clock: Clock
  /** False until the server has seen the whole control plane once. */
  isReady: () => boolean
  /** Told when the socket is given up for reading too slowly. */
  onStalled: () => void
  limits?: Partial<SessionLimits>
}

export interface SessionLimits {
  topics: number
  /** Messages that may wait for the socket before nothing more is sent. */
  waitingMessages: number
  /** A socket whose messages wait longer than this is closed; it may reconnect and resume. */
  stalledAfterMs: number
}

const DEFAULT_LIMITS: SessionLimits = { topics: 50, waitingMessages: 4, stalledAfterMs: 15_000 }

const SHAPE = 'A subscription is { topic, since?: { epoch, revision } }.'
const topicName = z.string().min(1).max(1024)
const subscribeMessage = z.object({
  topic: topicName,
  since: z.object({ epoch: z.string().max(100), revision: z.number().int().min(0) }).optional(),
})
const unsubscribeMessage = z.object({ topic: topicName })

export class Session {
  readonly #options: SessionOptions
  readonly #limits: SessionLimits
  readonly #subscriptions = new Map<string, Subscription>()
  #patience: Stop | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    const { socket } = options
    socket.on('subscribe', (message: unknown) => this.#subscribe(message))
    socket.on('unsubscribe', (message: unknown) => this.#unsubscribe(message))
    socket.conn.on('drain', () => this.#onDrain())
    socket.on('disconnect', () => this.close())
  }

  sendFreshness(message: FreshnessMessage): void {
    this.#options.socket.emit('freshness', message)
  }

  /** Sends to every subscription what it lacks, as far as the socket can take it. */
  catchUp(): void {
    for (const subscription of this.#subscriptions.values()) subscription.notify()
  }

  close(): void {
    this.#patience?.()
    this.#patience = undefined
    for (const subscription of this.#subscriptions.values()) subscription.stop()
    this.#subscriptions.clear()
  }

  #subscribe(message: unknown): void {
    const parsed = subscribeMessage.safeParse(message)
    if (!parsed.success) return this.#refuse(nameIn(message), SHAPE)
    const { topic: name, since } = parsed.data
    this.#unsubscribe({ topic: name })
    if (this.#subscriptions.size >= this.#limits.topics) {
      return this.#refuse(name, `No more than ${this.#limits.topics} topics at a time; leave one first.`)
    }
    const topic = this.#options.hub.topic(name)
    if (!topic) return this.#refuse(name, `There is no topic "${name}".`)
    const subscription = new Subscription(topic, this.#outlet(), this.#options.isReady)
    this.#subscriptions.set(name, subscription)
    subscription.start(since)
  }

  #unsubscribe(message: unknown): void {
    const parsed = unsubscribeMessage.safeParse(message)
    if (!parsed.success) return
    this.#subscriptions.get(parsed.data.topic)?.stop()
    this.#subscriptions.delete(parsed.data.topic)
  }

  #refuse(topic: string, message: string): void {
    this.#options.socket.emit('refused', { topic, message })
  }

  #outlet(): ConstructorParameters<typeof Subscription>[1] {
    const { socket } = this.#options
    return {
      canTake: () => this.#canTake(),
      snapshot: (message) => void socket.emit('snapshot', message),
      delta: (message) => void socket.emit('delta', message),
      synced: (message) => void socket.emit('synced', message),
    }
  }

  #canTake(): boolean {
    const { conn } = this.#options.socket
    const waiting = (conn as unknown as { writeBuffer: readonly unknown[] }).writeBuffer.length
    if (waiting < this.#limits.waitingMessages) return true
    this.#patience ??= this.#options.clock.after(this.#limits.stalledAfterMs, () => this.#giveUp())
    return false
  }

  #onDrain(): void {
    this.#patience?.()
    this.#patience = undefined
    this.catchUp()
  }

  /** Closing the transport, not the socket: the client then reconnects by itself and resumes where it was. */
  #giveUp(): void {
    this.#options.onStalled()
    this.#options.socket.conn.close(true)
  }
}

function nameIn(message: unknown): string {
  const topic = typeof message === 'object' && message !== null && 'topic' in message ? message.topic : undefined
  return typeof topic === 'string' ? topic.slice(0, 100) : ''
}
