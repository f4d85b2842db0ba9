/** Works off keys one after the other; a key that comes again while it waits is worked off once. */
import { isConflict, isNotFound } from '@/lib/kube/errors'
import type { Log } from '../api'
import { RevisionMismatch } from '../store/errors'

export interface KeyLoop {
  add(key: string): void
  /** Nothing is begun after this. Resolves when the work under way is done. */
  close(): Promise<void>
}

/** A key whose work met a change by somebody else is worked off again; any other failure is logged. */
export function createKeyLoop(name: string, log: Log, work: (key: string) => Promise<void>): KeyLoop {
  const waiting = new Set<string>()
  let running: Promise<void> | undefined
  let closed = false
  const attempt = async (key: string): Promise<void> => {
    try {
      await work(key)
    } catch (error) {
      if (isNotFound(error)) return
      if (isConflict(error) || error instanceof RevisionMismatch) waiting.add(key)
      else log('error', { loop: name, key, error: String(error) }, 'a background task of the API server failed')
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
  return {
    add: (key) => {
      waiting.add(key)
      start()
    },
    close: async () => {
      closed = true
      await running
    },
  }
}
