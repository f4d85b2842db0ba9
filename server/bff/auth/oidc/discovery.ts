/**
 * What the identity provider says of itself: found by its issuer when it is first needed, and looked up again in time.
 */
import * as oidc from 'openid-client'
import type { EpochMs } from '@/lib/std/clock'
import type { OidcSettings } from './settings'

export interface Discovery {
  /** Rejects with what openid-client throws while nothing is known yet. */
  found(): Promise<oidc.Configuration>
  /** Something did not work as it should: what is known is looked up again at its next use, once a minute at most. */
  doubt(): void
}

interface Known {
  config: Promise<oidc.Configuration>
  since: EpochMs
  until: EpochMs
}

const KEPT_MS = 6 * 3_600_000
const ASK_AGAIN_MS = 60_000
const ANSWER_TIMEOUT_SECONDS = 10

/** A provider that was away is looked for again; until it answers, what it said last counts. */
export function createDiscovery({ now, ...settings }: OidcSettings & { now: () => EpochMs }): Discovery {
  let known: Known | undefined
  const look = (before: Known | undefined): Known => {
    const since = now()
    const current: Known = { since, until: since + KEPT_MS, config: discover(settings) }
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
    doubt: () => {
      if (known) known.until = Math.min(known.until, known.since + ASK_AGAIN_MS)
    },
  }
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<oidc.Configuration> {
  const server = new URL(issuer)
  // A provider on this machine, for trials; everywhere else tokens travel encrypted only.
  const execute = isLoopbackName(server.hostname) ? [oidc.allowInsecureRequests] : []
  return oidc.discovery(server, clientId, undefined, proofOf(clientSecret), {
    timeout: ANSWER_TIMEOUT_SECONDS,
    execute,
  })
}

/** The way of showing the secret that providers must have, unless this one says that it has only the other. */
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
