/** Graceful shutdown: in order, with a time limit, and at once on a second signal. */
import type { Logger } from './runtime/controller'

export type Stop = () => Promise<void>

/** Longer than the grace period of running requests (10 s), shorter than that of a pod (30 s). */
const MAX_MS = 20_000
/** Ctrl-C reaches every process of the terminal, and those that started this one pass it on: one wish, several signals. */
const SAME_WISH_MS = 500

/** The used part of `process`. */
export interface Signals {
  on(signal: 'SIGINT' | 'SIGTERM', handler: () => void): unknown
  exit(code: number): unknown
}

export interface ShutdownOptions {
  log: Logger
  process: Signals
  /** Default: 20 s. */
  longestMs?: number
  /** Returns milliseconds that never go back. */
  now?: () => number
}

/**
 * At SIGTERM or SIGINT calls `stops` one after the other, the first of the list first, and exits with 0. A failure is
 * logged, the rest continues, and the code is 1. A signal half a second after the first or later, or the timeout, exits with 1
 * at once.
 */
export function stopOnSignals(
  stops: readonly Stop[],
  { log, process, longestMs = MAX_MS, now = () => performance.now() }: ShutdownOptions,
): void {
  let askedAt: number | undefined
  const onSignal = (): void => {
    if (askedAt !== undefined) {
      if (now() - askedAt >= SAME_WISH_MS) process.exit(1)
      return
    }
    askedAt = now()
    setTimeout(() => {
      log.error({ longestMs }, 'shutdown timed out')
      process.exit(1)
    }, longestMs).unref()
    void endAll(stops, log).then((whole) => process.exit(whole ? 0 : 1))
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

async function endAll(stops: readonly Stop[], log: Logger): Promise<boolean> {
  log.info({}, 'shutting down')
  let whole = true
  for (const stop of stops) {
    try {
      await stop()
    } catch (error) {
      whole = false
      log.error({ err: error }, 'failed to shut down a component cleanly')
    }
  }
  return whole
}
