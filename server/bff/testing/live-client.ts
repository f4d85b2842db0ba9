/** A browser's side of the live protocol for tests: socket.io and the state machine of lib/view, nothing else. */
import { io, type Socket } from 'socket.io-client'
import { type ClientToServer, LIVE_PATH, type ServerToClient } from '@/lib/view/live'
import {
  type CollectionEvent, type CollectionState, type Entity, initialCollection, reduceCollection, subscriptionOf,
} from '@/lib/view/live-client'

export class TestReader {
  readonly socket: Socket<ServerToClient, ClientToServer>
  /** Every message, by its event name. */
  readonly received: { event: string; message: unknown }[] = []
  state: CollectionState<Entity> = initialCollection()

  constructor(url: string, readonly topic: string, options: { headers?: Record<string, string> } = {}) {
    this.socket = io(url, {
      path: LIVE_PATH, transports: ['websocket'], reconnectionDelay: 10, reconnectionDelayMax: 50, forceNew: true,
      ...(options.headers && { extraHeaders: options.headers }),
    })
    this.#listen()
  }

  /** The held entities by id. */
  get held(): Record<string, Entity> {
    return Object.fromEntries(this.state.entities)
  }

  messages(event: string): unknown[] {
    return this.received.filter((each) => each.event === event).map((each) => each.message)
  }

  /** Breaks the connection as a network would; the client comes back by itself. */
  breakConnection(): void {
    this.socket.io.engine.close()
  }

  close(): void {
    this.socket.disconnect()
  }

  #listen(): void {
    const { socket } = this
    socket.onAny((event: string, message: unknown) => this.received.push({ event, message }))
    socket.on('connect', () => this.#feed({ type: 'connected' }))
    socket.on('disconnect', (error) => this.#feed({ type: 'disconnected', at: 0, error }))
    socket.on('connect_error', ({ message }) => this.received.push({ event: 'connect_error', message }))
    socket.on('snapshot', (message) => this.#feed({ type: 'snapshot', message }))
    socket.on('delta', (message) => this.#feed({ type: 'delta', message }))
    socket.on('synced', (message) => this.#feed({ type: 'synced', message }))
    socket.on('freshness', (message) => this.#feed({ type: 'freshness', message }))
    socket.on('refused', ({ message }) => this.#feed({ type: 'refused', message }))
  }

  #feed(event: CollectionEvent): void {
    this.state = reduceCollection(this.state, event)
    if (this.state.phase !== 'unsubscribed') return
    this.socket.emit('subscribe', subscriptionOf(this.topic, this.state))
    this.state = reduceCollection(this.state, { type: 'subscribed' })
  }
}
