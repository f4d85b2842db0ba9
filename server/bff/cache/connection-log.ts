/** Logs when the console loses its control plane, with the cause, which users are not shown, and when it is back. */
import { english } from '@/lib/messages/english'
import type { Clock, Stop } from '@/lib/std/clock'
import type { Logger } from '@/server/runtime/controller'
import { connectionFault } from './connection-faults'
import type { ControlPlaneCache } from './control-plane-cache'

interface Options {
  cache: Pick<ControlPlaneCache, 'onFreshness' | 'stale'>
  clock: Clock
  log: Logger
}

/** A loss is logged once, and again when its cause changes. */
export function logConnection({ cache, clock, log }: Options): Stop {
  let logged: { cause: string; since: number } | undefined
  return cache.onFreshness(() => {
    const stale = cache.stale()
    if (stale) {
      const { problem, cause, advice } = connectionFault(stale.cause ?? stale.error)
      if (cause === logged?.cause) return
      logged = { cause, since: logged?.since ?? stale.since }
      log.warn({ cause, ...(problem && { advice: english.of(advice) }) }, 'lost the control plane; retrying')
    } else if (logged) {
      log.info({ ms: clock.now() - logged.since }, 'following the control plane again')
      logged = undefined
    }
  })
}
