/** OpenID documents for verifying tokens of service accounts. */
import type { Api } from '../api'
import { json, type Reply } from '../call'
import { issuerOf } from './account-tokens'

/** The documents of the issuer of a key space; undefined for another path. */
export function openidDocument({ access }: Api, keyspace: string, path: string): Reply | undefined {
  if (path === '/openid/v1/jwks') {
    return { ...json({ keys: [access.accountTokens.publicKey()] }), type: 'application/jwk-set+json' }
  }
  if (path !== '/.well-known/openid-configuration') return undefined
  const issuer = issuerOf(keyspace)
  return json({
    issuer,
    jwks_uri: `${issuer}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  })
}
