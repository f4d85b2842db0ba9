/** One topic as users with the same rights see it: changed entities are computed when a reader can take them. */
import type { Clock, Stop } from '@/lib/std/clock'
import type { Position } from '@/lib/view/live'
import type { Entity } from '@/lib/view/live-client'
import { turnLimit } from '@/server/runtime/turns'
import { type Frame, frameOf, snapshotFrame } from './frames'
import { FLUSH_INTERVAL_MS } from './flush-schedule'
import { TopicLog } from './topic-log'

/** A reader that is notified of new revisions. */
export interface Reader {
  notify(): void
  /** Returns when it can take something, in elapsed time; earlier notifications are useless. */
  readyAt(): number
}

export interface TopicOptions {
  name: string
  epoch: string
  clock: Clock
  /** Returns the current state of an entity; undefined when it does not exist or is not visible to these readers. */
  project: (id: string) => Entity | undefined
  /** Computes what several entities are built from, until `isLong`; returns whether nothing is left. */
  prepare?: (isLong: () => boolean) => boolean
  /** False while the rights of its readers are incomplete: the topic is never reported as synced then. */
  isComplete?: boolean
  /** Called when it has begun to compute what changed, at a time of its own. */
  onLook?: () => void
  /** Called when projecting an entity throws, which then keeps its last state, and with the topic when preparing does. */
  onError: (error: unknown, id: string) => void
  /** Minimum time between two messages to one reader. Default: `FLUSH_INTERVAL_MS`. */
  flushIntervalMs?: (() => number | undefined) | number | undefined
}

/** Readers whose flushes are this close to each other share a revision. */
const MIN_LOOK_MS = 10
/** Entities that are projected in one step at most; then other work runs. */
const IN_ONE_GO = 500
/** A snapshot is reused while the changes since are fewer than this share of it, and while it is this young. */
const SNAPSHOT_SERVES = 0.1
const SNAPSHOT_KEPT_MS = 30_000
/** Where no delta follows at once, a snapshot that misses changes is reused for this long. */
const LATEST_KEPT_MS = 1_000

/** A snapshot and its position. */
export interface SnapshotFrame {
  position: Position
  /** In elapsed time. */
  madeAt: number
  frame: Frame | Promise<Frame>
}

export class Topic {
  readonly name: string
  readonly log: TopicLog
  readonly #options: TopicOptions
  readonly #readers = new Set<Reader>()
  readonly #touched = new Set<string>()
  /** Entities of the present computation that are not projected yet. */
  readonly #left = new Set<string>()
  /** Deltas to the current revision, by their start. */
  readonly #deltas = new Map<number, Frame | Promise<Frame>>()
  #synced: Frame | Promise<Frame> | undefined
  #snapshot: SnapshotFrame | undefined
  #nextLook: { at: number; stop: Stop } | undefined
  #nextPart: Stop | undefined
  #isWhole = false
  /** The revision that readers were last notified of. */
  #told = 0
  #forgetSnapshot: Stop | undefined
  #lastLook = -Infinity

  constructor(options: TopicOptions) {
    this.name = options.name
    this.#options = options
    this.log = new TopicLog(options)
  }

  get flushIntervalMs(): number {
    const { flushIntervalMs } = this.#options
    return (typeof flushIntervalMs === 'function' ? flushIntervalMs() : flushIntervalMs) ?? FLUSH_INTERVAL_MS
  }

  /** Reports whether a reader of this revision has everything. */
  get isComplete(): boolean {
    return this.#options.isComplete !== false
  }

  get isRead(): boolean {
    return this.#readers.size > 0
  }

  /** False until every entity was projected once; nothing is sent until then. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Notes that the entity may have changed. Cheap without readers. */
  touch(id: string): void {
    if (this.#left.has(id)) return
    this.#touched.add(id)
    if (this.isRead && !this.#nextLook) this.#schedule()
  }

  /** Adds a reader and updates the topic for it. */
  join(reader: Reader): void {
    if (!this.isRead) this.flush()
    this.#readers.add(reader)
    if (this.#touched.size > 0) this.#lookAt(reader.readyAt())
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader)
    if (!this.isRead) this.#cancel()
  }

  /** Recomputes the changed entities now, for all readers. */
  flush(): void {
    this.#cancel()
    for (const id of this.#touched) this.#left.add(id)
    this.#touched.clear()
    this.#recompute()
  }

  /**
   * Updates the topic for a reader that is about to be flushed. `until`: the elapsed time that it was due. Later
   * changes can wait, so that all readers that were due by then get the same revision and share their frames.
   */
  refresh(until?: number): void {
    if (this.#nextPart || this.#touched.size === 0) return
    const now = this.#options.clock.elapsed()
    if (this.#lastLook < (until ?? now) && now >= this.#lastLook + MIN_LOOK_MS) this.flush()
  }

  /** Updates the topic at the moment at which another one of the same readers is: a later change waits in both. */
  lookAlong(): void {
    if (this.#nextPart) return
    if (this.#touched.size > 0) this.refresh()
    else this.#lastLook = this.#options.clock.elapsed()
  }

  /** Notes that a reader can take something earlier than announced. */
  attend(): void {
    if (this.#touched.size > 0) this.#schedule()
  }

  close(): void {
    this.#cancel()
    this.#forgetSnapshot?.()
    this.#readers.clear()
  }

  /** Returns the delta from a remembered revision to the current one; undefined when nothing changed. */
  deltaFrom(from: number): Frame | Promise<Frame> | undefined {
    const known = this.#deltas.get(from)
    if (known) return known
    const delta = this.log.since(from)
    if (!delta) return undefined
    return this.#keep(from, frameOf({ type: 'delta', topic: this.name, epoch: this.log.position.epoch, ...delta }))
  }

  /** Returns the message that a reader has everything up to the current revision. */
  synced(): Frame | Promise<Frame> {
    this.#synced ??= frameOf({ type: 'synced', topic: this.name, ...this.log.position })
    return this.#synced
  }

  /** Resolves with a snapshot for a reader that does not stay, once every entity was projected. */
  async latest(): Promise<Frame> {
    if (!this.isRead) this.flush()
    if (!this.#isWhole) await this.#whenWhole()
    const { position, madeAt } = this.snapshot()
    const isOld = this.#options.clock.elapsed() > madeAt + LATEST_KEPT_MS
    if (isOld && position.revision !== this.log.position.revision) this.#snapshot = undefined
    return this.snapshot().frame
  }

  /** Returns a recent snapshot; a delta leads from there to the current revision. */
  snapshot(): SnapshotFrame {
    const known = this.#snapshot
    if (known && this.log.remembers(known.position) && this.#serves(known.position)) return known
    const position = this.log.position
    this.#snapshot = {
      position,
      madeAt: this.#options.clock.elapsed(),
      frame: snapshotFrame({ topic: this.name, ...position, entities: this.log.entities() }),
    }
    this.#forgetSnapshot?.()
    this.#forgetSnapshot = this.#options.clock.after(SNAPSHOT_KEPT_MS, () => {
      this.#snapshot = undefined
    })
    return this.#snapshot
  }

  #serves({ revision }: Position): boolean {
    return this.log.changesSince(revision) <= this.log.size * SNAPSHOT_SERVES
  }

  #whenWhole(): Promise<void> {
    return new Promise((resolve) => {
      const reader: Reader = {
        notify: () => {
          this.leave(reader)
          resolve()
        },
        readyAt: () => this.#options.clock.elapsed(),
      }
      this.join(reader)
    })
  }

  #keep(from: number, frame: Frame | Promise<Frame>): Frame | Promise<Frame> {
    this.#deltas.set(from, frame)
    if (!(frame instanceof Promise)) return frame
    const { revision } = this.log.position
    frame
      .then((made) => revision === this.log.position.revision && this.#deltas.set(from, made))
      .catch(() => this.#deltas.delete(from))
    return frame
  }

  /** Recomputes in parts and notifies the readers at the end. What is touched meanwhile waits for the next time. */
  #recompute(): void {
    this.#nextPart = undefined
    if (this.#left.size > 0) this.#lastLook = this.#options.clock.elapsed()
    const isLong = turnLimit(this.#options.clock)
    const present = new Map<string, Entity | undefined>()
    if (this.#left.size > 0 && this.#prepare(isLong)) {
      for (const id of this.#left) {
        if (present.size === IN_ONE_GO || (present.size > 0 && isLong())) break
        this.#left.delete(id)
        this.#project(id, present)
      }
    }
    if (this.log.apply(present)) {
      this.#deltas.clear()
      this.#synced = undefined
    }
    if (this.#left.size > 0) {
      this.#nextPart = this.#options.clock.after(0, () => this.#recompute())
      return
    }
    this.#notifyReaders()
    if (this.#touched.size > 0) this.#schedule()
  }

  #notifyReaders(): void {
    const { revision } = this.log.position
    if (this.#isWhole && revision === this.#told) return
    this.#isWhole = true
    this.#told = revision
    for (const reader of this.#readers) reader.notify()
  }

  #prepare(isLong: () => boolean): boolean {
    try {
      return this.#options.prepare?.(isLong) ?? true
    } catch (error) {
      this.#options.onError(error, this.name)
      return true
    }
  }

  #project(id: string, present: Map<string, Entity | undefined>): void {
    try {
      present.set(id, this.#options.project(id))
    } catch (error) {
      present.set(id, this.log.get(id))
      // An object that cannot be projected must not prevent the others from being shown.
      this.#options.onError(error, id)
    }
  }

  /** Schedules the next computation for the time when any reader can take it. */
  #schedule(): void {
    if (this.#nextPart) return
    let at = Infinity
    for (const reader of this.#readers) at = Math.min(at, reader.readyAt())
    this.#lookAt(at)
  }

  #lookAt(at: number): void {
    if (this.#nextPart || at === Infinity || (this.#nextLook && this.#nextLook.at <= at)) return
    this.#nextLook?.stop()
    const { clock } = this.#options
    const lookAt = Math.max(at, this.#lastLook + MIN_LOOK_MS)
    this.#nextLook = { at, stop: clock.after(lookAt - clock.elapsed(), () => this.#look()) }
  }

  #look(): void {
    this.flush()
    this.#options.onLook?.()
  }

  #cancel(): void {
    this.#nextLook?.stop()
    this.#nextLook = undefined
    this.#nextPart?.()
    this.#nextPart = undefined
  }
}
