/**
 * One socket for the whole page: subscribes to topics while a component uses them, drives the collection state machine
 * of lib/view/live-client, and publishes states for rendering: the first change immediately, later ones as often as
 * rendering leaves most of the time free. A hidden page follows only the summary and topics with listeners.
 */
import type { Clock, Stop } from '@/lib/std/clock'
import { FrameQueue, type ReadFrame } from '@/lib/view/frame-queue'
import {
  type CollectionEvent,
  type CollectionState,
  type Entity,
  initialCollection,
  isLoaded,
  unreportedBy,
  reduceCollection,
} from '@/lib/view/live-client'
import type {
  ClientToServer,
  FrameData,
  FrameMessage,
  FreshnessMessage,
  SessionEndMessage,
  ServerToClient,
  SnapshotMessage,
} from '@/lib/view/live'

export type AnyCollection = CollectionState<Entity>

/** An error of a handshake; `data` comes from the server. */
type HandshakeError = Error & { data?: { final?: boolean } }

/** The part of a socket.io client that is used here. */
export interface LiveSocket {
  readonly connected: boolean
  /** False when the socket does not come back by itself. */
  readonly active: boolean
  connect(): unknown
  disconnect(): unknown
  on<E extends keyof ServerToClient>(event: E, listener: ServerToClient[E]): unknown
  on(event: 'connect', listener: () => void): unknown
  on(event: 'disconnect', listener: (reason: string) => void): unknown
  on(event: 'connect_error', listener: (error: HandshakeError) => void): unknown
  emit<E extends keyof ClientToServer>(event: E, ...args: Parameters<ClientToServer[E]>): unknown
}

/** What the connection needs from its environment. */
export interface LiveEnvironment {
  socket: LiveSocket
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  readFrame: ReadFrame
  /** Takes what is to be drawn of topics, by name, all of it at the same moment. */
  commit: (states: ReadonlyMap<string, AnyCollection>) => void
  /** Called on each connection with the build of the pages that the server has. */
  onHello?: (build: string) => void
  /** Calls once what was committed is on the screen; never while the page is hidden. */
  afterPaint?: (notify: () => void) => void
  /** Called when everything that is watched is on the screen. */
  onShown?: () => void
}

export interface PauseState {
  paused: boolean
  /** Entities that changed behind what is drawn. */
  held: number
}

/** The least time between two commits. */
export const COMMIT_MS = 150
/** Where drawing is slow, commits are rarer, so that it takes at most a part of the time; but not rarer than this. */
const MAX_COMMIT_MS = 1000
const TIMES_DRAWING = 5
/** Failovers update faster than other topics; their rows keep their places meanwhile. */
const COMMIT_MS_OF: Readonly<Record<string, number>> = { failover: 50 }
/** An unused topic is kept this long, so that Back finds it as it was. */
export const LINGER_MS = 15_000

/** A page that is hidden for this long follows the summary only. */
export const HIDDEN_MS = 5_000
/** All that a hidden page follows. */
export const SUMMARY_TOPIC = 'summary'
/** Browsers that were sent away together come back one after the other, within this time. */
export const RETURN_WITHIN_MS = 500
/** The reason of socket.io when the page itself disconnected. */
const LEFT = 'io client disconnect' // upstream: socket.io-client
/** A refused connection is retried after this time: the user may have logged in meanwhile. */
const RETRY_REFUSED_MS = 10_000

/** A watched topic: the received state, and the rendered part of it. */
interface Held {
  state: AnyCollection
  drawn: AnyCollection
  watchers: number
  /** The first snapshot is on its way beside the connection; the subscription continues from it. */
  isPreloading: boolean
  listeners: Set<(state: AnyCollection) => void>
  cancelLinger?: Stop
}

/** When topics are committed. Most share one pace: a page would contradict itself if a part of it were older. */
class Pace {
  lastCommit = -Infinity
  /** How long the last commit took until it was on the screen. */
  drawingMs = 0
  cancelCommit: Stop | undefined

  /** `ownMs`: the time between two commits, however long they take. */
  constructor(private readonly ownMs?: number) {}

  get intervalMs(): number {
    return this.ownMs ?? Math.min(MAX_COMMIT_MS, Math.max(COMMIT_MS, TIMES_DRAWING * this.drawingMs))
  }
}

export class LiveConnection {
  readonly #env: LiveEnvironment
  readonly #topics = new Map<string, Held>()
  readonly #listeners = new Set<() => void>()
  readonly #queue: FrameQueue
  readonly #pagePace = new Pace()
  readonly #ownPaces = new Map(Object.entries(COMMIT_MS_OF).map(([topic, ms]) => [topic, new Pace(ms)]))
  #goodbye: SessionEndMessage | undefined
  #cancelHiding: Stop | undefined
  /** While the page is hidden: ends what is followed instead. */
  #unhide: Stop | undefined
  #pause: PauseState = { paused: false, held: 0 }
  #freshness: FreshnessMessage | undefined

  constructor(env: LiveEnvironment) {
    this.#env = env
    this.#queue = new FrameQueue({
      read: env.readFrame,
      onMessage: (message) => this.#take(message.topic, eventOf(message)),
      // Nothing after a damaged frame can be trusted; a new connection resumes before it.
      onDamage: () => {
        env.socket.disconnect()
        env.socket.connect()
      },
    })
    this.#listen(env.socket)
  }

  /** Keeps a topic subscribed until the returned function is called. */
  watch(topic: string): Stop {
    const held = this.#topics.get(topic) ?? this.#start(topic)
    held.watchers += 1
    held.cancelLinger?.()
    held.cancelLinger = undefined
    return once(() => {
      held.watchers -= 1
      if (held.watchers === 0) held.cancelLinger = this.#env.clock.after(LINGER_MS, () => this.#give(topic))
    })
  }

  /** Watches a topic whose first snapshot is read beside the connection and never rejects; without one, the stream sends it. */
  preload(topic: string, snapshot: Promise<SnapshotMessage | undefined>): Stop {
    const stop = this.watch(topic)
    const held = this.#topics.get(topic)!
    held.isPreloading = true
    void snapshot.then((message) => {
      held.isPreloading = false
      if (this.#topics.get(topic) !== held) return
      if (message) this.#feed(topic, { type: 'preloaded', message })
      else this.#pay(topic, held)
    })
    return stop
  }

  /**
   * Calls the listener with each state of a topic, also while the page is hidden or updates are paused, until stopped.
   */
  listen(topic: string, listener: (state: AnyCollection) => void): Stop {
    const stop = this.watch(topic)
    const held = this.#topics.get(topic)!
    held.listeners.add(listener)
    if (this.#unhide) this.#feed(topic, { type: 'resumed' })
    listener(held.state)
    return once(() => {
      held.listeners.delete(listener)
      stop()
    })
  }

  /** Whether the page is visible. Topics continue where they stopped when it becomes visible again. */
  setHidden(hidden: boolean): void {
    this.#cancelHiding?.()
    this.#cancelHiding = undefined
    if (hidden && !this.#unhide) this.#cancelHiding = this.#env.clock.after(HIDDEN_MS, () => this.#hide())
    if (hidden || !this.#unhide) return
    this.#unhide()
    this.#unhide = undefined
    this.#feedAll({ type: 'resumed' }, this.#asleep())
  }

  /** Pauses rendering, except for first loads; resuming renders all changes. */
  setPaused(paused: boolean): void {
    this.#notePause(paused)
    if (!paused) this.#draw(this.#pagePace)
  }

  readonly pauseState = (): PauseState => this.#pause

  readonly onPauseChange = (listener: () => void): Stop => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #listen(socket: LiveSocket): void {
    socket.on('connect', () => this.#onConnect())
    socket.on('disconnect', (reason) => this.#onDisconnect(reason))
    socket.on('connect_error', (error) => this.#onRefusedEntry(error))
    socket.on('frames', (frames) => {
      this.#queue.push(frames.map(asData))
      // The frames of one message belong together, and some take time to decompress.
      this.#queue.pushAct(() => this.#drawChanged())
    })
    socket.on('compare', (message) =>
      this.#queue.pushAct(() => this.#feed(message.topic, { type: 'compare', message })),
    )
    socket.on('unread', ({ topic, unread }) => this.#queue.pushAct(() => this.#feed(topic, { type: 'unread', unread })))
    socket.on('refused', ({ topic, message, unread }) =>
      this.#queue.pushAct(() => this.#feed(topic, { type: 'refused', message, unread })),
    )
    socket.on('hello', ({ build }) => this.#env.onHello?.(build))
    socket.on('goodbye', (message) => {
      this.#goodbye = message
    })
    socket.on('freshness', (message) => {
      this.#freshness = message
      this.#feedAll({ type: 'freshness', message })
    })
  }

  #onConnect(): void {
    this.#goodbye = undefined
    this.#freshness = undefined
    this.#queue.clear()
    this.#feedAll({ type: 'connected' })
  }

  #onDisconnect(reason: string): void {
    const { clock, random, socket } = this.#env
    this.#queue.clear()
    if (this.#goodbye?.final) return this.#feedAll({ type: 'denied', message: this.#goodbye.message })
    this.#feedAll({ type: 'disconnected', at: clock.now(), error: this.#goodbye?.message ?? reason })
    // After a disconnect by the server (a restart), the client does not reconnect automatically.
    if (!socket.active && reason !== LEFT) clock.after(random() * RETURN_WITHIN_MS, () => socket.connect())
  }

  #onRefusedEntry({ message, data }: HandshakeError): void {
    const { clock, socket } = this.#env
    if (data?.final) this.#feedAll({ type: 'denied', message })
    else this.#feedAll({ type: 'disconnected', at: clock.now(), error: message })
    if (!socket.active) clock.after(RETRY_REFUSED_MS, () => socket.connected || socket.connect())
  }

  /** Asks the server to stop sending topics of a hidden page. */
  #hide(): void {
    this.#unhide = this.watch(SUMMARY_TOPIC)
    this.#park(this.#asleep())
  }

  /** Followed while the page is hidden. */
  #isAwake(topic: string): boolean {
    return topic === SUMMARY_TOPIC || this.#topics.get(topic)!.listeners.size > 0
  }

  #asleep(): string[] {
    return [...this.#topics.keys()].filter((topic) => !this.#isAwake(topic))
  }

  #park(topics: readonly string[]): void {
    this.#feedAll({ type: 'parked' }, topics)
    if (!this.#env.socket.connected) return
    for (const topic of topics) this.#env.socket.emit('unsubscribe', { topic })
  }

  #start(topic: string): Held {
    const state = initialCollection<Entity>()
    const held: Held = { state, drawn: state, watchers: 0, isPreloading: false, listeners: new Set() }
    this.#topics.set(topic, held)
    if (this.#env.socket.connected) this.#feed(topic, { type: 'connected' })
    if (this.#unhide && !this.#isAwake(topic)) this.#park([topic])
    if (this.#freshness !== undefined) this.#feed(topic, { type: 'freshness', message: this.#freshness })
    return held
  }

  #give(topic: string): void {
    this.#topics.delete(topic)
    if (this.#env.socket.connected) this.#env.socket.emit('unsubscribe', { topic })
  }

  #feed(topic: string, event: CollectionEvent): void {
    this.#feedAll(event, [topic])
  }

  #feedAll(event: CollectionEvent, topics: Iterable<string> = this.#topics.keys()): void {
    for (const topic of topics) this.#take(topic, event)
    this.#drawChanged()
  }

  #take(topic: string, event: CollectionEvent): void {
    const held = this.#topics.get(topic)
    if (held === undefined) return
    held.state = reduceCollection(held.state, event)
    this.#pay(topic, held)
    for (const listener of held.listeners) listener(held.state)
  }

  #pay(topic: string, held: Held): void {
    const { socket } = this.#env
    if (held.isPreloading) return
    const isSeen = !this.#unhide || this.#isAwake(topic)
    const owed = socket.connected && isSeen ? unreportedBy(topic, held.state) : undefined
    if (owed?.event === 'digest') socket.emit('digest', owed.message)
    else if (owed) socket.emit('subscribe', owed.message)
    held.state = reduceCollection(held.state, { type: 'paid' })
  }

  /** Draws what changed, as soon as its pace allows. The first that is known of a topic does not wait. */
  #drawChanged(): void {
    const changed = [...this.#topics].filter(([, held]) => held.state !== held.drawn)
    if (changed.some(([, held]) => this.#isHeldBack(held))) this.#notePause(true)
    const drawable = changed.filter(([, held]) => !this.#isHeldBack(held))
    if (drawable.some(([, { drawn, state }]) => !isLoaded(drawn) && isLoaded(state))) return this.#draw(this.#pagePace)
    for (const pace of new Set(drawable.map(([topic]) => this.#paceOf(topic)))) this.#schedule(pace)
  }

  #schedule(pace: Pace): void {
    if (pace.cancelCommit !== undefined) return
    const wait = pace.lastCommit + pace.intervalMs - this.#env.clock.elapsed()
    if (wait <= 0) this.#draw(pace)
    else pace.cancelCommit = this.#env.clock.after(wait, () => this.#draw(pace))
  }

  /** Draws what changed of the topics of a pace; with that of the page, all. */
  #draw(pace: Pace): void {
    pace.cancelCommit?.()
    pace.cancelCommit = undefined
    const states = new Map<string, AnyCollection>()
    for (const [topic, held] of this.#topics) {
      if (held.state === held.drawn || this.#isHeldBack(held)) continue
      if (pace !== this.#pagePace && this.#paceOf(topic) !== pace) continue
      held.drawn = held.state
      states.set(topic, held.drawn)
    }
    if (states.size === 0) return
    const began = this.#env.clock.elapsed()
    pace.lastCommit = began
    this.#env.commit(states)
    this.#env.afterPaint?.(() => {
      pace.drawingMs = this.#env.clock.elapsed() - began
      if ([...this.#topics.values()].every(({ drawn }) => isShown(drawn))) this.#env.onShown?.()
    })
  }

  #paceOf(topic: string): Pace {
    return this.#ownPaces.get(topic) ?? this.#pagePace
  }

  #isHeldBack({ drawn }: Held): boolean {
    return this.#pause.paused && isLoaded(drawn)
  }

  #notePause(paused: boolean): void {
    const held = paused
      ? [...this.#topics.values()].reduce((sum, each) => sum + countHeld(each.drawn, each.state), 0)
      : 0
    if (this.#pause.paused === paused && this.#pause.held === held) return
    this.#pause = { paused, held }
    for (const listener of this.#listeners) listener()
  }
}

const isShown = (state: AnyCollection): boolean => isLoaded(state) || state.phase === 'refused'

const eventOf = ({ type, ...message }: FrameMessage): CollectionEvent => ({ type, message }) as CollectionEvent

/** Browsers hand binary data over as buffers. */
const asData = (frame: FrameData | ArrayBuffer): FrameData =>
  frame instanceof ArrayBuffer ? new Uint8Array(frame) : frame

/** Counts entities that were added, removed or changed between two states of a collection. */
export function countHeld(drawn: AnyCollection, state: AnyCollection): number {
  if (drawn.entities === state.entities) return 0
  let count = 0
  for (const [id, entity] of state.entities) if (drawn.entities.get(id) !== entity) count += 1
  for (const id of drawn.entities.keys()) if (!state.entities.has(id)) count += 1
  return count
}

function once(action: () => void): Stop {
  let done = false
  return () => {
    if (done) return
    done = true
    action()
  }
}
