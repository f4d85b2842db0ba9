/** One connected browser: its subscriptions, the rate of writes to it, and the handling of slow readers. */
import type { Text } from '@/lib/messages'
import { type Message, message } from '@/lib/messages/message'
import { deepEqual } from '@/lib/std/equal'
import type { Freshness } from '../cache/stale-reason'
import { z } from 'zod'
import type { Clock, Stop } from '@/lib/std/clock'
import { MAX_BUCKETS } from '@/lib/view/digest'
import type { FreshnessMessage, HelloMessage, SessionEndMessage } from '@/lib/view/live'
import type { UnreadKind } from '@/lib/view/unread'
import type { Access, Scope } from '../access/access'
import type { Unread } from '../read-model/unread-kinds'
import type { LiveMetrics } from '../metrics-hooks'
import type { Frame } from './frames'
import type { Found, Hub } from './hub'
import { DEFAULT_LIMITS, type SessionLimits, TokenBucket } from './limits'
import type { FlushSchedule, FlushState } from './flush-schedule'
import { type LiveSocket, sendFrames } from './frame-packet'
import { Subscription } from './subscription'

export interface SessionOptions {
  socket: LiveSocket
  hub: Hub
  /** In the language of the page at connection time. */
  text: Text
  access: Access
  clock: Clock
  /** False until the caches of the server are complete. */
  isReady: () => boolean
  metrics: LiveMetrics
  schedule: FlushSchedule
  onError: (error: unknown) => void
  /** Called when the socket is closed for reading too slowly or for invalid messages. */
  onClosed: (why: 'stalled' | 'flood' | 'garbage') => void
  /** Called when the number of its topics changed by that number. */
  onTopics: (change: number) => void
  limits?: Partial<SessionLimits> | undefined
}

/**
 * A socket.io client accepts ten attachments per message. Only a client that subscribes to many topics at once gets two
 * messages.
 */
const MAX_FRAMES = 10

const topicName = z.string().min(1).max(1024)
const position = z.object({ epoch: z.string().max(100), revision: z.number().int().min(0) })
const subscribeMessage = z.object({ topic: topicName, since: position.optional() })
const unsubscribeMessage = z.object({ topic: topicName })
const digestMessage = z.object({
  topic: topicName,
  since: position,
  of: z.number().int().min(1).max(MAX_BUCKETS),
  hashes: z.instanceof(Uint8Array),
})

/** Why a connection ends, before translation. */
export type SessionEnd = Omit<SessionEndMessage, 'message'> & { message: Message | string }

type Refused = Extract<Found, { refusal: unknown }>

/** A topic that a client subscribed to: open, or waiting for permissions. */
interface TopicState {
  subscription?: Subscription
  stopWaiting?: Stop | undefined
  since?: z.infer<typeof position> | undefined
  /** True once the client was told of kinds that are not read. */
  knowsUnread?: boolean
}

export class Session {
  readonly #options: SessionOptions
  readonly #limits: SessionLimits
  readonly #topics = new Map<string, TopicState>()
  readonly #due = new Set<Subscription>()
  readonly #bucket: TokenBucket
  readonly #stopScope: Stop
  readonly #stopUnread: Stop
  #scope: Scope | undefined
  /** The rights for which its phase was assigned. */
  #group: string | undefined
  readonly #flush: FlushState = { last: -Infinity, phaseMs: 0 }
  #isTaking = false
  #nextFlush: { at: number; stop: Stop } | undefined
  #patience: Stop | undefined
  #garbage = 0
  #isClosed = false

  constructor(options: SessionOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    const { socket, access, clock } = options
    this.#bucket = new TokenBucket(clock, this.#limits.burst, this.#limits.perSecond)
    this.#stopScope = access.onScope((scope) => this.#onScope(scope))
    this.#stopUnread = options.hub.onUnreadChange(() => this.#findAgain(false))
    if (access.scope) this.#enter(access.scope)
    socket.on('subscribe', (message: unknown) => this.#admit(() => this.#subscribe(message)))
    socket.on('unsubscribe', (message: unknown) => this.#admit(() => this.#unsubscribe(message)))
    socket.on('digest', (message: unknown) => this.#admit(() => this.#digest(message)))
    socket.conn.on('drain', () => this.#onDrain())
    socket.on('disconnect', () => this.close())
    if (!this.#scope) this.#review()
  }

  /** Tells which pages this server has. */
  sendHello(message: HelloMessage): void {
    this.#options.metrics.sent('hello', JSON.stringify(message).length)
    this.#options.socket.emit('hello', message)
  }

  sendFreshness({ error, ...freshness }: Freshness): void {
    const message: FreshnessMessage = {
      ...freshness,
      ...(error !== undefined && { error: this.#options.text.of(error) }),
    }
    this.#options.metrics.sent('freshness', JSON.stringify(message).length)
    this.#options.socket.emit('freshness', message)
  }

  /** Sends the reason and closes. Clients that may reconnect do so by themselves. */
  sendAway(goodbye: SessionEnd): void {
    const { socket, metrics, text } = this.#options
    const message: SessionEndMessage = { ...goodbye, message: text.of(goodbye.message) }
    metrics.sent('goodbye', JSON.stringify(message).length)
    socket.emit('goodbye', message)
    socket.disconnect(true)
  }

  /** Sends every subscription its pending changes, as far as the socket accepts them. */
  catchUp(): void {
    for (const { subscription } of this.#topics.values()) {
      subscription?.notify()
      subscription?.attend()
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopScope()
    this.#stopUnread()
    this.#patience?.()
    this.#nextFlush?.stop()
    if (this.#group !== undefined) this.#options.schedule.phases.leave(this.#group)
    for (const topic of this.#topics.keys()) this.#forget(topic)
    this.#options.access.close()
  }

  #review(): void {
    this.#options.access
      .whenReviewed()
      .then((scope) => this.#onScope(scope))
      .catch((error: unknown) => {
        // The review is repeated by itself; meanwhile the page shows the cause.
        const cause = error instanceof Error ? error.message : String(error)
        if (!this.#isClosed) this.sendFreshness({ state: 'stale', error: message('api.live.rightsUnknown', { cause }) })
      })
  }

  /** Counts the messages of a client; too many, or too many invalid ones, close the connection. */
  #admit(act: () => boolean): void {
    if (this.#isClosed) return
    if (!this.#bucket.take()) return this.#expel('flood', message('api.live.flood'))
    if (act()) return
    this.#garbage += 1
    if (this.#garbage >= this.#limits.garbage) this.#expel('garbage', message('api.live.garbage'))
  }

  #expel(why: 'flood' | 'garbage', detail: Message): void {
    this.#options.onClosed(why)
    this.sendAway({ reason: why, message: detail, final: true })
  }

  #subscribe(received: unknown): boolean {
    const parsed = subscribeMessage.safeParse(received)
    if (!parsed.success) {
      this.#refuse(nameIn(received), message('api.live.shape'), 'shape')
      return false
    }
    const { topic, since } = parsed.data
    this.#forget(topic)
    if (this.#topics.size >= this.#limits.topics) {
      this.#refuse(topic, message('api.live.tooManyTopics', { n: this.#limits.topics }), 'topics')
      return true
    }
    const wanted: TopicState = { since }
    this.#topics.set(topic, wanted)
    this.#options.onTopics(1)
    if (this.#scope) this.#open(topic, wanted, this.#scope)
    return true
  }

  #open(name: string, wanted: TopicState, scope: Scope): void {
    const found = this.#options.hub.find(name, scope)
    if ('refusal' in found) return found.isForNow ? undefined : this.#refuseFound(name, wanted, found, 'topic')
    this.#notifyUnread(name, wanted, found.unread)
    const subscription = new Subscription(
      found.topic,
      {
        isDue: () => this.#schedule(subscription),
        readyAt: () => (this.#patience ? Infinity : this.#flushTimeOf(subscription)),
        compare: (of) => this.#compare(name, wanted, of),
        onError: this.#options.onError,
      },
      this.#options.isReady,
    )
    wanted.subscription = subscription
    const { since } = wanted
    wanted.since = undefined
    subscription.start(since)
  }

  #unsubscribe(message: unknown): boolean {
    const parsed = unsubscribeMessage.safeParse(message)
    if (parsed.success) this.#forget(parsed.data.topic)
    return parsed.success
  }

  #forget(topic: string): void {
    const wanted = this.#topics.get(topic)
    if (!wanted) return
    this.#topics.delete(topic)
    this.#options.onTopics(-1)
    wanted.stopWaiting?.()
    if (!wanted.subscription) return
    wanted.subscription.stop()
    this.#due.delete(wanted.subscription)
  }

  #compare(topic: string, wanted: TopicState, of: number): void {
    const { socket, clock } = this.#options
    socket.emit('compare', { topic, of })
    // A client that does not answer gets a snapshot.
    wanted.stopWaiting = clock.after(this.#limits.digestWithinMs, () =>
      wanted.subscription?.answer({ epoch: '', revision: 0 }, 0, undefined),
    )
  }

  #digest(message: unknown): boolean {
    const parsed = digestMessage.safeParse(message)
    if (!parsed.success) {
      const wanted = this.#topics.get(nameIn(message))
      wanted?.subscription?.answer({ epoch: '', revision: 0 }, 0, undefined)
      return false
    }
    const { topic, since, of, hashes } = parsed.data
    const wanted = this.#topics.get(topic)
    wanted?.stopWaiting?.()
    wanted?.subscription?.answer(since, of, hashes)
    return true
  }

  /** Applies changed rights: every topic switches to what is visible now, is refused, or opens again. */
  #onScope(scope: Scope): void {
    if (this.#isClosed) return
    const isFirst = this.#scope === undefined
    const isSame = this.#scope?.key === scope.key && deepEqual(this.#scope.problem, scope.problem)
    this.#enter(scope)
    if (!isSame) this.#findAgain(isFirst)
  }

  #findAgain(isFirst: boolean): void {
    const scope = this.#scope
    if (this.#isClosed || !scope) return
    for (const [name, wanted] of this.#topics) {
      const found = this.#options.hub.find(name, scope)
      if ('topic' in found && wanted.subscription) {
        this.#notifyUnread(name, wanted, found.unread)
        wanted.subscription.switchTo(found.topic)
      } else if ('topic' in found || isFirst) this.#open(name, wanted, scope)
      else if (wanted.subscription || !found.isForNow) this.#refuseTopic(name, wanted, found)
    }
  }

  #enter(scope: Scope): void {
    this.#scope = scope
    if (this.#group !== undefined) return
    this.#group = scope.key
    this.#flush.phaseMs = this.#options.schedule.phases.join(scope.key)
  }

  /** The topic stays subscribed: it opens again when the permissions return. */
  #refuseTopic(name: string, wanted: TopicState, found: Refused): void {
    if (wanted.subscription) this.#due.delete(wanted.subscription)
    wanted.subscription?.stop()
    wanted.stopWaiting?.()
    delete wanted.subscription
    this.#refuseFound(name, wanted, found, 'rights')
  }

  #refuseFound(topic: string, wanted: TopicState, { refusal, unread }: Refused, reason: string): void {
    wanted.knowsUnread = unread !== undefined
    this.#refuse(topic, refusal, reason, unread)
  }

  #refuse(topic: string, detail: Message | string, reason: string, unread?: readonly Unread[]): void {
    const { socket, metrics, text } = this.#options
    const refusal = { topic, message: text.of(detail), ...(unread && { unread: this.#inWords(unread) }) }
    metrics.refused(reason)
    metrics.sent('refused', JSON.stringify(refusal).length)
    socket.emit('refused', refusal)
  }

  /** Before the first frame, so that no list looks empty of what was never read. */
  #notifyUnread(topic: string, wanted: TopicState, unread: readonly Unread[]): void {
    if (unread.length === 0 && !wanted.knowsUnread) return
    wanted.knowsUnread = unread.length > 0
    const { socket, metrics } = this.#options
    const told = { topic, unread: this.#inWords(unread) }
    metrics.sent('unread', JSON.stringify(told).length)
    socket.emit('unread', told)
  }

  #inWords(unread: readonly Unread[]): UnreadKind[] {
    return unread.map(({ sentence, ...each }) => ({ ...each, sentence: this.#options.text.of(sentence) }))
  }

  /**
   * Schedules the next message at the shortest interval of the topics with changes, as the schedule of all sockets
   * allows. One message carries the changes of all topics.
   */
  #schedule(subscription: Subscription): void {
    const isKnown = this.#nextFlush !== undefined && this.#due.has(subscription) && !subscription.isBuilt
    this.#due.add(subscription)
    if (this.#isTaking || isKnown) return
    // Frames that took time to build are late already.
    const at = subscription.isBuilt ? this.#options.clock.elapsed() : this.#flushTimeOf(subscription)
    if (this.#nextFlush && this.#nextFlush.at <= at) return
    this.#nextFlush?.stop()
    this.#nextFlush = { at, stop: this.#options.schedule.at(at, () => this.#send(at)) }
  }

  #flushTimeOf({ flushIntervalMs }: Subscription): number {
    return this.#options.schedule.next(this.#flush, flushIntervalMs)
  }

  #send(due: number): void {
    this.#nextFlush = undefined
    if (!this.#canSend()) return this.#options.metrics.heldBack()
    const now = this.#options.schedule.timeOf(due)
    const taken = this.#take(now, due)
    if (taken.length > 0) this.#flush.last = now
    for (const { type, textBytes } of taken) this.#options.metrics.sent(type, textBytes)
    for (let at = 0; at < taken.length; at += MAX_FRAMES) {
      sendFrames(this.#options.socket, taken.slice(at, at + MAX_FRAMES))
    }
    for (const subscription of this.#due) this.#schedule(subscription)
  }

  /** Takes the frames of all topics whose interval allows it, with the changes until they were due. */
  #take(now: number, due: number): Frame[] {
    this.#isTaking = true
    const taken: Frame[] = []
    for (const { subscription } of this.#topics.values()) {
      if (!subscription) continue
      const { lastFlush, flushIntervalMs } = subscription
      if (!this.#options.schedule.allows(now, lastFlush, flushIntervalMs)) continue
      subscription.refresh(due)
      this.#due.delete(subscription)
      const frames = subscription.take()
      if (frames.length > 0) subscription.lastFlush = now
      taken.push(...frames)
      // A topic may have changed while frames were built.
      if (subscription.isDue) this.#due.add(subscription)
    }
    this.#isTaking = false
    return taken
  }

  #canSend(): boolean {
    const { conn } = this.#options.socket
    const waiting = (conn as unknown as { writeBuffer: readonly unknown[] }).writeBuffer.length
    if (waiting < this.#limits.waitingMessages) return true
    this.#patience ??= this.#options.clock.after(this.#limits.stalledAfterMs, () => this.#giveUp())
    return false
  }

  #onDrain(): void {
    if (!this.#patience) return
    this.#patience()
    this.#patience = undefined
    this.catchUp()
  }

  /** Closes the transport, not the socket: the client then reconnects by itself and resumes. */
  #giveUp(): void {
    this.#options.metrics.stalled()
    this.#options.onClosed('stalled')
    this.#options.socket.conn.close(true)
  }
}

function nameIn(message: unknown): string {
  const topic = typeof message === 'object' && message !== null && 'topic' in message ? message.topic : undefined
  return typeof topic === 'string' ? topic.slice(0, 100) : ''
}
