/**
 * One socket for the whole page: subscribes topics while somebody looks at them, drives the collection state machine of
 * lib/view/live-client, and hands out what is to be drawn, calmly: the first change at once, then at most two a second.
 */
import type { Clock, Stop } from '@/lib/std/clock'
import {
  type CollectionEvent, type CollectionState, type Entity, initialCollection, isLoaded, reduceCollection, subscriptionOf,
} from '@/lib/view/live-client'
import type { ClientToServer, FreshnessMessage, ServerToClient } from '@/lib/view/live'

export type AnyCollection = CollectionState<Entity>

/** The part of a socket.io client that is used here. */
export interface LiveSocket {
  readonly connected: boolean
  on<E extends keyof ServerToClient>(event: E, listener: ServerToClient[E]): unknown
  on(event: 'connect', listener: () => void): unknown
  on(event: 'disconnect', listener: (reason: string) => void): unknown
  on(event: 'connect_error', listener: (error: Error) => void): unknown
  emit<E extends keyof ClientToServer>(event: E, ...args: Parameters<ClientToServer[E]>): unknown
}

/** The outside world of the connection. */
export interface LiveEnvironment {
  socket: LiveSocket
  clock: Clock
  /** Takes what is to be drawn of a topic. */
  commit: (topic: string, state: AnyCollection) => void
}

export interface PauseState {
  paused: boolean
  /** Entities that changed behind what is drawn. */
  held: number
}

/** The least time between two commits of one topic. */
export const COMMIT_MS = 500
/** Who follows a failover wants to see it happen; its rows hold their places meanwhile. */
const COMMIT_MS_OF: Readonly<Record<string, number>> = { failover: 50 }
/** A topic that nobody watches stays this long, so that Back finds it as it was. */
export const LINGER_MS = 15_000

/** A watched topic: what the server said, and what of it is drawn. */
interface Held {
  state: AnyCollection
  drawn: AnyCollection
  watchers: number
  lastCommit: number
  cancelCommit?: Stop
  cancelLinger?: Stop
}

export class LiveConnection {
  readonly #env: LiveEnvironment
  readonly #topics = new Map<string, Held>()
  readonly #listeners = new Set<() => void>()
  #pause: PauseState = { paused: false, held: 0 }
  #freshness: FreshnessMessage | undefined

  constructor(env: LiveEnvironment) {
    this.#env = env
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
      if (held.watchers === 0) held.cancelLinger = this.#env.clock.after(LINGER_MS, () => this.#give(topic, held))
    })
  }

  /** While paused nothing is drawn except first loads; resuming draws everything at once. */
  setPaused(paused: boolean): void {
    this.#notePause(paused)
    if (!paused) for (const [topic, held] of this.#topics) this.#draw(topic, held)
  }

  readonly pauseState = (): PauseState => this.#pause

  readonly onPauseChange = (listener: () => void): Stop => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #listen(socket: LiveSocket): void {
    const lost = (error: string) => this.#feedAll({ type: 'disconnected', at: this.#env.clock.now(), error })
    socket.on('connect', () => this.#feedAll({ type: 'connected' }))
    socket.on('disconnect', lost)
    socket.on('connect_error', (error) => lost(error.message))
    socket.on('snapshot', (message) => this.#feed(message.topic, { type: 'snapshot', message }))
    socket.on('delta', (message) => this.#feed(message.topic, { type: 'delta', message }))
    socket.on('synced', (message) => this.#feed(message.topic, { type: 'synced', message }))
    socket.on('refused', ({ topic, message }) => this.#feed(topic, { type: 'refused', message }))
    socket.on('freshness', (message) => {
      this.#freshness = message
      this.#feedAll({ type: 'freshness', message })
    })
  }

  #start(topic: string): Held {
    const state = initialCollection<Entity>()
    const held: Held = { state, drawn: state, watchers: 0, lastCommit: -Infinity }
    this.#topics.set(topic, held)
    if (this.#env.socket.connected) this.#feed(topic, { type: 'connected' })
    if (this.#freshness !== undefined) this.#feed(topic, { type: 'freshness', message: this.#freshness })
    return held
  }

  #give(topic: string, held: Held): void {
    held.cancelCommit?.()
    this.#topics.delete(topic)
    if (this.#env.socket.connected) this.#env.socket.emit('unsubscribe', { topic })
  }

  #feedAll(event: CollectionEvent): void {
    for (const topic of this.#topics.keys()) this.#feed(topic, event)
  }

  #feed(topic: string, event: CollectionEvent): void {
    const held = this.#topics.get(topic)
    if (held === undefined) return
    held.state = reduceCollection(held.state, event)
    if (held.state.phase === 'unsubscribed') {
      this.#env.socket.emit('subscribe', subscriptionOf(topic, held.state))
      held.state = reduceCollection(held.state, { type: 'subscribed' })
    }
    if (held.state !== held.drawn) this.#schedule(topic, held)
  }

  #schedule(topic: string, held: Held): void {
    if (this.#pause.paused && isLoaded(held.drawn)) return this.#notePause(true)
    if (held.cancelCommit !== undefined) return
    const wait = held.lastCommit + (COMMIT_MS_OF[topic] ?? COMMIT_MS) - this.#env.clock.now()
    if (wait <= 0) this.#draw(topic, held)
    else held.cancelCommit = this.#env.clock.after(wait, () => this.#draw(topic, held))
  }

  #draw(topic: string, held: Held): void {
    held.cancelCommit?.()
    held.cancelCommit = undefined
    if (held.state === held.drawn || (this.#pause.paused && isLoaded(held.drawn))) return
    held.drawn = held.state
    held.lastCommit = this.#env.clock.now()
    this.#env.commit(topic, held.drawn)
  }

  #notePause(paused: boolean): void {
    const held = paused ? [...this.#topics.values()].reduce((sum, each) => sum + countHeld(each.drawn, each.state), 0) : 0
    if (this.#pause.paused === paused && this.#pause.held === held) return
    this.#pause = { paused, held }
    for (const listener of this.#listeners) listener()
  }
}

/** Entities that came, went or changed between two states of a collection. */
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
