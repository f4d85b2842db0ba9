/**
 * Detects a server that stops answering. An open watch without events looks the same as an idle server; refused and
 * broken connections are detected by the watches.
 */
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import type { KubeClient } from './client'

export interface ApiServerProbe {
  /** Time since which the server does not answer; undefined while it answers, with any code. */
  silentSince(): EpochMs | undefined
  onChange(handler: () => void): Stop
  stop(): void
}

export interface ApiServerProbeOptions {
  client: Pick<KubeClient, 'raw'>
  clock: Clock
  /** Pause between an answer and the next request. Default 5 s. */
  everyMs?: number
  /** Timeout of a request. Default 10 s. */
  deadlineMs?: number
}

/** Sends requests until stopped, one at a time. */
export function startApiServerProbe(options: ApiServerProbeOptions): ApiServerProbe {
  const apiServerProbe = new PollingProbe(options)
  apiServerProbe.start()
  return apiServerProbe
}

class PollingProbe implements ApiServerProbe {
  readonly #options: ApiServerProbeOptions
  readonly #handlers = new Set<() => void>()
  readonly #end = new AbortController()
  #wake: () => void = () => undefined
  #silentSince: EpochMs | undefined

  constructor(options: ApiServerProbeOptions) {
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
      this.#become(answered ? undefined : (this.#silentSince ?? askedAt))
      if (answered) await this.#pause(everyMs)
    }
  }

  /** Returns true for every answer, and for a refused connection. */
  async #ask(): Promise<boolean> {
    const { client, clock, deadlineMs = 10_000 } = this.#options
    const late = new AbortController()
    const cancel = clock.after(deadlineMs, () => late.abort())
    try {
      await client.raw('GET', '/version', undefined, AbortSignal.any([late.signal, this.#end.signal]))
    } catch {
      // Any error answer shows that the server responds.
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
