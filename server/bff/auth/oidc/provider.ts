/** Calls the identity provider through openid-client. */
import * as oidc from 'openid-client'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { EpochMs } from '@/lib/std/clock'
import type { Result } from '@/lib/std/result'
import type { LoginProblem } from '@/lib/view/login'
import { areComplete, type Claims, identityOfClaims } from './claims'
import { createDiscovery } from './discovery'
import type { OidcSettings } from './settings'

/** The values that the browser must return. */
export interface LoginChecks {
  state: string
  nonce: string
  verifier: string
}

/** The provider's statement about a user. */
export interface Confirmation {
  /** The provider's own identifier of the user; never changes. */
  subject: string
  identity: Result<Identity>
  /** When the confirmation expires. */
  until: EpochMs
  /** Usable for one renewal; absent when the provider issues none. */
  refreshToken?: string
}

/** Methods reject with the errors of openid-client; `problemOf` interprets them. */
export interface Provider {
  readonly host: string
  loginUrl(checks: LoginChecks): Promise<URL>
  /** `current`: the address to which the browser returned. */
  confirm(current: URL, checks: LoginChecks): Promise<Confirmation>
  confirmAgain(refreshToken: string, subject: string): Promise<Confirmation>
  /** Returns where the provider's own session ends; undefined when the provider has no such endpoint. */
  logoutUrl(returnTo: string): Promise<URL | undefined>
  /** Revokes a refresh token if the provider supports it. */
  revoke(refreshToken: string): Promise<void>
}

export interface ProviderOptions extends OidcSettings {
  redirectUri: string
  now: () => EpochMs
}

/** Requested only if the provider lists them: some refuse a login that requests unknown scopes. */
const WHERE_OFFERED = ['groups', 'offline_access']

/** Creates the provider. No request is sent before the first use; an unreachable provider is tried again. */
export function createProvider(options: ProviderOptions): Provider {
  const { found, invalidate } = createDiscovery(options)
  /** A failure may mean that the provider has moved; a refusal does not. */
  const invalidating = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      if (!isRefusal(error)) invalidate()
      throw error
    }
  }
  return {
    host: new URL(options.issuer).host,
    loginUrl: async ({ state, nonce, verifier }) => {
      const config = await found()
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: options.redirectUri,
        scope: scopesOf(config, options).join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    confirm: (current, { state, nonce, verifier }) =>
      invalidating(
        (async () => {
          const config = await found()
          const checks = {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
          }
          return confirmation(options, config, await oidc.authorizationCodeGrant(config, current, checks))
        })(),
      ),
    confirmAgain: (refreshToken, subject) =>
      invalidating(
        (async () => {
          const config = await found()
          const tokens = await oidc.refreshTokenGrant(config, refreshToken)
          // A provider that does not rotate refresh tokens sends none: the old one stays valid.
          return { refreshToken, ...(await confirmation(options, config, tokens, subject)) }
        })(),
      ),
    logoutUrl: async (returnTo) => {
      const config = await found()
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      return oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo, client_id: options.clientId })
    },
    revoke: async (refreshToken) => {
      const config = await found()
      if (config.serverMetadata().revocation_endpoint !== undefined) await oidc.tokenRevocation(config, refreshToken)
    },
  }
}

function scopesOf(config: oidc.Configuration, { scopes }: OidcSettings): readonly string[] {
  if (scopes) return scopes.includes('openid') ? scopes : ['openid', ...scopes]
  const offered = config.serverMetadata().scopes_supported ?? []
  return ['openid', 'profile', 'email', ...WHERE_OFFERED.filter((scope) => offered.includes(scope))]
}

type Tokens = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>

async function confirmation(
  options: ProviderOptions,
  config: oidc.Configuration,
  tokens: Tokens,
  subject?: string,
): Promise<Confirmation> {
  const told = tokens.claims()
  const known = subject ?? told?.sub
  if (known === undefined) throw new oidc.ClientError('the provider sent no ID token')
  if (told && told.sub !== known) throw new oidc.ClientError('the provider confirmed another user')
  const claims = await completed(options, config, { tokens, told, subject: known })
  const lastsSeconds = tokens.expiresIn() ?? 0
  return {
    subject: known,
    identity: identityOfClaims(claims, options),
    until: told ? told.exp * 1000 : options.now() + lastsSeconds * 1000,
    ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
  }
}

/** Many providers return groups and email only in the userinfo. */
async function completed(
  options: ProviderOptions,
  config: oidc.Configuration,
  { tokens, told, subject }: { tokens: Tokens; told: Claims | undefined; subject: string },
): Promise<Claims> {
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined
  if (told && (areComplete(told, options) || !hasMore)) return told
  if (!hasMore) throw new oidc.ClientError('the provider sent no ID token')
  // Signed claims take precedence.
  return { ...(await oidc.fetchUserInfo(config, tokens.access_token, subject)), ...told }
}

/** Returns what an error means to the user who logs in. */
export function problemOf(error: unknown): LoginProblem {
  if (error instanceof oidc.AuthorizationResponseError) {
    return ['temporarily_unavailable', 'server_error'].includes(error.error) ? 'unavailable' : 'denied'
  }
  if (error instanceof oidc.ResponseBodyError) {
    if (error.status >= 500) return 'unavailable'
    return error.error === 'invalid_grant' ? 'stale' : 'unfit'
  }
  const { code } = error as { code?: unknown }
  if (error instanceof oidc.ClientError) return AWAY.has(String(code)) ? 'unavailable' : 'unfit'
  // `fetch` throws this when there is no response.
  return 'unavailable'
}

const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/** Reports whether the provider refused a refresh token as invalid: its user was logged out or locked. */
export function isRefusal(error: unknown): boolean {
  return error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant'
}

/** Describes an error for the log, without tokens, codes or responses of the provider. */
export function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { error: word, error_description: text } = error as { error?: unknown; error_description?: unknown }
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return [`${error.message}${cause}`, word, text].filter((part) => typeof part === 'string').join(', ')
}
