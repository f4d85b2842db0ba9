/** Authentication and authorization of the server. */
import type { Clock } from '@/lib/std/clock'
import type { Caller } from '../call'
import { proxiedMember } from '../route'
import type { Store } from '../store/store'
import { type AccountTokens, API_AUDIENCE, createAccountTokens, newAccountKey, type Verdict } from './account-tokens'
import { bootstrapCaller } from './bootstrap-tokens'
import { type Authorizer, createAuthorizer } from './authorizer'
import type { TokenReader } from './identity'
import { staticTokens, type Token } from './static-tokens'

export interface Access {
  authorizer: Authorizer
  accountTokens: AccountTokens
  /** Returns the user of a token in a key space, and the audiences for which it is valid. */
  reviewToken(keyspace: string, token: string, audiences?: readonly string[]): Verdict
  /** The user that a token authenticates at a path: of the control plane, or at the proxy of a member an account of it. */
  readToken: TokenReader
}

export interface AccessOptions {
  store: Store
  clock: Clock
  tokens: readonly Token[]
  /** The private key (PEM) that signs tokens of service accounts; created if absent. */
  accountKey?: string | undefined
}

export function createAccess({ store, clock, tokens, accountKey = newAccountKey() }: AccessOptions): Access {
  const given = staticTokens(tokens)
  const accountTokens = createAccountTokens(accountKey, store)
  const reviewToken: Access['reviewToken'] = (keyspace, token, audiences = [API_AUDIENCE]) => {
    const caller = keyspace === '' ? given(token) : undefined
    if (caller) return audiences.includes(API_AUDIENCE) ? { caller, audiences: [API_AUDIENCE] } : INVALID
    const joining = keyspace === '' ? bootstrapCaller(store, token, clock.now()) : undefined
    if (joining) return audiences.includes(API_AUDIENCE) ? { caller: joining, audiences: [API_AUDIENCE] } : INVALID
    return accountTokens.review(keyspace, token, { audiences, now: clock.now() }) ?? INVALID
  }
  const ownerIn = (keyspace: string, token: string): Caller | undefined => {
    const verdict = reviewToken(keyspace, token)
    return 'caller' in verdict ? verdict.caller : undefined
  }
  const readToken: TokenReader = (token, path) => {
    const known = ownerIn('', token)
    if (known) return known
    // The proxy is the address of a member: it knows the member's accounts, and they nothing but the member.
    const member = proxiedMember(path)
    const account = member === undefined ? undefined : ownerIn(member, token)
    return account && { ...account, member }
  }
  return { authorizer: createAuthorizer(store), accountTokens, reviewToken, readToken }
}

const INVALID: Verdict = { refusal: 'invalid bearer token' }
