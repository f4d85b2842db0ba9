/** Clients of many users in one process: when they receive permitted objects and when they lose others. */
import { io, type Socket } from 'socket.io-client'
import { type ClientToServer, type FrameMessage, LIVE_PATH, type ServerToClient } from '@/lib/view/live'
import {
  type CollectionEvent,
  type Entity,
  initialCollection,
  unreportedBy,
  reduceCollection,
} from '@/lib/view/live-client'
import { readFrame } from '../live-topic'
import { clockNow } from '../stream/fleet'
import { type FederationShape, namespacesOf, userOf } from './federation'

export interface UsersOptions {
  url: string
  shape: FederationShape
}

/** Milliseconds from the moment at which all users were connected. */
export interface FirstViews {
  first: number[]
  complete: number[]
}

const TOPIC = 'workloads'
const FOREVER_MS = 300_000

class Browser {
  readonly first = Promise.withResolvers<number>()
  readonly complete = Promise.withResolvers<number>()
  readonly lost = Promise.withResolvers<number>()
  readonly #socket: Socket<ServerToClient, ClientToServer>
  readonly #own: readonly string[]
  #state = initialCollection<Entity>()

  constructor(url: string, user: number, shape: FederationShape) {
    this.#own = namespacesOf(user, shape)
    this.#socket = io(url, {
      path: LIVE_PATH,
      transports: ['websocket'],
      forceNew: true,
      extraHeaders: { origin: url, 'x-bench-user': userOf(user) },
    })
    this.#socket.on('connect', () => this.#feed({ type: 'connected' }))
    this.#socket.on('frames', (frames) => {
      for (const frame of frames) {
        const message = JSON.parse(readFrame(frame)) as FrameMessage
        this.#feed({ type: message.type, message } as CollectionEvent)
      }
    })
    this.#socket.on('compare', (message) => this.#feed({ type: 'compare', message }))
    this.#socket.on('refused', ({ message }) => this.#feed({ type: 'refused', message }))
  }

  #feed(event: CollectionEvent): void {
    this.#state = reduceCollection(this.#state, event)
    const owed = unreportedBy(TOPIC, this.#state)
    if (owed?.event === 'digest') this.#socket.emit('digest', owed.message)
    else if (owed) this.#socket.emit('subscribe', owed.message)
    this.#state = reduceCollection(this.#state, { type: 'paid' })
    this.#note()
  }

  #note(): void {
    const { entities, phase } = this.#state
    const [at, seen] = [clockNow(), new Set([...entities.keys()].map((id) => id.split('/')[2]))]
    if (entities.size > 0) this.first.resolve(at)
    if (phase !== 'live') return
    const isWhole = this.#own.every((namespace) => seen.has(namespace))
    if (isWhole) this.complete.resolve(at)
    // Only a received object can be withdrawn.
    else void this.complete.promise.then(() => seen.has(this.#own[0]) || this.lost.resolve(at))
  }
}

async function run({ url, shape }: UsersOptions): Promise<void> {
  const began = clockNow()
  setTimeout(() => process.exit(3), FOREVER_MS).unref()
  const browsers = Array.from({ length: shape.users }, (_, user) => new Browser(url, user, shape))
  const times = async (what: 'first' | 'complete' | 'lost') => Promise.all(browsers.map((each) => each[what].promise))
  const first = await times('first')
  const complete = await times('complete')
  process.on('message', () => void times('lost').then((lost) => process.send?.(lost)))
  process.on('disconnect', () => process.exit(0))
  const views: FirstViews = { first: first.map((at) => at - began), complete: complete.map((at) => at - began) }
  process.send?.(views)
}

await run(JSON.parse(process.argv[2] as string) as UsersOptions)
