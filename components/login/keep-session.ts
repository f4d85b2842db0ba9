/** Tells the server that the console is in use: soon after an input, and not more often than needed. */
import type { Clock, Stop } from '@/lib/std/clock'

export interface SessionKeeper {
  /** The user did something. */
  active(): void
  stop: Stop
}

export interface KeepOptions {
  clock: Clock
  everyMs: number
  /** Never rejects. */
  renew: () => void
}

/** Renews at the first input and then at most every `everyMs`; not at all while the user is idle. */
export function keepSession({ clock, everyMs, renew }: KeepOptions): SessionKeeper {
  let renewedAt = -Infinity
  let cancel: Stop | undefined
  const act = (): void => {
    cancel = undefined
    renewedAt = clock.elapsed()
    renew()
  }
  return {
    active: () => {
      if (cancel) return
      const wait = renewedAt + everyMs - clock.elapsed()
      if (wait <= 0) act()
      else cancel = clock.after(wait, act)
    },
    stop: () => cancel?.(),
  }
}
