/** Writes core/v1 Events without delaying the controller that reports them. */
import { hash } from 'node:crypto'
import { isNotFound, isUnreachable, KubeError } from '@/lib/kube/errors'
import { event as eventKind } from '@/lib/kube/kinds/event'
import type { ObjectReference } from '@/lib/kube/object'
import { type Clock, type EpochMs, formatTime } from '@/lib/std/clock'
import { RecentMap } from '@/lib/std/recent-map'
import type { KubeClient } from './client'

/** An event on an object. */
export interface RecordedEvent {
  /** `source.component`, for instance `default-scheduler`. */
  component: string
  type: 'Normal' | 'Warning'
  reason: string
  message: string
  regarding: ObjectReference
  /** Annotations of the latest occurrence replace earlier ones. */
  annotations?: Record<string, string>
}

/**
 * Records `v1.Event`s. Repeating an event increases its count, which is written less often when it is repeated often.
 * Never throws; failures are passed to `onError`.
 */
export interface EventRecorder {
  record(event: RecordedEvent): void
  /** Resolves when all recorded events are written or dropped. */
  flush(): Promise<void>
}

export interface EventRecorderOptions {
  client: KubeClient
  clock: Clock
  /** Uniform in [0, 1), for unique names. */
  random: () => number
  /** Called for dropped events. */
  onError: (error: unknown) => void
  /** Writes per second on average, asked before each, and burst. Defaults 50 and 500. */
  perSecond?: () => number
  burst?: number
  /** Maximum number of events queued for writing; further new ones are dropped. Default 10,000. */
  queueLimit?: number
}

/**
 * One Event in the API; repetitions only increase `count`. Tens of thousands are remembered, so an entry is one object of
 * small integers: times in whole seconds, as Events show them.
 */
class Entry {
  /** The latest occurrence until it is written. */
  event: RecordedEvent | undefined = undefined
  count = 0
  lastSeconds: number
  /** In milliseconds, of `REPEAT_EVERY_MS` for each repetition that may be written, at `creditSeconds`. */
  creditMs = REPEATS * REPEAT_EVERY_MS
  creditSeconds: number
  isWritten = false
  isWriting = false
  tries = 0

  /** `suffix`: what its name ends with. */
  constructor(
    readonly suffix: string,
    readonly firstSeconds: number,
  ) {
    this.lastSeconds = this.creditSeconds = firstSeconds
  }

  /** Reports whether a repetition may be written now, and counts it. */
  takeCredit(): boolean {
    const earnedMs = (this.lastSeconds - this.creditSeconds) * 1000
    this.creditMs = Math.min(REPEATS * REPEAT_EVERY_MS, this.creditMs + earnedMs)
    this.creditSeconds = this.lastSeconds
    if (this.creditMs < REPEAT_EVERY_MS) return false
    this.creditMs -= REPEAT_EVERY_MS
    return true
  }
}

const WRITERS = 8
const MAX_TRIES = 5
/**
 * How many events at least are remembered for counting; the least recently used are dropped first. One that is forgotten and
 * comes again is another Event, which the API server keeps for an hour: with fewer than a busy fleet has, each change
 * would leave some behind.
 */
const REMEMBERED = 50_000
/**
 * Repetitions of one event that are written at once; beyond, one every five minutes, with the count of all. The numbers of
 * client-go, which drops the others.
 */
const REPEATS = 25
const REPEAT_EVERY_MS = 300_000
const DROPS_TOLD_EVERY_MS = 60_000

/** Returns a recorder that writes in the background at a bounded rate: warnings first, otherwise in order of recording. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  return new BackgroundRecorder(options)
}

class BackgroundRecorder implements EventRecorder {
  readonly #seen = new RecentMap<string, Entry>(REMEMBERED)
  readonly #pending = { Warning: new Set<Entry>(), Normal: new Set<Entry>() }
  #writers = 0
  #dropped = 0
  #tokens: number
  #tokensAt: EpochMs
  #idle: (() => void)[] = []

  constructor(private readonly options: EventRecorderOptions) {
    this.#tokens = options.burst ?? 500
    this.#tokensAt = options.clock.now()
  }

  record(event: RecordedEvent): void {
    const entry = this.#entryOf(event)
    const pending = this.#pending[event.type]
    const isKnown = entry.isWriting || pending.has(entry)
    if (!isKnown && entry.isWritten && !entry.takeCredit()) return
    if (!isKnown && this.#waiting >= (this.options.queueLimit ?? 10_000)) return this.#drop()
    entry.event = event
    if (isKnown) return
    pending.add(entry)
    this.#pump()
  }

  async flush(): Promise<void> {
    if (this.#waiting === 0 && this.#writers === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  get #waiting(): number {
    return this.#pending.Warning.size + this.#pending.Normal.size
  }

  #entryOf(event: RecordedEvent): Entry {
    const key = identityOf(event)
    const seconds = Math.floor(this.options.clock.now() / 1000)
    const entry = this.#seen.get(key) ?? new Entry(this.#newSuffix(), seconds)
    entry.count += 1
    entry.lastSeconds = seconds
    this.#seen.set(key, entry)
    return entry
  }

  #newSuffix(): string {
    const digits = (): string =>
      Math.floor(this.options.random() * 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0')
    // Adding texts makes one that refers to both.
    return [digits(), digits()].join('')
  }

  #pump(): void {
    while (this.#writers < WRITERS && this.#waiting > this.#writers) {
      this.#writers += 1
      void this.#drain()
    }
  }

  async #drain(): Promise<void> {
    while (this.#waiting > 0) {
      await this.#limit()
      const entry = this.#take()
      if (entry) await this.#write(entry, entry.event!)
    }
    this.#writers -= 1
    if (this.#writers > 0 || this.#waiting > 0) return
    this.#reportDropped()
    const idle = this.#idle
    this.#idle = []
    for (const resolve of idle) resolve()
  }

  /** Reported together, after the flood or once a minute: a log line per dropped event would be another flood. */
  #drop(): void {
    this.#dropped += 1
    if (this.#dropped === 1) this.options.clock.after(DROPS_TOLD_EVERY_MS, () => this.#reportDropped())
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return
    this.options.onError(new Error(`too many events were waiting; dropped: ${this.#dropped}`))
    this.#dropped = 0
  }

  #take(): Entry | undefined {
    const pending = this.#pending.Warning.size > 0 ? this.#pending.Warning : this.#pending.Normal
    const [entry] = pending
    if (!entry) return undefined
    pending.delete(entry)
    entry.isWriting = true
    return entry
  }

  /** Waits until the rate limit permits this write. */
  async #limit(): Promise<void> {
    const { clock, burst = 500 } = this.options
    const perSecond = this.options.perSecond?.() ?? 50
    const now = clock.now()
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#tokensAt) / 1000) * perSecond) - 1
    this.#tokensAt = now
    if (this.#tokens < 0) await this.#sleep((-this.#tokens / perSecond) * 1000)
  }

  async #write(entry: Entry, event: RecordedEvent): Promise<void> {
    const count = entry.count
    try {
      await this.#put(entry, event, count)
      entry.isWritten = true
      entry.tries = 0
    } catch (error) {
      if (!(await this.#mayTryAgain(entry, error))) return this.#giveUp(entry, error)
      entry.isWriting = false
      this.#pending[event.type].add(entry)
      return
    }
    entry.isWriting = false
    // The event was recorded again during the write.
    if (entry.count > count) this.#pending[event.type].add(entry)
    else entry.event = undefined
  }

  async #put(entry: Entry, event: RecordedEvent, count: number): Promise<void> {
    const { client } = this.options
    const { component, type, reason, message, regarding, annotations } = event
    const namespace = regarding.namespace || 'default'
    const name = `${regarding.name.slice(0, 230)}.${entry.suffix}`
    const lastTimestamp = formatTime(entry.lastSeconds * 1000)
    if (entry.isWritten) {
      try {
        const value = { count, lastTimestamp, ...(annotations && { metadata: { annotations } }) }
        await client.patch(eventKind, { namespace, name }, { type: 'merge', value })
        return
      } catch (error) {
        if (!isNotFound(error)) throw error
        // The Event has expired on the server: create it again.
      }
    }
    await client.create(eventKind, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace, ...(annotations && { annotations }) },
      involvedObject: regarding,
      type,
      reason,
      message,
      source: { component },
      count,
      firstTimestamp: formatTime(entry.firstSeconds * 1000),
      lastTimestamp,
      reportingComponent: component,
      reportingInstance: '',
    })
  }

  async #mayTryAgain(entry: Entry, error: unknown): Promise<boolean> {
    entry.tries += 1
    const passing = isUnreachable(error) || (error instanceof KubeError && (error.code >= 500 || error.code === 429))
    if (!passing || entry.tries >= MAX_TRIES) return false
    await this.#sleep(1000 * 2 ** entry.tries)
    return true
  }

  #giveUp(entry: Entry, error: unknown): void {
    entry.isWriting = false
    entry.event = undefined
    entry.tries = 0
    this.options.onError(error)
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.options.clock.after(ms, resolve)
    })
  }
}

/**
 * Returns the identity of an event, as a digest: tens of thousands are remembered. The resourceVersion of its object is
 * not part of it.
 */
function identityOf({ component, type, reason, message, regarding }: RecordedEvent): string {
  const { apiVersion, kind, namespace, name, uid } = regarding
  return hash(
    'sha1',
    JSON.stringify([component, type, reason, message, apiVersion, kind, namespace, name, uid]),
    'base64',
  )
}
