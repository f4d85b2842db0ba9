/**
 * The tokens behind sessions: kept sealed in the shared store, never in the browser, and reviewed by the API server
 * periodically. A session whose token is no longer accepted ends.
 */
import { message } from '@/lib/messages/message'
import { decodeJwt } from 'jose'
import { KubeError } from '@/lib/kube/errors'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import type { Logger } from '@/server/runtime/controller'
import { type SharedStore, StoreUnavailable } from '../shared/store'
import { principalKey } from './principal-key'
import { reviewToken } from './reviews'
import type { Sealer } from './sealing'
import type { Session } from './session-cookie'
import type { Sessions } from './sessions'

export interface WatchedTokensOptions {
  store: SharedStore
  sealer: Sealer
  client: KubeClient
  clock: Clock
  log: Logger
  sessions: Sessions
}

export const REVIEW_EVERY_MS = 180_000

export interface WatchedTokens {
  /** Stores the token of a new session. Rejects with StoreUnavailable. */
  keep(session: Session, token: string): Promise<void>
  forget(id: string): Promise<void>
}

/** Reviews the token of every session in use on this instance, every few minutes. */
export function watchTokens(options: WatchedTokensOptions): WatchedTokens {
  const { store, sealer, clock, sessions } = options
  sessions.beside((session) =>
    session.via === 'token' ? everyFewMinutes(clock, () => reviewAgain(options, session)) : () => undefined,
  )
  return {
    keep: async ({ id, expiresAt }, token) =>
      store.set(keyOf(id), await sealer.seal('token', { token }), expiresAt - clock.now()),
    forget: (id) => store.delete(keyOf(id)),
  }
}

/**
 * Returns when a token expires according to its own claims; undefined without the claim. The API server has already
 * verified it.
 */
export function endOfToken(token: string): EpochMs | undefined {
  try {
    const { exp } = decodeJwt(token)
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch {
    // Not every token is a JWT.
    return undefined
  }
}

const keyOf = (id: string): string => `token/${id}`

export function everyFewMinutes(clock: Clock, act: () => Promise<void>, everyMs = REVIEW_EVERY_MS): Stop {
  let stopped = false
  let cancel: Stop = () => undefined
  const round = async (): Promise<void> => {
    await act()
    if (!stopped) cancel = clock.after(everyMs, () => void round())
  }
  cancel = clock.after(everyMs, () => void round())
  return () => {
    stopped = true
    cancel()
  }
}

async function reviewAgain(
  { store, sealer, client, sessions, log }: WatchedTokensOptions,
  session: Session,
): Promise<void> {
  try {
    const sealed = await store.get(keyOf(session.id))
    const kept = sealed === undefined ? undefined : await sealer.open<{ token: string }>('token', sealed)
    // A store in memory is lost with its process; the session then ends by its timeouts.
    if (!kept) return
    if (isStill(session.identity, await reviewToken(client, kept.token))) return
    await store.delete(keyOf(session.id))
    await sessions.end(session, 'revoked', message('api.auth.tokenEnded'))
  } catch (error) {
    if (!(error instanceof KubeError || error instanceof StoreUnavailable)) throw error
    log.warn({ err: error }, 'failed to review a token; retrying')
  }
}

/** A user whose groups changed must log in again, so that every part of the console sees the new identity. */
const isStill = (identity: Identity, now: Identity | undefined): boolean =>
  now !== undefined && principalKey(now) === principalKey(identity)
