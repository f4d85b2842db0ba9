/** What one socket has of one topic: decides which frames bring it up to date, and never repeats one. */
import { bucketsFor, isDigest, missingFrom } from '@/lib/view/digest'
import type { DeltaMessage, Position } from '@/lib/view/live'
import { type Frame, frameOf } from './frames'
import type { Reader, Topic } from './topic'

/** Whom a subscription tells that it has something to send, or to ask. */
export interface Outlet {
  /** `take` has something now, or may have. */
  isDue(): void
  /** When that can be taken at the earliest, in elapsed time; Infinity while unknown. */
  readyAt(): number
  /** Asks the client for a digest of that many buckets. */
  compare(of: number): void
  /** A frame could not be made. */
  onError(error: unknown): void
}

/** Collections up to this size are sent whole rather than compared. */
const SMALL = 64

/**
 * A reader that does not take what it lacks costs no memory: when it takes again, one delta carries everything since.
 * `isReady` false means that the server has not yet seen the whole control plane: nothing is sent, for an incomplete
 * list must not look like a complete one.
 */
export class Subscription implements Reader {
  /** When something of it was sent last, in elapsed time. */
  lastFlush = -Infinity
  /** Where the client will stand when it has read everything that was taken. */
  #position: Position | undefined
  #isAnswered = false
  /** Where the client stands, of which this server knows nothing. */
  #foreign: Position | undefined
  #isComparing = false
  /** Frames that are still being made; nothing else is taken meanwhile. */
  #pending: Promise<void> | undefined
  #made: Frame[] = []
  /** Counts the topics that were read: what was made for an earlier one is not sent. */
  #generation = 0

  constructor(
    private topic: Topic,
    private readonly outlet: Outlet,
    private readonly isReady: () => boolean,
  ) {}

  get name(): string {
    return this.topic.name
  }

  get flushIntervalMs(): number {
    return this.topic.flushIntervalMs
  }

  readyAt(): number {
    return this.outlet.readyAt()
  }

  /** Takes in what happened until now, right before it is flushed. */
  refresh(): void {
    this.topic.refresh()
  }

  /** It may be flushed earlier than it said. */
  attend(): void {
    this.topic.attend()
  }

  /** Joins the topic. `since` is where the client stands, if it has been here before. */
  start(since: Position | undefined): void {
    this.topic.join(this)
    const { log } = this.topic
    this.#position = since && log.remembers(since) ? since : undefined
    this.#foreign = this.#position ? undefined : since
    this.notify()
  }

  /** Goes over to what the client may see from now on. */
  switchTo(next: Topic): void {
    const before = this.topic
    const position = this.#sentPosition()
    before.leave(this)
    this.topic = next
    this.#restart()
    next.join(this)
    if (position && next.isWhole) this.#cross(position, before.log.toward(next.log, position.revision))
    this.notify()
  }

  /** Takes what the client says it holds. Anything that is none brings a snapshot. */
  answer(since: Position, of: number, hashes: unknown): void {
    if (!this.#isComparing) return
    this.#isComparing = false
    if (isDigest(hashes, of) && this.#canAnswer()) this.#bridge(since, hashes)
    this.notify()
  }

  stop(): void {
    this.#generation += 1
    this.topic.leave(this)
  }

  notify(): void {
    if (this.#foreign && this.#canAnswer()) this.#compare()
    if (this.isDue) this.outlet.isDue()
  }

  /** True when `take` would give something. */
  get isDue(): boolean {
    if (this.#made.length > 0) return true
    if (this.#foreign || this.#isComparing || this.#pending || !this.#canAnswer()) return false
    return !this.#isAnswered || this.#position?.revision !== this.topic.log.position.revision
  }

  /** The frames that the client lacks; they count as sent. */
  take(): Frame[] {
    if (this.#made.length > 0) return this.#made.splice(0)
    if (!this.isDue) return []
    const frames = this.#next()
    if (frames.every((frame): frame is Frame => !(frame instanceof Promise))) return frames
    this.#await(frames)
    return []
  }

  /** Notes the new position before anything is sent. */
  #next(): (Frame | Promise<Frame>)[] {
    const { topic } = this
    const frames: (Frame | Promise<Frame>)[] = []
    if (!this.#position || !topic.log.remembers(this.#position)) {
      const { position, frame } = topic.snapshot()
      this.#position = position
      frames.push(frame)
    }
    const delta = topic.deltaFrom(this.#position.revision)
    if (delta) frames.push(delta)
    this.#position = topic.log.position
    if (!this.#isAnswered && topic.isComplete) frames.push(topic.synced())
    this.#isAnswered = true
    return frames
  }

  #canAnswer(): boolean {
    return this.isReady() && this.topic.isWhole
  }

  /** Where the client stands, when all that counts as sent is on its way, and the topic still knows that place. */
  #sentPosition(): Position | undefined {
    const isSent = this.#position && !this.#pending && this.#made.length === 0
    return isSent && this.topic.log.remembers(this.#position!) ? this.#position : undefined
  }

  /** A small collection is sent as it is. */
  #compare(): void {
    this.#foreign = undefined
    const { size } = this.topic.log
    if (size <= SMALL) return
    this.#isComparing = true
    this.outlet.compare(bucketsFor(size))
  }

  /** From a position of which only the digest is known: on another instance, before a restart. */
  #bridge(since: Position, hashes: Uint8Array): void {
    const { log } = this.topic
    const { of, buckets, changed } = missingFrom(log.entities(), hashes, log.digest(hashes.length / 8))
    this.#cross(since, { changed, removed: [], replaces: { of, buckets } })
  }

  /** One delta from a foreign position to the present. */
  #cross(
    { epoch, revision: from }: Position,
    difference: Pick<DeltaMessage, 'changed' | 'removed' | 'replaces'>,
  ): void {
    const position = this.topic.log.position
    this.#position = position
    this.#isAnswered = true
    const delta = frameOf({ type: 'delta', topic: this.name, ...position, fromEpoch: epoch, from, ...difference })
    const frames = this.topic.isComplete ? [delta, this.topic.synced()] : [delta]
    if (frames.every((frame): frame is Frame => !(frame instanceof Promise))) this.#made.push(...frames)
    else this.#await(frames)
  }

  #restart(): void {
    this.#generation += 1
    this.#position = undefined
    this.#foreign = undefined
    this.#isComparing = false
    this.#pending = undefined
    this.#made = []
    this.#isAnswered = false
  }

  #await(frames: readonly (Frame | Promise<Frame>)[]): void {
    const generation = this.#generation
    this.#pending = Promise.all(frames)
      .then((made) => {
        if (generation !== this.#generation) return
        this.#pending = undefined
        this.#made.push(...made)
        this.outlet.isDue()
      })
      .catch((error: unknown) => {
        this.outlet.onError(error)
        if (generation !== this.#generation) return
        // What counts as sent was not: the next change brings a snapshot.
        this.#restart()
      })
  }
}
