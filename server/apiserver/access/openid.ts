/** OpenID documents for verifying tokens of service accounts. */
import { ownField } from '@/lib/std/fields'
import type { Api } from '../api'
import { type Call, json, type Reply } from '../call'
import { methodNotAllowed } from '../failures'
import { refuseUnlessAccepts } from '../views/accept'
import { issuerOf } from './account-tokens'

const TYPES: Readonly<Record<string, string>> = {
  '/openid/v1/jwks': 'application/jwk-set+json',
  '/.well-known/openid-configuration': 'application/json',
}

/** The documents of the issuer of a key space; undefined for another path. */
export function openidDocument({ access }: Api, keyspace: string, { path, method, headers }: Call): Reply | undefined {
  const type = ownField(TYPES, path)
  if (type === undefined) return undefined
  if (method !== 'GET') throw methodNotAllowed()
  refuseUnlessAccepts(headers.accept, type)
  if (path === '/openid/v1/jwks') {
    return { ...json({ keys: [access.accountTokens.publicKey()] }), type }
  }
  const issuer = issuerOf(keyspace)
  return json({
    issuer,
    jwks_uri: `${issuer}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  })
}
