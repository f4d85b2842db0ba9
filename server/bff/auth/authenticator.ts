/** Authentication of requests and connections: the contract between login and the API and live stream. */
import type { Message } from '@/lib/messages/message'
import type { IncomingMessage } from 'node:http'
import type { Stop } from '@/lib/std/clock'
import type { Principal } from './principal'

/** The `reason` of a 401, for programs. Its message is text for the user. */
export type LoginReason = 'LoginRequired' | 'SessionExpired' | 'SessionRevoked' | 'TokenInvalid'

/**
 * `changed`: the session may continue with other groups or another name, or was idle as far as this instance knows; a
 * client that reconnects is authenticated again or refused. All other reasons end the session: `idle` and `expired` are
 * the two timeouts, `revoked` covers sessions that an administrator or the identity provider ended.
 */
export type EndReason = 'loggedOut' | 'idle' | 'expired' | 'revoked' | 'changed'

/** A session that ended, or all sessions of one user. Exactly one of `sessionId` and `key` is set. */
export interface Ended {
  sessionId?: string
  /** `Principal.key` */
  key?: string
  why: EndReason
  /** Text for people. */
  message: Message | string
}

export interface Authenticator {
  /**
   * Returns the user of this request or connection. Rejects with a Refusal: 401 with a LoginReason, 429 for an address
   * with too many wrong tokens, 503 while the result is unknown (the API server or the shared store does not respond).
   * Cheap for known users. It never renews a session, so polling does not keep a user logged in.
   */
  authenticate(request: IncomingMessage): Promise<Principal>
  /**
   * Registers a handler that is called when a user is no longer accepted, on any instance. Code that holds connections
   * or computes for that principal must stop; a later `authenticate` of the same cookie is refused.
   */
  onEnded(handler: (ended: Ended) => void): Stop
  /** Returns the client address of a request, resolved past trusted proxies. */
  addressOf(request: IncomingMessage): string
  /** True when the console is read-only for all users. */
  readonly readOnly: boolean
  /** Ends all timers and subscriptions. */
  close(): void
}
