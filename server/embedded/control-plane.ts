/** The embedded control plane: a data directory, its API server, and the kubeconfig that leads to it. */
import { join } from 'node:path'
import type { FailoverDefaults } from '@/lib/domain/failover'
import type { Clock } from '@/lib/std/clock'
import { type Local, openSqliteStore, startApiServer } from '@/server/apiserver'
import type { Logger } from '@/server/runtime/controller'
import { accountKey, adminCredential, clientAuthority, serverKeyPair, tenantCredentials } from './credentials'
import { makeDataDir } from './data-dir'
import { writeKubeconfig } from './kubeconfig'
import { servedKinds } from './served-kinds'

export interface EmbeddedOptions {
  dataDir: string
  host: string
  /** Says that other machines are meant to reach `host`; they are served TLS only. */
  exposed?: boolean
  port: number
  clock: Clock
  uid: () => string
  random: () => number
  log: Logger
  /** Rules of ours that upstream does not have are off. */
  upstream?: boolean
  /** Which toleration is stored with a policy that names none. Default upstream. */
  failoverDefaults?: FailoverDefaults
  /** Told whenever a request begins to compute. */
  onWork?: (request: { method: string; path: string; user: string }) => void
}

export interface EmbeddedControlPlane {
  /** Where everybody else reaches it. */
  url: string
  /** The way in for this process, as the administrator. */
  local: Local
  /** The administrator's name. */
  user: string
  kubeconfig: string
  close(): Promise<void>
}

/**
 * Opens the data directory (creating it), serves it, and writes `<data dir>/kubeconfig`. Rejects with a sentence for
 * the user when the directory is in use, damaged or written by a newer version, or when the port is taken.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedControlPlane> {
  const { dataDir, log, onWork, failoverDefaults, ...rest } = options
  makeDataDir(dataDir, log)
  const store = await openSqliteStore(join(dataDir, 'evenkeel.db'))
  const credential = adminCredential(dataDir)
  const tenants = tenantCredentials(dataDir)
  const now = rest.clock.now()
  const tls = serverKeyPair(dataDir, rest.host, now)
  const server = await startApiServer({
    serviceAccounts: true,
    ...rest, store, tls, kinds: servedKinds(failoverDefaults), tokens: [credential, ...tenants],
    accountKey: accountKey(dataDir), clientAuthority: clientAuthority(dataDir, now).cert,
    log: (level, fields, message) => log[level](fields, message),
    ...(onWork && { onWork }),
  })
  const kubeconfig = writeKubeconfig(dataDir, { url: server.url, cert: tls.cert, credential, tenants })
  const close = async () => {
    await server.close()
    await store.close()
  }
  return { url: server.url, local: server.local({ caller: credential }), user: credential.user, kubeconfig, close }
}
