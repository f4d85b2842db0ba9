/**
 * Keeps the latest confirmation of the identity provider for each session and renews it before it expires. Refresh
 * tokens are kept sealed in the shared store, under the id of the session, and never reach a browser.
 */
import { message } from '@/lib/messages/message'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'
import type { Logger } from '@/server/runtime/controller'
import { Refusal, refuse } from '../../http/refusal'
import { type SharedStore, StoreUnavailable } from '../../shared/store'
import { principalKey } from '../principal-key'
import { sessionEnded, storeUnavailable } from '../refusals'
import type { Sealer } from '../sealing'
import type { Session } from '../session-cookie'
import type { Sessions } from '../sessions'
import { type Confirmation, described, isRefusal, type Provider } from './provider'

/** The latest confirmation of the provider for one session. */
interface StoredConfirmation {
  subject: string
  identity: Identity
  until: EpochMs
  /** When to renew it: some time before it expires. */
  renewFrom: EpochMs
  refreshToken?: string
}

export interface ConfirmationsOptions {
  provider: Provider
  store: SharedStore
  sealer: Sealer
  clock: Clock
  log: Logger
  sessions: Sessions
}

const MARGIN_MS = 60_000
const RETRY_MS = 30_000
/**
 * Longer than a request to a provider may take. Only one instance renews, because many providers accept a refresh token
 * only once.
 */
const LOCK_MS = 15_000
const POLL_MS = 250

export class Confirmations {
  readonly #options: ConfirmationsOptions
  /** Used while the store is unavailable. */
  readonly #latest = new Map<string, StoredConfirmation>()
  readonly #renewing = new Map<string, Promise<StoredConfirmation>>()

  constructor(options: ConfirmationsOptions) {
    this.#options = options
    options.sessions.beside((session) => (session.via === 'oidc' ? this.#follow(session) : () => undefined))
  }

  /** Stores the confirmation of a login. Rejects with StoreUnavailable. */
  async begin(session: Session, confirmation: Confirmation): Promise<void> {
    await this.#save(session, toStored(confirmation, session.identity, this.#options.clock.now()))
  }

  /** Returns the identity of the latest confirmation. Rejects with a Refusal when no confirmation is valid. */
  async identityOf(session: Session): Promise<Identity> {
    const stored = await this.#load(session)
    if (stored && stored.until > this.#options.clock.now()) return stored.identity
    if (stored?.refreshToken !== undefined) return (await this.#renew(session, stored)).identity
    if (!stored && (session.confirmedUntil ?? 0) > this.#options.clock.now()) return session.identity
    throw sessionEnded('expired', message('api.auth.providerSilent'))
  }

  /** Deletes the confirmation of an ended session and revokes it at the provider. */
  async forget(session: Session): Promise<void> {
    const stored = await this.#load(session)
    this.#latest.delete(session.id)
    await this.#options.store.delete(keyOf(session.id))
    if (stored?.refreshToken === undefined) return
    await this.#options.provider.revoke(stored.refreshToken).catch((error: unknown) => {
      this.#options.log.info({ reason: described(error) }, 'failed to revoke a refresh token at the identity provider')
    })
  }

  /** Renews the confirmation in time while the session is in use on this instance. */
  #follow(session: Session): Stop {
    const { clock } = this.#options
    const followed: Followed = {
      session,
      key: principalKey(session.identity),
      until: session.confirmedUntil ?? 0,
      stopped: false,
    }
    let cancel: Stop = () => undefined
    const round = async (): Promise<void> => {
      const waitMs = await this.#checkOnce(followed)
      if (!followed.stopped) cancel = clock.after(waitMs, () => void round())
    }
    void round()
    return () => {
      followed.stopped = true
      cancel()
      this.#latest.delete(session.id)
    }
  }

  /** Resolves with the milliseconds until the next check. */
  async #checkOnce(followed: Followed): Promise<number> {
    const { log, sessions, clock } = this.#options
    try {
      const stored = await this.#renewIfDue(followed)
      const key = principalKey(stored.identity)
      if (followed.key !== key) {
        sessions.changed(followed.session.id, message('api.auth.providerChanged'))
      }
      Object.assign(followed, { key, until: stored.until })
      return Math.max(stored.renewFrom - clock.now(), POLL_MS)
    } catch (error) {
      if (followed.stopped) return RETRY_MS
      log.warn({ reason: described(error) }, 'failed to confirm a session with its identity provider')
      return this.#disconnectExpired(followed)
    }
  }

  /**
   * Disconnects a session whose confirmation expired: its client reconnects and is refused until there is a new
   * confirmation.
   */
  #disconnectExpired(followed: Followed): number {
    const left = followed.until - this.#options.clock.now()
    if (left > 0) return Math.min(left, RETRY_MS)
    this.#options.sessions.changed(followed.session.id, message('api.auth.providerSilent'))
    return RETRY_MS
  }

  /**
   * Returns the latest confirmation, renewed when it is about to expire. Ends the session when it cannot be renewed.
   */
  async #renewIfDue({ session }: Followed): Promise<StoredConfirmation> {
    const { clock, sessions } = this.#options
    const stored = (await this.#load(session)) ?? storedFromCookie(session)
    if (stored.refreshToken !== undefined && clock.now() >= stored.renewFrom) return this.#renew(session, stored)
    if (clock.now() >= stored.until) await sessions.end(session, 'expired', message('api.auth.providerSilent'))
    return stored
  }

  async #load({ id }: Session): Promise<StoredConfirmation | undefined> {
    const { store, sealer } = this.#options
    try {
      const sealed = await store.get(keyOf(id))
      const stored = sealed === undefined ? undefined : await sealer.open<StoredConfirmation>('oidc-session', sealed)
      if (stored) this.#latest.set(id, stored)
      return stored
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      return this.#latest.get(id)
    }
  }

  async #save({ id, expiresAt }: Session, stored: StoredConfirmation): Promise<void> {
    const { store, sealer, clock } = this.#options
    await store.set(keyOf(id), await sealer.seal('oidc-session', stored), expiresAt - clock.now())
    this.#latest.set(id, stored)
  }

  /** Renews the confirmation, one request at a time over all instances. */
  #renew(session: Session, stored: StoredConfirmation): Promise<StoredConfirmation> {
    const renewing =
      this.#renewing.get(session.id)
      ?? this.#renewLocked(session, stored).finally(() => this.#renewing.delete(session.id))
    this.#renewing.set(session.id, renewing)
    return renewing
  }

  async #renewLocked(session: Session, stored: StoredConfirmation): Promise<StoredConfirmation> {
    const { store, clock } = this.#options
    const lock = `${keyOf(session.id)}/asking`
    try {
      if (!(await store.add(lock, '1', LOCK_MS))) return await this.#awaitOther(session, stored)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      // Without the lock two instances might both use the token, which ends the session at many providers.
      if (stored.until > clock.now()) return stored
      throw storeUnavailable()
    }
    try {
      return await this.#requestRenewal(session, stored)
    } finally {
      await store
        .delete(lock)
        .catch((error: unknown) =>
          this.#options.log.debug({ err: error }, 'failed to release a lock; it expires by itself'),
        )
    }
  }

  async #requestRenewal(
    session: Session,
    { subject, refreshToken = '' }: StoredConfirmation,
  ): Promise<StoredConfirmation> {
    const { provider, log, clock } = this.#options
    try {
      const confirmation = await provider.confirmAgain(refreshToken, subject)
      const { identity } = confirmation
      if (!identity.ok) {
        log.warn({ reason: identity.error }, 'identity provider no longer identifies the user')
        throw await this.#ended(session)
      }
      const stored = toStored(confirmation, identity.value, clock.now())
      await this.#save(session, stored)
      return stored
    } catch (error) {
      if (isRefusal(error)) throw await this.#ended(session)
      if (error instanceof Refusal) throw error
      log.warn({ reason: described(error) }, 'identity provider does not respond')
      throw refuse(503, 'Unreachable', message('api.auth.providerAway'))
    }
  }

  async #ended(session: Session): Promise<Refusal> {
    await this.#options.sessions.end(session, 'revoked', message('api.auth.providerEnded'))
    await this.#options.store.delete(keyOf(session.id))
    return sessionEnded('revoked', message('api.auth.providerEnded'))
  }

  /** Waits for the confirmation that another instance is requesting. */
  async #awaitOther(session: Session, before: StoredConfirmation): Promise<StoredConfirmation> {
    const { clock } = this.#options
    for (const giveUp = clock.now() + LOCK_MS; clock.now() < giveUp;) {
      await new Promise<void>((resolve) => {
        clock.after(POLL_MS, resolve)
      })
      const stored = await this.#load(session)
      if (stored && stored.until > before.until) return stored
    }
    if (before.until > clock.now()) return before
    throw sessionEnded('expired', message('api.auth.providerSilent'))
  }
}

interface Followed {
  session: Session
  /** The identity in the latest confirmation. */
  key: string
  /** How long that confirmation is valid. */
  until: EpochMs
  stopped: boolean
}

const keyOf = (id: string): string => `oidc/${id}`

/** Returns the confirmation in the cookie itself, used when the store has lost the later one. */
function storedFromCookie({ identity, confirmedUntil: until = 0 }: Session): StoredConfirmation {
  return { subject: '', identity, until, renewFrom: until }
}

/**
 * A confirmation that cannot be renewed is used until it expires; others are renewed a minute before, or at four fifths
 * of a short lifetime.
 */
function toStored(
  { subject, until, refreshToken }: Confirmation,
  identity: Identity,
  now: EpochMs,
): StoredConfirmation {
  if (refreshToken === undefined) return { subject, identity, until, renewFrom: until }
  return {
    subject,
    identity,
    until,
    refreshToken,
    renewFrom: until - Math.min(MARGIN_MS, Math.max(until - now, 0) / 5),
  }
}
