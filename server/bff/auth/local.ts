/**
 * Authentication without login: every request uses the console's own credentials. For a single user on their own
 * machine.
 */
import { KubeError } from '@/lib/kube/errors'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { Clock, Stop } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import { nearestAddress } from './address'
import type { Authenticator } from './authenticator'
import type { Principal } from './principal'
import { reviewOwnIdentity } from './reviews'

export interface LocalOptions {
  client: KubeClient
  clock: Clock
  /** The user name until the API server has reported one. */
  user?: string
  readOnly?: boolean
}

/** Delay before the API server is asked again for our user name. */
const ASK_AGAIN_MS = 10_000

/** The key of all requests: they belong to one user, whatever name the API server reports. */
export const LOCAL_KEY = 'local'

/** Returns an authenticator that accepts every request with the console's own credentials. */
export function createLocalAuthenticator({ client, clock, user = '', readOnly = false }: LocalOptions): Authenticator {
  const self = followOwnIdentity({ client, clock, user })
  return {
    authenticate: async () => localPrincipal(self.identity(), client),
    onEnded: () => () => undefined,
    addressOf: nearestAddress,
    readOnly,
    close: self.stop,
  }
}

export function localPrincipal(identity: Identity, client: KubeClient): Principal {
  return { identity, key: LOCAL_KEY, via: 'local', client }
}

/** Follows the console's own user name: requested until the API server reports it. No request waits for it. */
export function followOwnIdentity({ client, clock, user = '' }: Pick<LocalOptions, 'client' | 'clock' | 'user'>): {
  identity(): Identity
  stop: Stop
} {
  let identity: Identity = { user, groups: [] }
  let stopped = false
  let cancel: Stop = () => undefined
  const ask = async (): Promise<void> => {
    try {
      identity = (await reviewOwnIdentity(client)) ?? identity
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      if (!stopped) cancel = clock.after(ASK_AGAIN_MS, () => void ask())
    }
  }
  void ask()
  const stop = (): void => {
    stopped = true
    cancel()
  }
  return { identity: () => identity, stop }
}
