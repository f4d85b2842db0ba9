/** Waits for a control plane that cannot be used, and explains why it cannot. */
import { english } from '@/lib/messages/english'
import type { Clock } from '@/lib/std/clock'
import { connectionFault } from '@/server/bff/cache/connection-faults'
import type { Disconnection } from '@/server/console/waiting'
import type { Logger } from '@/server/runtime/controller'

export const ASK_AGAIN_MS = 2_000

export interface Reachability {
  /** Repeats `ask` until it succeeds. An error is logged once, and again when it changes. */
  until<T>(ask: () => Promise<T>): Promise<T>
  /** Returns the current error; undefined before the first failure. */
  disconnection(): Disconnection | undefined
}

export interface ReachabilityOptions {
  /** URL of the API server; undefined while the kubeconfig cannot be read. */
  server: () => string | undefined
  log: Logger
  clock: Clock
  /** Default: two seconds. */
  everyMs?: number
}

export function reachability({ server, log, clock, everyMs = ASK_AGAIN_MS }: ReachabilityOptions): Reachability {
  let current: Disconnection | undefined
  const note = (error: unknown): void => {
    const { cause, advice } = connectionFault(error)
    const isNew = cause !== current?.cause
    if (isNew) current = { cause, advice, since: clock.now() }
    const what = { server: server(), cause, advice: english.of(advice) }
    log[isNew ? 'warn' : 'debug'](what, 'cannot connect to the control plane; retrying every 2 s')
  }
  async function until<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        note(error)
        await new Promise<void>((resolve) => {
          setTimeout(resolve, everyMs)
        })
      }
    }
  }
  return { until, disconnection: () => current }
}
