/**
 * Finds out that a server has fallen silent. Whoever only reads open watches cannot tell that from a server where nothing
 * happens; a refused or a broken connection, by contrast, shows by itself.
 */
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import type { KubeClient } from './client'

export interface Pulse {
  /** Since when nothing is answered; undefined while the server answers, whatever it answers. */
  silentSince(): EpochMs | undefined
  onChange(handler: () => void): Stop
  stop(): void
}

export interface PulseOptions {
  client: Pick<KubeClient, 'raw'>
  clock: Clock
  /** Between an answer and the next question. Default 5 s. */
  everyMs?: number
  /** So long an answer may take. Default 10 s. */
  deadlineMs?: number
}

/** Asks until stopped, one question at a time. */
export function startPulse(options: PulseOptions): Pulse {
  const pulse = new AskingPulse(options)
  pulse.start()
  return pulse
}

class AskingPulse implements Pulse {
  readonly #options: PulseOptions
  readonly #handlers = new Set<() => void>()
  readonly #end = new AbortController()
  #wake: () => void = () => undefined
  #silentSince: EpochMs | undefined

  constructor(options: PulseOptions) {
    this.#options = options
  }

  start(): void {
    void this.#run()
  }

  silentSince(): EpochMs | undefined {
    return this.#silentSince
  }

  onChange(handler: () => void): Stop {
    const own = (): void => handler()
    this.#handlers.add(own)
    return () => void this.#handlers.delete(own)
  }

  stop(): void {
    this.#end.abort()
    this.#wake()
    this.#handlers.clear()
  }

  async #run(): Promise<void> {
    const { clock, everyMs = 5_000 } = this.#options
    while (!this.#end.signal.aborted) {
      const askedAt = clock.now()
      const answered = await this.#ask()
      if (this.#end.signal.aborted) return
      this.#become(answered ? undefined : this.#silentSince ?? askedAt)
      if (answered) await this.#pause(everyMs)
    }
  }

  /** True for every answer, and for a server that is plainly not there. */
  async #ask(): Promise<boolean> {
    const { client, clock, deadlineMs = 10_000 } = this.#options
    const late = new AbortController()
    const cancel = clock.after(deadlineMs, () => late.abort())
    try {
      await client.raw('GET', '/version', undefined, AbortSignal.any([late.signal, this.#end.signal]))
    } catch {
      // What it answered does not matter here.
    } finally {
      cancel()
    }
    return !late.signal.aborted
  }

  #become(silentSince: EpochMs | undefined): void {
    if (silentSince === this.#silentSince) return
    this.#silentSince = silentSince
    for (const handler of new Set(this.#handlers)) handler()
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const cancel = this.#options.clock.after(ms, resolve)
    await promise
    cancel()
  }
}
