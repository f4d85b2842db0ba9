/** Authenticates scripts that send a token with each request. A token review is cached for a minute. */
import { message } from '@/lib/messages/message'
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { KubeError } from '@/lib/kube/errors'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import type { LoginAttempts } from './login-attempts'
import type { Ended } from './authenticator'
import type { Principal } from './principal'
import { principalKey } from './principal-key'
import { reviewRefused, tokenInvalid } from './refusals'
import { reviewToken } from './reviews'
import { endOfToken, everyFewMinutes } from './watched-tokens'

const BELIEVED_MS = 60_000
/** A connection may stay open without another request; its token is reviewed for this time. */
const LOOKED_AFTER_MS = 12 * 3600 * 1000
const MAX_TOKENS = 5000

/** Returns the token of `Authorization: Bearer`; undefined without one. */
export function bearerOf({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1]
}

export interface BearerTokensOptions {
  client: KubeClient
  clock: Clock
  attempts: LoginAttempts
  onEnded: (ended: Ended) => void
}

interface ReviewedToken {
  identity: Identity
  /** On the monotonic clock: a wall clock that is set back must not extend the trust in a review. */
  reviewedAt: number
  expiresAt: EpochMs
  stop: Stop
}

/** Authenticates bearer tokens, and reviews the tokens of open connections. */
export class BearerTokens {
  readonly #options: BearerTokensOptions
  readonly #known = new Map<string, ReviewedToken>()
  readonly #asked = new Map<string, Promise<Identity | undefined>>()

  constructor(options: BearerTokensOptions) {
    this.#options = options
  }

  /**
   * Authenticates a token. Rejects with a Refusal: 401 for an invalid token, 429 for too many of them, 502 or 503 while
   * its validity is unknown.
   */
  async authenticate(token: string, address: string): Promise<Principal> {
    const { client, clock, attempts } = this.#options
    const id = `bearer-${createHash('sha256').update(token).digest('base64url')}`
    const known = this.#known.get(id)
    if (!known || clock.elapsed() - known.reviewedAt >= BELIEVED_MS) {
      attempts.refuseGuessing(address)
      const identity = await this.#review(id, token)
      if (!identity) {
        attempts.wrong(address)
        this.#forget(id)
        throw tokenInvalid()
      }
      this.#remember(id, token, identity)
    }
    const { identity, expiresAt } = this.#known.get(id) as ReviewedToken
    return {
      identity,
      key: principalKey(identity),
      via: 'bearer',
      session: { id, expiresAt },
      client: client.as(identity),
    }
  }

  close(): void {
    for (const { stop } of this.#known.values()) stop()
    this.#known.clear()
  }

  /** Runs one review at a time for each token, shared by all its requests. */
  #review(id: string, token: string): Promise<Identity | undefined> {
    const asked =
      this.#asked.get(id)
      ?? reviewToken(this.#options.client, token)
        .catch((error: unknown) => {
          throw reviewRefused(error)
        })
        .finally(() => this.#asked.delete(id))
    this.#asked.set(id, asked)
    return asked
  }

  #remember(id: string, token: string, identity: Identity): void {
    const { clock } = this.#options
    const known = this.#known.get(id)
    if (known && principalKey(known.identity) !== principalKey(identity)) this.#forget(id, 'changed')
    const stop = this.#known.get(id)?.stop ?? everyFewMinutes(clock, () => this.#lookAgain(id, token))
    const expiresAt = Math.min(endOfToken(token) ?? Infinity, clock.now() + LOOKED_AFTER_MS)
    this.#known.delete(id)
    this.#known.set(id, { identity, reviewedAt: clock.elapsed(), expiresAt, stop })
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_TOKENS && oldest !== undefined) this.#forget(oldest, 'changed')
  }

  async #lookAgain(id: string, token: string): Promise<void> {
    const known = this.#known.get(id)
    if (!known) return
    if (this.#options.clock.now() >= known.expiresAt) return this.#forget(id, 'expired')
    try {
      const identity = await reviewToken(this.#options.client, token)
      if (!identity) this.#forget(id)
      else if (principalKey(identity) !== principalKey(known.identity)) this.#forget(id, 'changed')
    } catch (error) {
      // The result is unknown; the next review decides.
      if (!(error instanceof KubeError)) throw error
    }
  }

  #forget(id: string, why: 'revoked' | 'expired' | 'changed' = 'revoked'): void {
    const known = this.#known.get(id)
    if (!known) return
    this.#known.delete(id)
    known.stop()
    this.#options.onEnded({ sessionId: id, why, message: message('api.auth.tokenEnded') })
  }
}
