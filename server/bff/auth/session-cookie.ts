/** The session cookie: sealed, so that only this console can read it. */
import type { IncomingMessage } from 'node:http'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { EpochMs } from '@/lib/std/clock'
import { forgetOldest } from '@/lib/std/recent-map'
import { type CookieSettings, cookieName, cookiesOf, fromChunks, inChunks, isSecure, setChunks } from './cookies'
import type { Sealer } from './sealing'

/** The sealed content. It has no token: a stolen cookie reveals only who the user is. */
export interface Session {
  id: string
  identity: Identity
  via: 'token' | 'oidc'
  /** The mark of the last end of all sessions of this user before this session began. */
  mark?: string
  /** When its browser last reported activity. */
  seenAt: EpochMs
  /** Maximum end of the session. */
  expiresAt: EpochMs
  /** For a login with an identity provider: when its first confirmation expires. Later ones are in the store. */
  confirmedUntil?: EpochMs
}

export interface SessionCookie {
  /** Returns the session; `none` without a cookie, `unreadable` for a cookie that cannot be opened. */
  read(request: IncomingMessage): Promise<Session | 'none' | 'unreadable'>
  /** Returns the `Set-Cookie` headers that keep the session until the browser closes; undefined when it is too long. */
  keep(request: IncomingMessage, session: Session): Promise<string[] | undefined>
  /** Returns the `Set-Cookie` headers that remove it. */
  remove(request: IncomingMessage): string[]
}

const BASE_NAME = 'evenkeel'
/** Unsealing is slower than a look-up, and browsers send the same cookie repeatedly. */
const REMEMBERED = 2000

/**
 * SameSite Strict, not Lax: pages contain no data, and their requests for data come from their own site, so that links
 * from other sites still work.
 */
export function createSessionCookie(sealer: Sealer, settings: CookieSettings): SessionCookie {
  const opened = new Map<string, Session>()
  const attributes = (request: IncomingMessage) => ({
    path: '/',
    sameSite: 'Strict' as const,
    secure: isSecure(request, settings),
  })
  return {
    read: async (request) => {
      const text = fromChunks(cookiesOf(request), cookieName(BASE_NAME, request, settings))
      if (text === undefined) return 'none'
      const session = opened.get(text) ?? (await sealer.open<Session>('session', text))
      if (!session) return 'unreadable'
      remember(opened, text, session)
      return session
    },
    keep: async (request, session) => {
      const values = inChunks(await sealer.seal('session', session))
      return values && setChunks(request, cookieName(BASE_NAME, request, settings), { ...attributes(request), values })
    },
    remove: (request) =>
      setChunks(request, cookieName(BASE_NAME, request, settings), { ...attributes(request), values: [] }),
  }
}

function remember(opened: Map<string, Session>, text: string, session: Session): void {
  opened.delete(text)
  opened.set(text, session)
  forgetOldest(opened, REMEMBERED)
}
