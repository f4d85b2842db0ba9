/** Limits of one client. */
import type { Clock } from '@/lib/std/clock'

export interface SessionLimits {
  topics: number
  /** Pending messages of a socket before nothing more is sent. */
  waitingMessages: number
  /** A socket whose messages are pending longer than this is closed; it may reconnect and resume. */
  stalledAfterMs: number
  /** Messages that a client may send at once, and per second after that. */
  burst: number
  perSecond: number
  /** Invalid messages until the connection is closed. */
  garbage: number
  /** How long a client may take to send its digest. */
  digestWithinMs: number
}

export const DEFAULT_LIMITS: SessionLimits = {
  topics: 50,
  waitingMessages: 4,
  stalledAfterMs: 15_000,
  burst: 120,
  perSecond: 20,
  garbage: 10,
  digestWithinMs: 5_000,
}

/** Maximum number of sockets of one server, and of one user. */
export interface GatewayLimits {
  sockets: number
  socketsPerUser: number
  /** An outage of the shared store is reported to readers after this time. */
  apartAfterMs: number
  /**
   * Interval of the heartbeats of both sides. A side that receives nothing for twice this time treats the connection as
   * lost.
   */
  pingMs: number
}

export const DEFAULT_GATEWAY_LIMITS: GatewayLimits = {
  sockets: 5_000,
  socketsPerUser: 50,
  apartAfterMs: 5_000,
  pingMs: 10_000,
}

/** Allows a burst, and a number per second after that. */
export class TokenBucket {
  #tokens: number
  #at: number

  constructor(
    private readonly clock: Clock,
    private readonly burst: number,
    private readonly perSecond: number,
  ) {
    this.#tokens = burst
    this.#at = clock.elapsed()
  }

  /** Returns false when the limit is exceeded. */
  take(): boolean {
    const now = this.clock.elapsed()
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#at) / 1000) * this.perSecond)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
