/** The embedded control plane: data directory, API server and kubeconfig. */
import { join } from 'node:path'
import type { FailoverDefaults } from '@/lib/domain/failover'
import { factsOf, matchesAffinity } from '@/lib/domain/placement'
import type { Clock } from '@/lib/std/clock'
import {
  createMemoryStore,
  type Local,
  openSqliteStore,
  type Restore,
  type SpecChange,
  startApiServer,
} from '@/server/apiserver'
import type { Logger } from '@/server/runtime/controller'
import {
  accountKey,
  adminCredential,
  clientAuthority,
  frontProxy,
  serverKeyPair,
  tenantCredentials,
} from './credentials'
import { makeDataDir } from './data-dir'
import { writeKubeconfig } from './kubeconfig'
import { servedKinds } from './served-kinds'

export interface EmbeddedOptions {
  dataDir: string
  /** The objects are in memory only and gone after a restart; the data directory still holds the credentials. */
  inMemory?: boolean
  host: string
  /** Other machines may reach `host`, over TLS only. */
  exposed?: boolean
  port: number
  clock: Clock
  uid: () => string
  random: () => number
  log: Logger
  /** Disables rules that Karmada does not have. */
  upstream?: boolean
  /** Toleration stored with a policy without one. Default upstream. */
  failoverDefaults?: FailoverDefaults
  /** Called when a request begins to compute. */
  onWork?: (request: { method: string; path: string; user: string }) => void
  /** Called after a user changed the spec of an object. */
  onSpecChange?: (change: SpecChange) => void
}

export interface EmbeddedControlPlane {
  /** Its address for other clients. */
  url: string
  /** Its certificate, PEM. */
  ca: string
  /** In-process access, as the administrator. */
  local: Local
  /** See `ApiServer.restore`. */
  restore: Restore
  /** The administrator's name. */
  user: string
  kubeconfig: string
  close(): Promise<void>
}

/**
 * Opens or creates the data directory, starts the server, and writes `<data dir>/kubeconfig`. Rejects with a message
 * for the user if the directory is in use, damaged or from a newer version, or the port is in use.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedControlPlane> {
  const { dataDir, inMemory, log, onWork, onSpecChange, failoverDefaults, ...rest } = options
  makeDataDir(dataDir, log)
  const store = inMemory ? createMemoryStore() : await openSqliteStore(join(dataDir, 'evenkeel.db'))
  const credential = adminCredential(dataDir)
  const tenants = tenantCredentials(dataDir)
  const now = rest.clock.now()
  const tls = await serverKeyPair(dataDir, rest.host, now)
  const server = await startApiServer({
    serviceAccounts: true,
    ...rest,
    store,
    tls,
    kinds: servedKinds(failoverDefaults),
    matchesCluster: (affinity, cluster) => matchesAffinity(affinity, factsOf(cluster)),
    tokens: [credential, ...tenants],
    accountKey: accountKey(dataDir),
    clientAuthority: await clientAuthority(dataDir, now),
    frontProxy: await frontProxy(dataDir, now),
    log: (level, fields, message) => log[level](fields, message),
    ...(onWork && { onWork }),
    ...(onSpecChange && { onSpecChange }),
  })
  const kubeconfig = writeKubeconfig(dataDir, { url: server.url, cert: tls.cert, credential, tenants })
  const close = async () => {
    await server.close()
    await store.close()
  }
  const { url, restore } = server
  const ca = tls.cert
  return { url, ca, local: server.local({ caller: credential }), restore, user: credential.user, kubeconfig, close }
}
