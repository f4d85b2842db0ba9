/** Tells the configured receivers about incidents, while this process leads. */
import type { Clock, Stop } from '@/lib/std/clock'
import type { RunningIncident } from '@/lib/view/notices/incidents'
import { noticesBetween, NOTICE_EVENTS, type Tracked } from '@/lib/view/notices/notices'
import type { NoticeOutcome, NoticeReceiverView } from '@/lib/view/schemas/notices'
import type { Logger } from '@/server/runtime/controller'
import type { NotifierMemory, NotifierState } from './memory'
import type { NoticeMetrics } from './metrics-hooks'
import type { Sender } from './payload'
import { Receiver } from './receiver'
import type { NotifySettings, ReceiverSettings } from './settings'

/** Calls with what runs, now and then after each change, until stopped. */
export type IncidentFeed = (look: (running: readonly RunningIncident[]) => void) => Stop

export interface NotifierOptions {
  settings: NotifySettings
  sender: Sender
  memory: NotifierMemory
  clock: Clock
  random: () => number
  log: Logger
  metrics: NoticeMetrics
  /** True while this process may tell. */
  leads: () => boolean
}

/** How often an Alertmanager is told that its alerts still run; a fifth of what an alert lasts. */
const REFRESH_MS = 60_000

export class Notifier {
  readonly #options: NotifierOptions
  readonly #receivers: readonly Receiver[]
  #tracked: Tracked = {}
  #stops: Stop[] = []
  #isRunning = false
  #saving: Promise<void> | undefined
  #isDirty = false
  #saveFailed = false

  constructor(options: NotifierOptions) {
    this.#options = options
    const { settings, sender, clock, random, metrics } = options
    const keep = () => this.#keep()
    this.#receivers = settings.receivers.map(
      (each) => new Receiver({ settings: each, sender, clock, random, metrics, keep }),
    )
  }

  /** Call when this process becomes the leader. Without stored state, all running incidents are reported. */
  async start(feed: IncidentFeed): Promise<void> {
    this.#isRunning = true
    const kept = await this.#load()
    if (!this.#isRunning) return
    this.#tracked = withoutSightings(kept?.tracked ?? {})
    for (const receiver of this.#receivers) {
      const { name } = receiver.settings
      receiver.start(kept?.waiting[name] ?? [], kept?.last[name])
    }
    this.#stops = [feed((running) => this.#look(running)), this.#refreshLater()]
  }

  /** To be called when another process may lead. Resolves when nothing is sent any more. */
  async stop(): Promise<void> {
    this.#isRunning = false
    for (const stop of this.#stops) stop()
    this.#stops = []
    await Promise.all(this.#receivers.map((receiver) => receiver.stop()))
    await this.#saving
  }

  /** The receivers with the last result of each: while another process leads, as that one kept it. */
  async list(): Promise<NoticeReceiverView[]> {
    const kept = this.#isRunning ? undefined : await this.#options.memory.load().catch(() => undefined)
    return this.#receivers.map((receiver) => {
      const { name } = receiver.settings
      const last = latest(receiver.last, kept?.last[name])
      const waiting = (this.#isRunning ? receiver.waiting : (kept?.waiting[name] ?? [])).length
      return viewOf(receiver.settings, { waiting, last })
    })
  }

  /** Sends a test; undefined when there is no such receiver. `key`: the same for a repeated request. */
  async test(name: string, key: string): Promise<NoticeOutcome | undefined> {
    const receiver = this.#receivers.find(({ settings }) => settings.name === name)
    const outcome = await receiver?.test(key)
    if (outcome && this.#isRunning) await this.#keep()
    return outcome
  }

  #look(running: readonly RunningIncident[]): void {
    const { clock, leads, metrics } = this.#options
    if (!this.#isRunning || !leads()) return
    metrics.incidentsRunning(countKinds(running))
    const { after, notices } = noticesBetween(this.#tracked, running, clock.now())
    this.#tracked = after
    for (const notice of notices) for (const receiver of this.#receivers) receiver.push(notice)
    if (notices.length > 0) void this.#keep()
  }

  #refreshLater(): Stop {
    let cancel: Stop = () => undefined
    if (!this.#receivers.some(({ settings }) => settings.type === 'alertmanager')) return cancel
    const again = (): void => {
      cancel = this.#options.clock.after(REFRESH_MS, () => {
        if (this.#options.leads()) for (const receiver of this.#receivers) void receiver.refresh(this.#tracked)
        again()
      })
    }
    again()
    return () => cancel()
  }

  async #load(): Promise<NotifierState | undefined> {
    try {
      return await this.#options.memory.load()
    } catch (error) {
      this.#options.log.error(
        { err: error },
        'failed to read which notices were sent; notices of running incidents are sent again',
      )
      return undefined
    }
  }

  /** One write at a time; what changes meanwhile is written by the next one, which all callers wait for. */
  #keep(): Promise<void> {
    this.#isDirty = true
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined
    })
    return this.#saving
  }

  async #saveAll(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false
      // A process that no longer leads must not overwrite what the next leader keeps.
      if (!this.#options.leads()) return
      await this.#saveOnce()
    }
  }

  async #saveOnce(): Promise<void> {
    const { memory, log } = this.#options
    try {
      await memory.save(this.#state())
      this.#saveFailed = false
    } catch (error) {
      // Logged once: notices continue, and some may be repeated after a restart.
      if (!this.#saveFailed) log.error({ err: error }, 'failed to persist which notices were sent')
      this.#saveFailed = true
    }
  }

  #state(): NotifierState {
    const entries = this.#receivers.map((receiver) => [receiver.settings.name, receiver] as const)
    return {
      version: 1,
      tracked: this.#tracked,
      waiting: Object.fromEntries(entries.map(([name, { waiting }]) => [name, [...waiting]])),
      last: Object.fromEntries(entries.flatMap(([name, { last }]) => (last ? [[name, last]] : []))),
    }
  }
}

/** What another process tracked: it may have seen an outage begin at another time. */
const withoutSightings = (tracked: Tracked): Tracked =>
  Object.fromEntries(Object.entries(tracked).map(([key, { seenSince: _seen, ...rest }]) => [key, rest]))

function countKinds(running: readonly RunningIncident[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { kind } of running) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

const latest = (one: NoticeOutcome | undefined, other: NoticeOutcome | undefined): NoticeOutcome | undefined =>
  one && (!other || one.at >= other.at) ? one : other

function viewOf(
  settings: ReceiverSettings,
  { waiting, last }: { waiting: number; last: NoticeOutcome | undefined },
): NoticeReceiverView {
  const { name, type, url, kinds } = settings
  return {
    name,
    type,
    host: new URL(url).host,
    kinds: [...kinds],
    events: type === 'webhook' ? [...settings.events] : [...NOTICE_EVENTS],
    waiting,
    ...(last && { last }),
  }
}
