/** Bearer tokens that are known from the start. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../call'
import { authenticated } from './caller'

/** Identities of static bearer tokens. */
export interface Token {
  token: string
  user: string
  uid?: string
  groups: readonly string[]
}

/** Compares digests, so that the duration reveals nothing about the tokens. The last token is cached. */
export function staticTokens(tokens: readonly Token[]): (token: string) => Caller | undefined {
  const known = tokens.map(({ token, user, uid, groups }) => ({
    digest: digest(token),
    caller: authenticated({ user, groups, ...(uid !== undefined && { uid }) }),
  }))
  let last: { token: string; caller: Caller } | undefined
  return (token) => {
    if (last?.token === token) return last.caller
    const given = digest(token)
    const match = known.find((candidate) => timingSafeEqual(candidate.digest, given))
    if (match) last = { token, caller: match.caller }
    return match?.caller
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
