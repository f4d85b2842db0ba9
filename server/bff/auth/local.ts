/** Without login: every request acts with the console's own credentials. For one person on their own machine. */
import { KubeError } from '@/lib/kube/errors'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { Clock, Stop } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import { nearestAddress } from './address'
import type { Authenticator } from './authenticator'
import type { Principal } from './principal'
import { askWhoWeAre } from './reviews'

export interface LocalOptions {
  client: KubeClient
  clock: Clock
  /** What is said of ourselves until the API server has told. */
  user?: string
  readOnly?: boolean
}

/** How long until a server that did not tell who we are is asked again. */
const ASK_AGAIN_MS = 10_000

/** The key of all requests: they are one user, whatever name the API server gives it. */
export const LOCAL_KEY = 'local'

/** Accepts every request with the console's own credentials. */
export function createLocalAuthenticator({ client, clock, user = '', readOnly = false }: LocalOptions): Authenticator {
  const self = followOurselves({ client, clock, user })
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

/** The console's own user name, if known: asked once, and again until there is an answer. No request waits for it. */
export function followOurselves({ client, clock, user = '' }: Pick<LocalOptions, 'client' | 'clock' | 'user'>): {
  identity(): Identity
  stop: Stop
} {
  let identity: Identity = { user, groups: [] }
  let stopped = false
  let cancel: Stop = () => undefined
  const ask = async (): Promise<void> => {
    try {
      identity = (await askWhoWeAre(client)) ?? identity
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
