/** Tokens of service accounts: signed texts with subject, audience and expiry. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { quotedList } from '@/lib/kube/rbac/covers'
import { accountGroups, accountUser, AUTHENTICATED } from '@/lib/kube/rbac/names'
import type { Caller } from '../call'
import type { Store } from '../store/store'

/** The audience of tokens that are for the API server itself. */
export const API_AUDIENCE = 'https://kubernetes.default.svc.cluster.local'

/** An object whose deletion invalidates a token. */
export interface BoundObject {
  kind: 'Pod' | 'Secret'
  name: string
  uid: string
}

export interface TokenClaims {
  /** The key space of the account; a token of one cluster is invalid in another. */
  keyspace: string
  namespace: string
  account: { name: string; uid: string }
  bound?: BoundObject
  audiences: readonly string[]
  /** Seconds since 1970. */
  issuedAt: number
  /** Absent for a token that is valid as long as its Secret exists. */
  expiresAt?: number
  id: string
}

/** The reason of a refusal, or the owner of the token. */
export type Verdict = { caller: Caller; audiences: readonly string[] } | { refusal: string }

export interface AccountTokens {
  issue(claims: TokenClaims): string
  /**
   * Checks signature, time, audience, and that the account and the object it is bound to are still there; undefined
   * for a text that is no token of this server.
   */
  review(keyspace: string, token: string, options: { audiences?: readonly string[]; now: number }): Verdict | undefined
  /** The public key as `/openid/v1/jwks` shows it. */
  publicKey(): object
}

/** A new key, PEM. */
export function newAccountKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

interface Payload {
  aud: string[]
  exp?: number
  iat: number
  nbf: number
  iss: string
  jti: string
  sub: string
  'kubernetes.io': {
    namespace: string
    serviceaccount: { name: string; uid: string }
    pod?: { name: string; uid: string }
    secret?: { name: string; uid: string }
  }
}

/** Number of cached signature checks; a check takes longer than the other work on a request. */
const REMEMBERED = 1000

/** Signs and reads tokens with a private key (PEM); accounts and bound objects are looked up in the store. */
export function createAccountTokens(key: string, store: Store): AccountTokens {
  const privateKey = createPrivateKey(key)
  const publicKey = createPublicKey(privateKey)
  const keyId = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
  const header = encode({ alg: 'ES256', kid: keyId })
  const verified = new Map<string, Payload>()
  const payloadOf = (token: string): Payload | undefined => {
    const known = verified.get(token)
    if (known) return known
    const payload = readSigned(token, publicKey)
    if (!payload) return undefined
    if (verified.size >= REMEMBERED) verified.delete(verified.keys().next().value as string)
    verified.set(token, payload)
    return payload
  }
  return {
    issue: (claims) => {
      const text = `${header}.${encode(payloadFrom(claims))}`
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${text}.${signature.toString('base64url')}`
    },
    review: (keyspace, token, { audiences = [API_AUDIENCE], now }) => {
      const payload = payloadOf(token)
      return payload?.iss === issuerOf(keyspace) ? judge({ store, keyspace, payload, audiences, now }) : undefined
    },
    publicKey: () => ({ ...publicKey.export({ format: 'jwk' }), use: 'sig', kid: keyId, alg: 'ES256' }),
  }
}

/** Each key space is an issuer of its own. */
export function issuerOf(keyspace: string): string {
  return keyspace === '' ? API_AUDIENCE : `${API_AUDIENCE}/members/${keyspace}`
}

function payloadFrom(claims: TokenClaims): Payload {
  const { keyspace, namespace, account, bound, audiences, issuedAt, expiresAt, id } = claims
  return {
    aud: [...audiences],
    ...(expiresAt !== undefined && { exp: expiresAt }),
    iat: issuedAt,
    nbf: issuedAt,
    iss: issuerOf(keyspace),
    jti: id,
    'kubernetes.io': {
      namespace,
      serviceaccount: account,
      ...(bound && { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
    },
    sub: accountUser(namespace, account.name),
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function readSigned(token: string, key: KeyObject): Payload | undefined {
  const [header = '', body = '', signature = '', ...rest] = token.split('.')
  if (signature === '' || rest.length > 0) return undefined
  const text = Buffer.from(`${header}.${body}`)
  const given = Buffer.from(signature, 'base64url')
  if (!verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, given)) return undefined
  // A token with our signature was written by us.
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Payload
}

interface Case {
  store: Store
  keyspace: string
  payload: Payload
  audiences: readonly string[]
  now: number
}

function judge({ store, keyspace, payload, audiences, now }: Case): Verdict {
  const { namespace, serviceaccount, pod, secret } = payload['kubernetes.io']
  const shared = audiences.filter((audience) => payload.aud.includes(audience))
  if (shared.length === 0) {
    const wanted = quotedList(audiences)
    return { refusal: `token audiences ${quotedList(payload.aud)} is invalid for the target audiences ${wanted}` }
  }
  if (payload.exp !== undefined && now / 1000 >= payload.exp) return { refusal: 'service account token has expired' }
  const gone = (resource: string, bound: { name: string; uid: string } | undefined): boolean =>
    bound !== undefined
    && store.get({ keyspace, resource, key: `${namespace}/${bound.name}` })?.value.metadata.uid !== bound.uid
  if (gone('serviceaccounts', serviceaccount) || gone('pods', pod) || gone('secrets', secret)) {
    return { refusal: 'service account token has been invalidated' }
  }
  return { caller: callerOf(payload), audiences: shared }
}

function callerOf({ jti, sub, 'kubernetes.io': { namespace, serviceaccount, pod } }: Payload): Caller {
  const key = 'authentication.kubernetes.io/'
  return {
    user: sub,
    uid: serviceaccount.uid,
    groups: [...accountGroups(namespace), AUTHENTICATED],
    extra: {
      [`${key}credential-id`]: [`JTI=${jti}`],
      ...(pod && { [`${key}pod-name`]: [pod.name], [`${key}pod-uid`]: [pod.uid] }),
    },
  }
}
