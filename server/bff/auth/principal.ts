/** The authenticated user. Contract between login, access, HTTP and the live stream. */
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { EpochMs } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'

/** One user during a request or a connection. Contains no token that could leave the server. */
export interface Principal {
  identity: Identity
  /** The same text for the same identity (name, uid, groups and extra). Used as key of caches and limits. */
  key: string
  /**
   * `local`: without login, the console uses its own credentials. `bearer`: a script sent its token with the request.
   */
  via: 'local' | 'bearer' | 'token' | 'oidc'
  /** The session of a user who logged in with a browser. */
  session?: { id: string; expiresAt: EpochMs }
  /** A client that acts as this user, so that the API server enforces the user's permissions. */
  client: KubeClient
}
