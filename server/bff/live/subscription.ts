/** The state of one topic at one socket: decides which frames bring it up to date, and never repeats one. */
import { bucketsFor, isDigest, missingFrom } from '@/lib/view/digest'
import type { DeltaMessage, Position } from '@/lib/view/live'
import { type Frame, frameOf } from './frames'
import type { Reader, Topic } from './topic'

/** The receiver of a subscription's notifications. */
export interface SubscriptionListener {
  /** `take` returns something now, or may. */
  isDue(): void
  /** Returns the earliest time for that, in elapsed time; Infinity while unknown. */
  readyAt(): number
  /** Requests a digest with that many buckets from the client. */
  compare(of: number): void
  /** Called when a frame could not be built. */
  onError(error: unknown): void
}

/** Collections up to this size are sent completely rather than compared. */
const SMALL = 64

/**
 * A subscription of one client. A slow reader costs no memory: its next delta covers everything since the last one.
 * While `isReady` is false, the caches are incomplete and nothing is sent, because an incomplete list must not look
 * complete.
 */
export class Subscription implements Reader {
  /** The last flush, in elapsed time. */
  lastFlush = -Infinity
  /** The position of the client after it has read everything that was taken. */
  #position: Position | undefined
  #isAnswered = false
  /** The position of the client, unknown to this server. */
  #foreign: Position | undefined
  #isComparing = false
  /** Frames that are being built; nothing else is taken meanwhile. */
  #pending: Promise<void> | undefined
  #made: Frame[] = []
  /** Counts the topics of this subscription: frames of an earlier topic are not sent. */
  #generation = 0

  constructor(
    private topic: Topic,
    private readonly outlet: SubscriptionListener,
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

  /** Applies the changes until an elapsed time, right before a flush that was due then. */
  refresh(until: number): void {
    this.topic.refresh(until)
  }

  /** Notes that the subscription may be flushed earlier than announced. */
  attend(): void {
    this.topic.attend()
  }

  /** Joins the topic. `since` is the position of a client that was connected before. */
  start(since: Position | undefined): void {
    this.topic.join(this)
    const { log } = this.topic
    this.#position = since && log.remembers(since) ? since : undefined
    this.#foreign = this.#position ? undefined : since
    this.notify()
  }

  /** Switches to the topic that the client may see from now on. */
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

  /** Handles the digest of the client. An invalid digest causes a snapshot. */
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

  /** Reports whether frames are ready whose building took time. */
  get isBuilt(): boolean {
    return this.#made.length > 0
  }

  /** Reports whether `take` would return something. */
  get isDue(): boolean {
    if (this.isBuilt) return true
    if (this.#foreign || this.#isComparing || this.#pending || !this.#canAnswer()) return false
    return !this.#isAnswered || this.#position?.revision !== this.topic.log.position.revision
  }

  /** Returns the pending frames and counts them as sent. */
  take(): Frame[] {
    if (this.#made.length > 0) return this.#made.splice(0)
    if (!this.isDue) return []
    const frames = this.#next()
    if (frames.every((frame): frame is Frame => !(frame instanceof Promise))) return frames
    this.#await(frames)
    return []
  }

  /** Updates the position before anything is sent. */
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

  /** Returns the position of the client if everything taken is sent and the topic still remembers that position. */
  #sentPosition(): Position | undefined {
    const isSent = this.#position && !this.#pending && this.#made.length === 0
    return isSent && this.topic.log.remembers(this.#position!) ? this.#position : undefined
  }

  /** A small collection is sent completely. */
  #compare(): void {
    this.#foreign = undefined
    const { size } = this.topic.log
    if (size <= SMALL) return
    this.#isComparing = true
    this.outlet.compare(bucketsFor(size))
  }

  /** Continues from a position of which only the digest is known: on another instance, or before a restart. */
  #bridge(since: Position, hashes: Uint8Array): void {
    const { log } = this.topic
    const { of, buckets, changed } = missingFrom(log.entities(), hashes, log.digest(hashes.length / 8))
    this.#cross(since, { changed, removed: [], replaces: { of, buckets } })
  }

  /** Builds one delta from a foreign position to the current one. */
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
        // Frames that count as sent were not: the next change causes a snapshot.
        this.#restart()
      })
  }
}
