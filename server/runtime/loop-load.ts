/** Measures the load of this thread's event loop, for work that can be postponed. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** Long enough that a single slow step does not count as load. */
const WINDOW_MS = 250

/** Utilization of an event loop, which tests replace. */
export interface LoopAccount {
  /** Monotonic, in milliseconds. */
  now: () => number
  /** Milliseconds that the loop was active, and idle, in all. */
  read: () => Pick<EventLoopUtilization, 'active' | 'idle'>
}

const ownLoop: LoopAccount = { now: () => performance.now(), read: () => performance.eventLoopUtilization() }

/**
 * Returns a function for the share of the time, 0 to 1, in which the loop was active since the previous measurement.
 * Calls within 250 ms of it return the same share.
 */
export function createLoopLoad(loop: LoopAccount = ownLoop): () => number {
  let [at, before, share] = [loop.now(), loop.read(), 0]
  return () => {
    const now = loop.now()
    if (now - at < WINDOW_MS) return share
    const { active, idle } = loop.read()
    const [worked, rested] = [active - before.active, idle - before.idle]
    share = worked / (worked + rested || 1)
    at = now
    before = { active, idle }
    return share
  }
}
