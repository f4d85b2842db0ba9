/** How much one client may ask for. */
import type { Clock } from '@/lib/std/clock'

export interface SessionLimits {
  topics: number
  /** Messages that may wait for the socket before nothing more is sent. */
  waitingMessages: number
  /** A socket whose messages wait longer than this is closed; it may reconnect and resume. */
  stalledAfterMs: number
  /** Messages that a client may send at once, and how many more each second. */
  burst: number
  perSecond: number
  /** Messages that make no sense, until the connection is closed. */
  garbage: number
  /** How long a client may take to say what it holds. */
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

/** Sockets that one server takes, and of one user. */
export interface GatewayLimits {
  sockets: number
  socketsPerUser: number
  /** An outage of what the instances share is told to readers when it has lasted so long. */
  apartAfterMs: number
  /** How often each side shows that it is there. Who hears nothing for twice that time takes the other for gone. */
  pingMs: number
}

export const DEFAULT_GATEWAY_LIMITS: GatewayLimits = {
  sockets: 5_000,
  socketsPerUser: 50,
  apartAfterMs: 5_000,
  pingMs: 10_000,
}

/** Lets through so many at once, and so many more each second. */
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

  /** False when there were too many. */
  take(): boolean {
    const now = this.clock.elapsed()
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#at) / 1000) * this.perSecond)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
