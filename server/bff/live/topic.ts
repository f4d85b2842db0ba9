/** One topic: recomputes the entities that were touched, at a calm pace, and only while somebody reads. */
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import type { Position } from '@/lib/view/live'
import type { Entity } from '@/lib/view/live-client'
import { TopicLog } from './topic-log'

/** Somebody who wants to know that there is a new revision. */
export interface Reader {
  notify(): void
}

export interface TopicOptions {
  name: string
  epoch: string
  clock: Clock
  /** The present state of an entity; undefined when it does not exist. */
  project: (id: string) => Entity | undefined
  /** Told when projecting an entity throws; the entity then keeps its last state. */
  onError: (error: unknown, id: string) => void
  /** Least time between two revisions. Default 250 ms, which makes at most four a second. */
  paceMs?: number
}

export class Topic {
  readonly name: string
  readonly log: TopicLog
  readonly #options: TopicOptions
  readonly #readers = new Set<Reader>()
  readonly #touched = new Set<string>()
  #nextFlush: Stop | undefined
  #lastFlush: EpochMs = -Infinity

  constructor(options: TopicOptions) {
    this.name = options.name
    this.#options = options
    this.log = new TopicLog(options)
  }

  get isRead(): boolean {
    return this.#readers.size > 0
  }

  /** The entity may have changed. Costs next to nothing while nobody reads. */
  touch(id: string): void {
    this.#touched.add(id)
    if (this.isRead) this.#schedule()
  }

  /** Adds a reader and brings the topic up to date for it. */
  join(reader: Reader): void {
    this.flush()
    this.#readers.add(reader)
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader)
    if (!this.isRead) this.#cancel()
  }

  /** Recomputes what was touched now, without waiting for the pace. */
  flush(): void {
    this.#cancel()
    if (this.#touched.size === 0) return
    this.#lastFlush = this.#options.clock.now()
    const present = new Map<string, Entity | undefined>()
    for (const id of this.#touched) this.#project(id, present)
    this.#touched.clear()
    if (!this.log.apply(present)) return
    for (const reader of this.#readers) reader.notify()
  }

  close(): void {
    this.#cancel()
    this.#readers.clear()
  }

  remembers(position: Position): boolean {
    return this.log.remembers(position)
  }

  #project(id: string, present: Map<string, Entity | undefined>): void {
    try {
      present.set(id, this.#options.project(id))
    } catch (error) {
      // One object that cannot be shown must not keep all others from being shown.
      this.#options.onError(error, id)
    }
  }

  /** The first change is told at once, together with all that arrive in the same turn; the next ones wait. */
  #schedule(): void {
    if (this.#nextFlush) return
    const { clock, paceMs = 250 } = this.#options
    const wait = Math.max(0, this.#lastFlush + paceMs - clock.now())
    this.#nextFlush = clock.after(wait, () => this.flush())
  }

  #cancel(): void {
    this.#nextFlush?.()
    this.#nextFlush = undefined
  }
}
