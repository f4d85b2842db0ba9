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
import { sessionEnded, storeAway } from '../refusals'
import type { Sealer } from '../sealing'
import type { Session } from '../session-cookie'
import type { Sessions } from '../sessions'
import { type Confirmation, described, isRefusal, type Provider } from './provider'

/** The latest confirmation of the provider for one session. */
interface Word {
  subject: string
  identity: Identity
  until: EpochMs
  /** When to renew it: some time before it expires. */
  askFrom: EpochMs
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
const ASK_AGAIN_MS = 30_000
/**
 * Longer than a request to a provider may take. Only one instance renews, because many providers accept a refresh token
 * only once.
 */
const LOCK_MS = 15_000
const LOOK_AGAIN_MS = 250

export class Confirmations {
  readonly #options: ConfirmationsOptions
  /** Used while the store is unavailable. */
  readonly #lastWords = new Map<string, Word>()
  readonly #asking = new Map<string, Promise<Word>>()

  constructor(options: ConfirmationsOptions) {
    this.#options = options
    options.sessions.beside((session) => (session.via === 'oidc' ? this.#follow(session) : () => undefined))
  }

  /** Stores the confirmation of a login. Rejects with StoreUnavailable. */
  async begin(session: Session, confirmation: Confirmation): Promise<void> {
    await this.#keep(session, wordOf(confirmation, session.identity, this.#options.clock.now()))
  }

  /** Returns the identity of the latest confirmation. Rejects with a Refusal when no confirmation is valid. */
  async identityOf(session: Session): Promise<Identity> {
    const word = await this.#wordOn(session)
    if (word && word.until > this.#options.clock.now()) return word.identity
    if (word?.refreshToken !== undefined) return (await this.#ask(session, word)).identity
    if (!word && (session.confirmedUntil ?? 0) > this.#options.clock.now()) return session.identity
    throw sessionEnded('expired', message('api.auth.providerSilent'))
  }

  /** Deletes the confirmation of an ended session and revokes it at the provider. */
  async forget(session: Session): Promise<void> {
    const word = await this.#wordOn(session)
    this.#lastWords.delete(session.id)
    await this.#options.store.delete(keyOf(session.id))
    if (word?.refreshToken === undefined) return
    await this.#options.provider.revoke(word.refreshToken).catch((error: unknown) => {
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
      const waitMs = await this.#lookAfter(followed)
      if (!followed.stopped) cancel = clock.after(waitMs, () => void round())
    }
    void round()
    return () => {
      followed.stopped = true
      cancel()
      this.#lastWords.delete(session.id)
    }
  }

  /** Resolves with the milliseconds until the next check. */
  async #lookAfter(followed: Followed): Promise<number> {
    const { log, sessions, clock } = this.#options
    try {
      const word = await this.#inTime(followed)
      const key = principalKey(word.identity)
      if (followed.key !== key) {
        sessions.changed(followed.session.id, message('api.auth.providerChanged'))
      }
      Object.assign(followed, { key, until: word.until })
      return Math.max(word.askFrom - clock.now(), LOOK_AGAIN_MS)
    } catch (error) {
      if (followed.stopped) return ASK_AGAIN_MS
      log.warn({ reason: described(error) }, 'failed to confirm a session with its identity provider')
      return this.#lapse(followed)
    }
  }

  /**
   * Disconnects a session whose confirmation expired: its client reconnects and is refused until there is a new
   * confirmation.
   */
  #lapse(followed: Followed): number {
    const left = followed.until - this.#options.clock.now()
    if (left > 0) return Math.min(left, ASK_AGAIN_MS)
    this.#options.sessions.changed(followed.session.id, message('api.auth.providerSilent'))
    return ASK_AGAIN_MS
  }

  /**
   * Returns the latest confirmation, renewed when it is about to expire. Ends the session when it cannot be renewed.
   */
  async #inTime({ session }: Followed): Promise<Word> {
    const { clock, sessions } = this.#options
    const word = (await this.#wordOn(session)) ?? firstWordOf(session)
    if (word.refreshToken !== undefined && clock.now() >= word.askFrom) return this.#ask(session, word)
    if (clock.now() >= word.until) await sessions.end(session, 'expired', message('api.auth.providerSilent'))
    return word
  }

  async #wordOn({ id }: Session): Promise<Word | undefined> {
    const { store, sealer } = this.#options
    try {
      const sealed = await store.get(keyOf(id))
      const word = sealed === undefined ? undefined : await sealer.open<Word>('oidc-session', sealed)
      if (word) this.#lastWords.set(id, word)
      return word
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      return this.#lastWords.get(id)
    }
  }

  async #keep({ id, expiresAt }: Session, word: Word): Promise<void> {
    const { store, sealer, clock } = this.#options
    await store.set(keyOf(id), await sealer.seal('oidc-session', word), expiresAt - clock.now())
    this.#lastWords.set(id, word)
  }

  /** Renews the confirmation, one request at a time over all instances. */
  #ask(session: Session, word: Word): Promise<Word> {
    const asking =
      this.#asking.get(session.id) ?? this.#askAlone(session, word).finally(() => this.#asking.delete(session.id))
    this.#asking.set(session.id, asking)
    return asking
  }

  async #askAlone(session: Session, word: Word): Promise<Word> {
    const { store, clock } = this.#options
    const lock = `${keyOf(session.id)}/asking`
    try {
      if (!(await store.add(lock, '1', LOCK_MS))) return await this.#othersWord(session, word)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      // Without the lock two instances might both use the token, which ends the session at many providers.
      if (word.until > clock.now()) return word
      throw storeAway()
    }
    try {
      return await this.#renewed(session, word)
    } finally {
      await store
        .delete(lock)
        .catch((error: unknown) =>
          this.#options.log.debug({ err: error }, 'failed to release a lock; it expires by itself'),
        )
    }
  }

  async #renewed(session: Session, { subject, refreshToken = '' }: Word): Promise<Word> {
    const { provider, log, clock } = this.#options
    try {
      const confirmation = await provider.confirmAgain(refreshToken, subject)
      const { identity } = confirmation
      if (!identity.ok) {
        log.warn({ reason: identity.error }, 'identity provider no longer identifies the user')
        throw await this.#ended(session)
      }
      const word = wordOf(confirmation, identity.value, clock.now())
      await this.#keep(session, word)
      return word
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
  async #othersWord(session: Session, before: Word): Promise<Word> {
    const { clock } = this.#options
    for (const giveUp = clock.now() + LOCK_MS; clock.now() < giveUp;) {
      await new Promise<void>((resolve) => {
        clock.after(LOOK_AGAIN_MS, resolve)
      })
      const word = await this.#wordOn(session)
      if (word && word.until > before.until) return word
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
function firstWordOf({ identity, confirmedUntil: until = 0 }: Session): Word {
  return { subject: '', identity, until, askFrom: until }
}

/**
 * A confirmation that cannot be renewed is used until it expires; others are renewed a minute before, or at four fifths
 * of a short lifetime.
 */
function wordOf({ subject, until, refreshToken }: Confirmation, identity: Identity, now: EpochMs): Word {
  if (refreshToken === undefined) return { subject, identity, until, askFrom: until }
  return { subject, identity, until, refreshToken, askFrom: until - Math.min(MARGIN_MS, Math.max(until - now, 0) / 5) }
}
