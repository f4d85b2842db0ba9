/** A real OpenID provider on a free port, with accounts that a test may change. Accepts any password. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenidProvider from 'oidc-provider'

export interface Account {
  groups: string[]
  email?: string
  emailVerified?: boolean
}

export interface IdentityProvider {
  issuer: string
  /** By login name; a removed account is unknown. */
  accounts: Map<string, Account>
  /** Number of requests for tokens. */
  tokenRequests(): number
  /** Number of discovery requests. */
  discoveries(): number
  /** Answers every request with 503 while `away` is true. */
  goAway(away: boolean): void
  close(): Promise<void>
}

export interface IdentityProviderOptions {
  clientId: string
  clientSecret: string
  /** The address of the console. */
  publicUrl: string
  /** Returns groups and email only in the userinfo, as many providers do. Default: in the ID token too. */
  claimsInUserinfoOnly?: boolean
  /** Default true. */
  refreshTokens?: boolean
  /** Lifetime of ID tokens. Default: ten minutes. */
  lastsSeconds?: number
  port?: number
}

/** Starts the provider; the caller closes it. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const accounts = new Map<string, Account>()
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = providerAt(issuer, options, accounts).callback()
  let away = false
  let tokenRequests = 0
  let discoveries = 0
  server.on('request', (request, response) => {
    if (away) return void response.writeHead(503).end()
    if (request.url === '/token') tokenRequests += 1
    if (request.url?.startsWith('/.well-known/')) discoveries += 1
    void answer(request, response)
  })
  return {
    issuer,
    accounts,
    tokenRequests: () => tokenRequests,
    discoveries: () => discoveries,
    goAway: (now) => {
      away = now
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function providerAt(
  issuer: string,
  options: IdentityProviderOptions,
  accounts: ReadonlyMap<string, Account>,
): OpenidProvider {
  const {
    clientId,
    clientSecret,
    publicUrl,
    claimsInUserinfoOnly = false,
    refreshTokens = true,
    lastsSeconds = 600,
  } = options
  return new OpenidProvider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/auth/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/login`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'offline_access', 'email', 'groups'],
    conformIdTokenClaims: claimsInUserinfoOnly,
    issueRefreshToken: () => refreshTokens,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    ttl: {
      IdToken: lastsSeconds,
      AccessToken: lastsSeconds,
      RefreshToken: 86_400,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 600,
    },
    cookies: { keys: ['signs the cookies of the trial provider'] },
    findAccount: (_context, id) => {
      const account = accounts.get(id)
      if (!account) return undefined
      const { groups, email = `${id}@shop.example`, emailVerified = true } = account
      return { accountId: id, claims: () => ({ sub: id, groups, email, email_verified: emailVerified }) }
    },
  })
}
