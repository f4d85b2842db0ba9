/** The notices of one receiver: one request at a time, so that they arrive in order. */
import { type Clock, isoTime, type Stop } from '@/lib/std/clock'
import { isEnd, type Notice, type Tracked } from '@/lib/view/notices/notices'
import type { NoticeOutcome } from '@/lib/view/schemas/notices'
import type { Waiting } from './memory'
import type { NoticeMetrics } from './metrics-hooks'
import { alertsOf, idempotencyId, type Sender, testAlert, testPayload, webhookPayload } from './payload'
import { Poster } from './post'
import { afterAttempt, type Attempt } from './retry'
import type { ReceiverSettings } from './settings'

export interface ReceiverOptions {
  settings: ReceiverSettings
  sender: Sender
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  metrics: NoticeMetrics
  /** Keeps what changed; resolves when it is kept. */
  keep: () => Promise<void>
}

export class Receiver {
  readonly #options: ReceiverOptions
  readonly #poster: Poster
  #waiting: Waiting[] = []
  #last: NoticeOutcome | undefined
  #run: { abort: AbortController; ended: Promise<void> } | undefined
  #wake: (() => void) | undefined

  constructor(options: ReceiverOptions) {
    this.#options = options
    this.#poster = new Poster(options.settings, options.clock)
  }

  get settings(): ReceiverSettings {
    return this.#options.settings
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting
  }

  get last(): NoticeOutcome | undefined {
    return this.#last
  }

  /** Begins to send, with what a former leader left. */
  start(waiting: readonly Waiting[], last: NoticeOutcome | undefined): void {
    this.#waiting = [...waiting]
    this.#last = last
    this.#countWaiting()
    const abort = new AbortController()
    this.#run = { abort, ended: this.#deliver(abort.signal) }
  }

  /** Takes a notice if this receiver wants it. A full queue loses its oldest one. */
  push(notice: Notice): void {
    const { settings, metrics } = this.#options
    if (!wants(settings, notice)) return
    this.#waiting.push({ notice, attempts: 0 })
    if (this.#waiting.length > settings.queueLimit) {
      // The first one may be under way.
      this.#waiting.splice(1, 1)
      metrics.noticeDone(settings.name, 'dropped')
    }
    this.#countWaiting()
    this.#wake?.()
  }

  /** Sends one test notice, outside the queue. */
  async test(key: string): Promise<NoticeOutcome> {
    const { settings, sender, clock } = this.#options
    const at = isoTime(clock.now())
    const body = settings.type === 'webhook' ? testPayload(key, at, sender) : [testAlert(at, sender, settings.labels)]
    const attempt = await this.#post(body, key, new AbortController().signal)
    this.#note(attempt, attempt.ok ? 'sent' : 'failed', 1)
    return this.#last!
  }

  /** Tells an Alertmanager that these still run: otherwise it resolves them by itself. */
  async refresh(tracked: Tracked): Promise<void> {
    const { settings, sender, clock } = this.#options
    const signal = this.#run?.abort.signal
    if (settings.type !== 'alertmanager' || signal === undefined || this.#waiting.length > 0) return
    const now = clock.now()
    const alerts = Object.values(tracked)
      .filter((incident) => isMeant(settings, incident))
      .flatMap((incident) => alertsOf(incident, sender, { now, labels: settings.labels }))
    if (alerts.length === 0) return
    const attempt = await this.#post(alerts, `refresh-${now}`, signal)
    if (!attempt.ok) this.#note(attempt, 'retrying', 1)
  }

  /** Pending notices stay for the next leader. */
  async stop(): Promise<void> {
    const run = this.#run
    this.#run = undefined
    run?.abort.abort()
    this.#wake?.()
    await run?.ended
    await this.#poster.close()
  }

  async #deliver(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const [first] = this.#waiting
      if (first) await this.#deliverOne(first, stopped)
      else await this.#sleep()
    }
  }

  async #deliverOne(first: Waiting, stopped: AbortSignal): Promise<void> {
    const { settings, clock, random, metrics, keep } = this.#options
    // Kept before it is sent: a crash after that repeats it with the same id, and none is told that was never due.
    if (first.firstAt === undefined) await keep()
    first.firstAt ??= clock.now()
    const attempt = await this.#post(
      this.#bodyOf(first.notice),
      idempotencyId(this.#options.sender, first.notice.id),
      stopped,
    )
    // Whether it arrived is not known: the next leader sends it again, with the same id.
    if (stopped.aborted && !attempt.ok) return
    first.attempts += 1
    const next = afterAttempt({
      attempt,
      attempts: first.attempts,
      firstAt: first.firstAt,
      now: clock.now(),
      giveUpAfterMs: settings.giveUpAfter,
      random,
    })
    this.#note(attempt, next.step === 'done' ? 'sent' : next.step === 'retry' ? 'retrying' : 'failed', first.attempts)
    if (next.step !== 'retry') {
      this.#waiting.shift()
      metrics.noticeDone(settings.name, next.step === 'done' ? 'sent' : 'failed')
      this.#countWaiting()
    }
    await keep()
    if (next.step === 'retry') await this.#pause(next.afterMs, stopped)
  }

  #bodyOf(notice: Notice): unknown {
    const { settings, sender, clock } = this.#options
    if (settings.type === 'webhook') return webhookPayload(notice, sender)
    const isOver = isEnd(notice.event)
    const times = { now: clock.now(), labels: settings.labels, ...(isOver && { endedAt: notice.at }) }
    return alertsOf(notice.incident, sender, times)
  }

  async #post(body: unknown, key: string, stopped: AbortSignal): Promise<Attempt> {
    const attempt = await this.#poster.post({ body: JSON.stringify(body), key }, stopped)
    if (!stopped.aborted) this.#options.metrics.noticeAttempted(this.settings.name, attempt.ok ? 'ok' : 'error')
    return attempt
  }

  #note(attempt: Attempt, result: NoticeOutcome['result'], attempts: number): void {
    this.#last = {
      at: isoTime(this.#options.clock.now()),
      result,
      attempts,
      ...(attempt.status !== undefined && { status: attempt.status }),
      ...(!attempt.ok && { error: attempt.error }),
    }
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  async #pause(ms: number, stopped: AbortSignal): Promise<void> {
    if (stopped.aborted) return
    let cancel: Stop = () => undefined
    await new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(ms, resolve)
      stopped.addEventListener('abort', () => resolve(), { once: true })
    })
    cancel()
  }

  #countWaiting(): void {
    this.#options.metrics.noticesWaiting(this.settings.name, this.#waiting.length)
  }
}

const isMeant = ({ kinds, requested }: ReceiverSettings, incident: Notice['incident']): boolean =>
  kinds.includes(incident.kind) && (requested || !incident.requested)

const wants = (settings: ReceiverSettings, { event, incident }: Notice): boolean =>
  isMeant(settings, incident) && (settings.type === 'alertmanager' || settings.events.includes(event))
