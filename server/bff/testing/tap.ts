/** A socket that records everything that it receives, as text. */
import { io, type Socket } from 'socket.io-client'
import {
  type ClientToServer,
  type FrameMessage,
  type SessionEndMessage,
  LIVE_PATH,
  type ServerToClient,
} from '@/lib/view/live'
import {
  unreportedBy,
  type CollectionState,
  type Entity,
  initialCollection,
  reduceCollection,
  type CollectionEvent,
} from '@/lib/view/live-client'
import { readFrame } from './live-client'

export class Tap {
  readonly socket: Socket<ServerToClient, ClientToServer>
  /** Every event with its arguments; frames are unpacked. */
  readonly texts: string[] = []
  readonly refused = new Map<string, string>()
  readonly goodbyes: SessionEndMessage[] = []
  readonly errors: string[] = []
  readonly #states = new Map<string, CollectionState<Entity>>()

  constructor(url: string, headers: Record<string, string>, topics: readonly string[] = []) {
    this.socket = io(url, {
      path: LIVE_PATH,
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      extraHeaders: headers,
    })
    this.#listen()
    for (const topic of topics) this.follow(topic)
  }

  follow(topic: string): void {
    this.#states.set(topic, initialCollection())
    if (this.socket.connected) this.#feed(topic, { type: 'connected' })
  }

  /** Returns the topics that were neither shown completely nor refused, with their phase. */
  get unsettled(): string[] {
    return [...this.#states].flatMap(([topic, { phase }]) =>
      phase === 'live' || phase === 'refused' ? [] : [`${topic}: ${phase}`],
    )
  }

  /** Returns the ids that are held of a topic. */
  ids(topic: string): string[] {
    return [...(this.#states.get(topic)?.entities.keys() ?? [])].sort()
  }

  entity<T>(topic: string, id: string): T | undefined {
    return this.#states.get(topic)?.entities.get(id) as T | undefined
  }

  close(): void {
    this.socket.disconnect()
  }

  #listen(): void {
    const { socket } = this
    socket.onAny((event: string, ...message: unknown[]) => {
      if (event !== 'frames') this.texts.push(JSON.stringify([event, message]))
    })
    socket.on('connect', () => this.#feedAll({ type: 'connected' }))
    socket.on('disconnect', (reason) => {
      this.errors.push(reason)
      this.#feedAll({ type: 'disconnected', at: 0 })
    })
    socket.on('connect_error', ({ message }) => this.errors.push(message))
    socket.on('frames', (frames) => frames.forEach((frame) => this.#onFrame(readFrame(frame))))
    socket.on('compare', (message) => this.#feed(message.topic, { type: 'compare', message }))
    socket.on('freshness', (message) => this.#feedAll({ type: 'freshness', message }))
    socket.on('goodbye', (message) => this.goodbyes.push(message))
    socket.on('refused', ({ topic, message }) => {
      this.refused.set(topic, message)
      this.#feed(topic, { type: 'refused', message })
    })
  }

  #onFrame(text: string): void {
    this.texts.push(text)
    const message = JSON.parse(text) as FrameMessage
    this.#feed(message.topic, { type: message.type, message } as CollectionEvent)
  }

  #feedAll(event: CollectionEvent): void {
    for (const topic of this.#states.keys()) this.#feed(topic, event)
  }

  #feed(topic: string, event: CollectionEvent): void {
    const before = this.#states.get(topic)
    if (!before) return
    const state = reduceCollection(before, event)
    const owed = unreportedBy(topic, state)
    if (owed?.event === 'digest') this.socket.emit('digest', owed.message)
    else if (owed) this.socket.emit('subscribe', owed.message)
    this.#states.set(topic, reduceCollection(state, { type: 'paid' }))
  }
}
