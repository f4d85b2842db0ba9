/** The store of an instance that runs alone: its own memory, lost with the process. */
import { message } from '@/lib/messages/message'
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import { Channels } from './channels'
import { lifetime } from './lifetime'
import { type SharedStore, type StoreState, StoreUnavailable } from './store'

export interface MemoryStoreOptions {
  clock: Clock
  /** Called when a message handler failed; the other handlers still get the message. */
  onError: (error: unknown) => void
  /**
   * Limit of keys and values together; further values are refused, because stored values must not be dropped early.
   * Default: 64 million.
   */
  mostCharacters?: number
}

interface Entry {
  value: string
  expiresAt: EpochMs
}

/** Creates a store that is always available and bounded: a value that does not fit is refused with StoreUnavailable. */
export function createMemoryStore(options: MemoryStoreOptions): SharedStore {
  return new MemoryStore(options)
}

const sizeOf = (key: string, { value }: Entry): number => key.length + value.length

class MemoryStore implements SharedStore {
  readonly #clock: Clock
  readonly #most: number
  readonly #channels: Channels
  readonly #entries = new Map<string, Entry>()
  #characters = 0
  /** Expired entries are removed when the store has doubled since the last removal, or is full. */
  #sweepAt = 1024
  #closed = false

  constructor({ clock, onError, mostCharacters = 64_000_000 }: MemoryStoreOptions) {
    this.#clock = clock
    this.#most = mostCharacters
    this.#channels = new Channels(onError)
  }

  async get(key: string): Promise<string | undefined> {
    this.#mustBeOpen()
    return this.#live(key)?.value
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#mustBeOpen()
    this.#put(key, value, ttlMs)
  }

  async add(key: string, value: string, ttlMs: number): Promise<boolean> {
    this.#mustBeOpen()
    if (this.#live(key)) return false
    this.#put(key, value, ttlMs)
    return true
  }

  async delete(key: string): Promise<void> {
    this.#mustBeOpen()
    this.#remove(key)
  }

  async publish(channel: string, message: string): Promise<void> {
    this.#mustBeOpen()
    queueMicrotask(() => this.#channels.deliver(channel, message))
  }

  subscribe(channel: string, handler: (message: string) => void): Stop {
    return this.#channels.listen(channel, handler)
  }

  state(): StoreState {
    return { ok: true }
  }

  /** Memory is always available: listeners are never called. */
  onState(): Stop {
    return () => undefined
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#channels.clear()
    this.#entries.clear()
    this.#characters = 0
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new StoreUnavailable(message('api.store.closed'))
  }

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (!entry || entry.expiresAt > this.#clock.now()) return entry
    this.#remove(key)
    return undefined
  }

  #put(key: string, value: string, ttlMs: number): void {
    const entry = { value, expiresAt: this.#clock.now() + lifetime(ttlMs) }
    this.#remove(key)
    this.#makeRoom(sizeOf(key, entry))
    this.#entries.set(key, entry)
    this.#characters += sizeOf(key, entry)
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#characters -= sizeOf(key, entry)
  }

  #makeRoom(characters: number): void {
    const isFull = (): boolean => this.#characters + characters > this.#most
    if (isFull() || this.#entries.size >= this.#sweepAt) this.#sweep()
    if (isFull()) throw new StoreUnavailable(message('api.store.full'))
  }

  #sweep(): void {
    const now = this.#clock.now()
    for (const [key, { expiresAt }] of this.#entries) if (expiresAt <= now) this.#remove(key)
    this.#sweepAt = Math.max(1024, this.#entries.size * 2)
  }
}
