/** Follows all running incidents for the controller that sends notices, regardless of users' rights. */
import type { Clock, Stop } from '@/lib/std/clock'
import { runningIncidents, type RunningIncident } from '@/lib/view/notices/incidents'
import { turnLimit } from '@/server/runtime/turns'
import { EVERYTHING } from '../access/scope'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { Signal } from '../cache/signal'
import type { FailoverRows } from '../views/failover'
import type { PlanRunRows } from '../views/plan-runs'

export interface FeedSources {
  cache: Pick<ControlPlaneCache, 'whenSynced'>
  failovers: Pick<FailoverRows, 'ids' | 'entry' | 'prepare'> & { touched: Signal }
  plans: Pick<PlanRunRows, 'ids' | 'row'> & { touched: Signal }
  clock: Clock
  onError: (error: unknown) => void
}

/** A failover of 1,000 workloads touches as many rows at once. */
const GATHER_MS = 1_000
/** Some incidents become blocked merely by the passage of time. */
const AGAIN_MS = 5_000

/**
 * Calls `look` when all caches are complete and after changes. Nothing is computed before the first call or after the
 * end.
 */
export function followIncidents(sources: FeedSources, look: (running: RunningIncident[]) => void): Stop {
  const { cache, failovers, plans, clock, onError } = sources
  let next: { at: number; cancel: Stop } | undefined
  let stopped = false
  const lookNow = (): void => {
    next = undefined
    if (stopped) return
    try {
      if (!failovers.prepare(turnLimit(clock))) return lookIn(0)
      look(incidentsNow(sources))
    } catch (error) {
      onError(error)
    }
    lookIn(AGAIN_MS)
  }
  const lookIn = (delayMs: number): void => {
    const at = clock.elapsed() + delayMs
    if (stopped || (next !== undefined && next.at <= at)) return
    next?.cancel()
    next = { at, cancel: clock.after(delayMs, lookNow) }
  }
  let stops: Stop[] = []
  void cache.whenSynced().then(() => {
    if (stopped) return
    stops = [failovers, plans].map(({ touched }) => touched.listen(() => lookIn(GATHER_MS)))
    lookIn(GATHER_MS)
  })
  return () => {
    stopped = true
    for (const stop of stops) stop()
    next?.cancel()
  }
}

function incidentsNow({ failovers, plans, clock }: FeedSources): RunningIncident[] {
  return runningIncidents({
    failovers: failovers.ids().flatMap((id) => failovers.entry(id, EVERYTHING)?.failovers ?? []),
    plans: plans.ids().flatMap((id) => plans.row(id, EVERYTHING) ?? []),
    byCluster: true,
    now: clock.now(),
  })
}
