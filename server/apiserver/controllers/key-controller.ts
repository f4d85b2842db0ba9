/** Processes keys one after the other; a waiting key is not added twice. */
import { isConflict, isNotFound } from '@/lib/kube/errors'
import type { Stop } from '@/lib/std/clock'
import type { Api } from '../api'
import { RevisionMismatch } from '../store/errors'

export interface KeyController {
  add(key: string): void
  /** Adds the key after a delay; a key that waits already keeps its time. */
  addAfter(key: string, delayMs: number): void
  /** Stops processing. Resolves when the running work is done. */
  close(): Promise<void>
}

const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 60_000

/**
 * A conflict is retried at once. Any other failure is logged and retried with back-off up to a minute: an unavailable
 * webhook must not block a namespace permanently.
 */
export function createKeyController(
  name: string,
  { log, clock }: Pick<Api, 'log' | 'clock'>,
  work: (key: string) => Promise<void>,
): KeyController {
  const waiting = new Set<string>()
  const timers = new Map<string, Stop>()
  const failures = new Map<string, number>()
  let running: Promise<void> | undefined
  let closed = false
  const addAfter = (key: string, delayMs: number): void => {
    if (closed || timers.has(key)) return
    timers.set(
      key,
      clock.after(delayMs, () => {
        timers.delete(key)
        add(key)
      }),
    )
  }
  const attempt = async (key: string): Promise<void> => {
    try {
      await work(key)
      failures.delete(key)
    } catch (error) {
      if (isNotFound(error)) return
      if (isConflict(error) || error instanceof RevisionMismatch) {
        waiting.add(key)
        return
      }
      const count = failures.get(key) ?? 0
      failures.set(key, count + 1)
      addAfter(key, Math.min(FIRST_RETRY_MS * 2 ** count, LAST_RETRY_MS))
      log('error', { loop: name, key, error: String(error) }, 'a background task of the API server failed')
    }
  }
  const run = async (): Promise<void> => {
    for (const key of waiting) {
      if (closed) return
      waiting.delete(key)
      await attempt(key)
    }
  }
  const start = (): void => {
    running ??= run().finally(() => {
      running = undefined
      if (waiting.size > 0 && !closed) start()
    })
  }
  const add = (key: string): void => {
    waiting.add(key)
    start()
  }
  return {
    add,
    addAfter,
    close: async () => {
      closed = true
      for (const stop of timers.values()) stop()
      await running
    },
  }
}
