/** The browser's side of the live protocol for tests: socket.io and the state machine of lib/view only. */
import { inflateSync } from 'node:zlib'
import { io, type Socket } from 'socket.io-client'
import { type ClientToServer, type FrameData, type FrameMessage, LIVE_PATH, type ServerToClient } from '@/lib/view/live'
import {
  type CollectionEvent,
  type CollectionState,
  type Entity,
  initialCollection,
  unreportedBy,
  reduceCollection,
} from '@/lib/view/live-client'

export class TestReader {
  readonly socket: Socket<ServerToClient, ClientToServer>
  /** Every message, by its event name. */
  readonly received: { event: string; message: unknown }[] = []
  state: CollectionState<Entity> = initialCollection()

  constructor(
    url: string,
    readonly topic: string,
    options: { headers?: Record<string, string> } = {},
  ) {
    this.socket = io(url, {
      path: LIVE_PATH,
      transports: ['websocket'],
      reconnectionDelay: 10,
      reconnectionDelayMax: 50,
      forceNew: true,
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

  /** Breaks the connection like a network failure; the client reconnects by itself. */
  breakConnection(): void {
    this.socket.io.engine.close()
  }

  close(): void {
    this.socket.disconnect()
  }

  /** Every frame as text, in order. */
  readonly texts: string[] = []

  #listen(): void {
    const { socket } = this
    socket.onAny((event: string, message: unknown) => event !== 'frames' && this.received.push({ event, message }))
    socket.on('connect', () => this.#feed({ type: 'connected' }))
    socket.on('disconnect', (error) => this.#feed({ type: 'disconnected', at: 0, error }))
    socket.on('connect_error', (error) => this.#onError(error))
    socket.on('frames', (frames) => frames.forEach((frame) => this.#onFrame(readFrame(frame))))
    socket.on('compare', (message) => message.topic === this.topic && this.#feed({ type: 'compare', message }))
    socket.on('freshness', (message) => this.#feed({ type: 'freshness', message }))
    socket.on('unread', ({ topic, unread }) => topic === this.topic && this.#feed({ type: 'unread', unread }))
    socket.on('refused', ({ topic, ...refusal }) => topic === this.topic && this.#feed({ type: 'refused', ...refusal }))
  }

  #onError(error: Error & { data?: { final?: boolean } }): void {
    this.received.push({ event: 'connect_error', message: error.message })
    if (error.data?.final) this.#feed({ type: 'denied', message: error.message })
    else this.#feed({ type: 'disconnected', at: 0, error: error.message })
  }

  #onFrame(text: string): void {
    this.texts.push(text)
    const message = JSON.parse(text) as FrameMessage
    this.received.push({ event: message.type, message })
    if (message.topic === this.topic) this.#feed({ type: message.type, message } as CollectionEvent)
  }

  #feed(event: CollectionEvent): void {
    this.state = reduceCollection(this.state, event)
    const owed = unreportedBy(this.topic, this.state)
    if (!owed) return
    if (owed.event === 'digest') this.socket.emit('digest', owed.message)
    else this.socket.emit('subscribe', owed.message)
    this.state = reduceCollection(this.state, { type: 'paid' })
  }
}

/** Returns the text of a frame. */
export function readFrame(frame: FrameData): string {
  return typeof frame === 'string' ? frame : inflateSync(frame.subarray(1)).toString()
}
