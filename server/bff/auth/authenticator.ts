/** Authentication of requests and connections: the contract between login and the API and live stream. */
import type { Message } from '@/lib/messages/message'
import type { IncomingMessage } from 'node:http'
import type { Stop } from '@/lib/std/clock'
import type { Principal } from './principal'

/** The `reason` of a 401, for programs. Its message is a sentence for the person in front of the console. */
export type LoginReason = 'LoginRequired' | 'SessionExpired' | 'SessionRevoked' | 'TokenInvalid'

/**
 * `changed`: the session may go on, with other groups or another name, or was idle as far as this instance knows; who
 * connects again is known anew, or refused. All others end it: `idle` and `expired` are the two timeouts, `revoked`
 * covers what an administrator or the identity provider ended.
 */
export type EndReason = 'loggedOut' | 'idle' | 'expired' | 'revoked' | 'changed'

/** A session that ended, or everything of one user. One of the two names it. */
export interface Ended {
  sessionId?: string
  /** `Principal.key` */
  key?: string
  why: EndReason
  /** A sentence for people. */
  message: Message | string
}

export interface Authenticator {
  /**
   * Who sends this request, or opens this connection. Rejects with a Refusal: 401 with a LoginReason, 429 for an
   * address that shows too many wrong tokens, 503 while the outcome is unknown (the API server or the shared store
   * does not respond). Cheap for known users. It never renews a session, so polling does not keep a user logged in.
   */
  authenticate(request: IncomingMessage): Promise<Principal>
  /**
   * Called when a user is no longer accepted, on any instance. Code that keeps connections or
   * computes for that principal ends it; a later `authenticate` of the same cookie is refused.
   */
  onEnded(handler: (ended: Ended) => void): Stop
  /** Where a request comes from, seen past the proxies that are known. */
  addressOf(request: IncomingMessage): string
  /** True when the console is read-only for all users. */
  readonly readOnly: boolean
  /** Ends all timers and subscriptions. */
  close(): void
}
