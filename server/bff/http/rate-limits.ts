/** Limits the requests of one user. Each instance counts separately; queries and actions have separate limits. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Endpoint } from './endpoint'
import { message } from '@/lib/messages/message'
import { refuse } from './refusal'

/** Requests per minute and user; 0: no limit. */
export interface RateLimitSettings {
  queriesPerMinute: number
  actionsPerMinute: number
}

export const DEFAULT_RATE_LIMITS: RateLimitSettings = { queriesPerMinute: 1200, actionsPerMinute: 120 }

const WINDOW_SECONDS = 60

export class RateLimits {
  readonly #limiters: Readonly<Record<Endpoint['kind'], RateLimiterMemory | undefined>>

  constructor({ queriesPerMinute, actionsPerMinute }: RateLimitSettings) {
    this.#limiters = { query: limiterOf('query', queriesPerMinute), action: limiterOf('action', actionsPerMinute) }
  }

  /** Counts one request and returns headers with the remaining requests. Rejects with a Refusal when none remain. */
  async take(user: string, kind: Endpoint['kind']): Promise<Record<string, string>> {
    const limiter = this.#limiters[kind]
    if (!limiter) return {}
    try {
      return headersOf(limiter.points, await limiter.consume(user))
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      throw tooMany(limiter.points, error, kind)
    }
  }
}

function limiterOf(keyPrefix: string, points: number): RateLimiterMemory | undefined {
  return points === 0 ? undefined : new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS })
}

function headersOf(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, remainingPoints)),
    'ratelimit-reset': String(secondsOf(msBeforeNext)),
  }
}

function tooMany(limit: number, left: RateLimiterRes, kind: Endpoint['kind']) {
  const retryAfterSeconds = secondsOf(left.msBeforeNext)
  return refuse(
    429,
    'TooManyRequests',
    message(`api.refused.tooMany.${kind}`, { limit, after: { ms: retryAfterSeconds * 1000 } }),
    { retryAfterSeconds, headers: headersOf(limit, left) },
  )
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
