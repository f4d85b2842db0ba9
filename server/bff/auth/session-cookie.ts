/** A session as the browser carries it: sealed, so that only this console can read it. */
import type { IncomingMessage } from 'node:http'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { EpochMs } from '@/lib/std/clock'
import { type CookieSettings, cookieName, cookiesOf, fromChunks, inChunks, isSecure, setChunks } from './cookies'
import type { Sealer } from './sealing'

/** What is sealed. No token: of who has it, this says only who they are. */
export interface Session {
  id: string
  identity: Identity
  via: 'token' | 'oidc'
  /** Of the last end of all sessions of this user that it came after. */
  mark?: string
  /** When its browser last reported that it is in use. */
  seenAt: EpochMs
  /** It ends then, whatever happens. */
  expiresAt: EpochMs
  /** Of a login with an identity provider: until when its first word counts. What it said later, the store knows. */
  confirmedUntil?: EpochMs
}

export interface SessionCookie {
  /** `none` without a cookie, `unreadable` for one that is not ours. */
  read(request: IncomingMessage): Promise<Session | 'none' | 'unreadable'>
  /** The `Set-Cookie` headers that keep it until the browser closes; undefined when it does not fit. */
  keep(request: IncomingMessage, session: Session): Promise<string[] | undefined>
  /** Those that remove it. */
  remove(request: IncomingMessage): string[]
}

const BASE_NAME = 'evenkeel'
/** Unsealing takes longer than looking up; browsers show the same cookie again and again. */
const REMEMBERED = 2000

/**
 * Strict, not Lax: pages hold no data, and what they then ask for comes from their own site, so that links from
 * elsewhere still work.
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
  const [oldest] = opened.keys()
  if (opened.size > REMEMBERED && oldest !== undefined) opened.delete(oldest)
}
