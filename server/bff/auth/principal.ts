/** Who asks. Contract between login, access, HTTP and the live stream. */
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { EpochMs } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'

/** One user as known for the length of a request or a connection. Holds no token that could leave the server. */
export interface Principal {
  identity: Identity
  /** The same text for the same identity: name, uid, groups and extra. Keys of caches and limits. */
  key: string
  /**
   * `local`: without login, the console uses its own credentials. `bearer`: a script brought its token with the request.
   */
  via: 'local' | 'bearer' | 'token' | 'oidc'
  /** Of who logged in with a browser. */
  session?: { id: string; expiresAt: EpochMs }
  /** Asks the API server as this user: what it refuses, the user may not do. */
  client: KubeClient
}
