/** Discovery of the identity provider: by its issuer, on first use, and refreshed in time. */
import * as oidc from 'openid-client'
import type { EpochMs } from '@/lib/std/clock'
import type { OidcSettings } from './settings'

export interface Discovery {
  /** Returns the configuration. Rejects with the error of openid-client while none is known. */
  found(): Promise<oidc.Configuration>
  /** Notes a failure: the configuration is refreshed at its next use, at most once a minute. */
  invalidate(): void
}

interface CachedConfiguration {
  config: Promise<oidc.Configuration>
  since: EpochMs
  until: EpochMs
}

const KEPT_MS = 6 * 3_600_000
const ASK_AGAIN_MS = 60_000
const ANSWER_TIMEOUT_SECONDS = 10

/**
 * Creates the discovery. While the provider is unreachable, discovery is retried and the last configuration stays in
 * use.
 */
export function createDiscovery({ now, ...settings }: OidcSettings & { now: () => EpochMs }): Discovery {
  let known: CachedConfiguration | undefined
  const look = (before: CachedConfiguration | undefined): CachedConfiguration => {
    const since = now()
    const current: CachedConfiguration = { since, until: since + KEPT_MS, config: discover(settings) }
    current.config = current.config.catch((error: unknown) => {
      if (before) current.until = since + ASK_AGAIN_MS
      else if (known === current) known = undefined
      if (before) return before.config
      throw error
    })
    return current
  }
  return {
    found: () => {
      if (!known || now() >= known.until) known = look(known)
      return known.config
    },
    invalidate: () => {
      if (known) known.until = Math.min(known.until, known.since + ASK_AGAIN_MS)
    },
  }
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<oidc.Configuration> {
  const server = new URL(issuer)
  // A provider on this machine is for trials; everywhere else tokens are sent over TLS only.
  const execute = isLoopbackName(server.hostname) ? [oidc.allowInsecureRequests] : []
  return oidc.discovery(server, clientId, undefined, proofOf(clientSecret), {
    timeout: ANSWER_TIMEOUT_SECONDS,
    execute,
  })
}

/** Returns the authentication method that every provider must support, unless this one supports only the other. */
function proofOf(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    const proof = !methods || methods.includes('client_secret_basic') ? basic : post
    return proof(server, ...rest)
  }
}

const isLoopbackName = (name: string): boolean => name === 'localhost' || name === '[::1]' || name.startsWith('127.')
