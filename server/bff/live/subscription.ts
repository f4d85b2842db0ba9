/** What one socket has of one topic. Sends a snapshot or what is missing, and never more than the socket can take. */
import type { DeltaMessage, Position, SnapshotMessage, SyncedMessage } from '@/lib/view/live'
import type { Reader, Topic } from './topic'

/** Where the messages of a subscription go. */
export interface Outlet {
  /** False while earlier messages are still waiting to be sent. */
  canTake(): boolean
  snapshot(message: SnapshotMessage): void
  delta(message: DeltaMessage): void
  synced(message: SyncedMessage): void
}

/**
 * Holds back while the outlet is congested; then one delta carries everything since the last message, so that a slow
 * reader costs no memory. `isReady` false means that the server has not yet seen the whole control plane: nothing is
 * sent, for an incomplete list must not look like a complete one.
 */
export class Subscription implements Reader {
  #position: Position | undefined
  #answered = false

  constructor(
    private readonly topic: Topic,
    private readonly outlet: Outlet,
    private readonly isReady: () => boolean,
  ) {}

  /** Joins the topic. `since` is where the reader stands, if it has been here before. */
  start(since: Position | undefined): void {
    this.topic.join(this)
    this.#position = since && this.topic.remembers(since) ? since : undefined
    this.notify()
  }

  stop(): void {
    this.topic.leave(this)
  }

  /** True when the reader lacks something. */
  get isBehind(): boolean {
    return !this.#answered || this.#position?.revision !== this.topic.log.position.revision
  }

  /** Sends what the reader lacks, if it can take it. */
  notify(): void {
    if (!this.isReady() || !this.isBehind || !this.outlet.canTake()) return
    this.#send()
    if (this.#answered) return
    this.#answered = true
    this.outlet.synced({ topic: this.topic.name, ...this.topic.log.position })
  }

  /** Notes the new position before it sends, for an outlet may call back as soon as it has taken a message. */
  #send(): void {
    const { log, name } = this.topic
    const position = log.position
    const known = this.#position && log.remembers(this.#position) ? this.#position : undefined
    this.#position = position
    if (!known) return this.outlet.snapshot({ topic: name, ...position, entities: log.entities() })
    const delta = log.since(known.revision)
    if (delta) this.outlet.delta({ topic: name, epoch: position.epoch, ...delta })
  }
}
