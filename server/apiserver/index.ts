/**
 * The embedded Kubernetes-compatible API server: HTTP, verbs, registry, store, watch. See README.md for layers,
 * guarantees and limits.
 */
import type { Kind } from '@/lib/kube/kind'
import { reviewKinds } from '@/lib/kube/kinds/access-reviews'
import { otherVersions } from '@/lib/kube/kinds/other-versions'
import { unstoredKinds } from '@/lib/kube/kinds/unstored'
import type { Clock } from '@/lib/std/clock'
import { createAccess } from './access/access'
import { startAggregation } from './access/aggregation'
import { localUrl, refuseExposure } from './access/exposure'
import { createAuthenticator } from './access/identity'
import type { Token } from './access/static-tokens'
import { createAdmission } from './admission/admission'
import { startAggregationLayer } from './aggregation/aggregation'
import { publishAuthentication } from './aggregation/authentication-info'
import { registerLocal } from './aggregation/local'
import type { FindLocalWebhook } from './admission/connection'
import type { Api, Log, SpecChange } from './api'
import type { Answer, Call } from './call'
import { startSigning } from './certificates/signing'
import { compactByAge } from './controllers/compaction'
import { startClusterInfo } from './controllers/cluster-info'
import { startGarbageCollector } from './controllers/garbage'
import { type Controller, startNamespaceController } from './controllers/namespaces'
import { startServiceAccountController } from './controllers/service-accounts'
import { startTokenSecrets } from './controllers/token-secrets'
import { startDefinitions } from './crd/definitions'
import { fairly } from './fairness/fair-use'
import { flowHeadersOf } from './fairness/flow-schemas'
import { createHandler } from './handler'
import { listen } from './http'
import { type Local, type LocalOptions, openLocal } from './local'
import { createMembers } from './members'
import { createKeyspace } from './create-keyspace'
import { createRegistry } from './registry/registry'
import type { Keyspace } from './registry/keyspace'
import { rendering } from './render'
import { type Restore, restoreObjects } from './restore'
import type { MatchesCluster } from './search/cached'
import type { Store } from './store/store'
import type { KeyPair } from './tls/certificates'
import { createWatchHub } from './watch/hub'

export type { Log, LogLevel, SpecChange } from './api'
export type { Local } from './local'
export type { Restore, Restored, RestoreFault } from './restore'
export type { Store } from './store/store'
export { createMemoryStore } from './store/memory'
export { openSqliteStore } from './store/sqlite'
export { newAccountKey } from './access/account-tokens'
export { FRONT_PROXY } from './aggregation/authentication-info'
export { isLoopback } from './access/exposure'
export type { Token } from './access/static-tokens'
export { issueClientCertificate, type KeyPair, newAuthority, selfSigned } from './tls/certificates'
export { StoreCorrupt, StoreLocked, StoreTooNew } from './store/errors'

/** A client certificate, and the authority (PEM) by which aggregated API servers know it. */
export interface FrontProxy {
  identity: KeyPair
  authority: string
}

export interface ApiServerOptions {
  store: Store
  /** Served kinds; members serve those outside Karmada's groups. */
  kinds: readonly Kind[]
  host: string
  /** 0 picks a free port. */
  port: number
  clock: Clock
  uid: () => string
  /** From 0 (included) to 1 (excluded). */
  random: () => number
  tokens: readonly Token[]
  /**
   * Enables TLS on the same port. kubectl sends tokens over TLS only, so a kubeconfig needs `https://` and the
   * certificate as its authority.
   */
  tls?: KeyPair
  /** True if other machines may reach `host`; they are served TLS only. */
  exposed?: boolean
  /** The authority that signs client certificates. Needs `tls`. */
  clientAuthority?: KeyPair
  /** Client identity with which this server authenticates proxied users to aggregated API servers. */
  frontProxy?: FrontProxy
  /** The private key (PEM) that signs tokens of service accounts. Without it they are good until the next start. */
  accountKey?: string
  log?: Log
  /** Called when a request begins to compute, and when it continues after its body was read. */
  onWork?: (request: { method: string; path: string; user: string }) => void
  /** Called after a user changed the spec of an object of the control plane; not for writes of this product's own loops. */
  onSpecChange?: (change: SpecChange) => void
  /** Gives every namespace a ServiceAccount `default`, as a control plane with its controllers does. Default false. */
  serviceAccounts?: boolean
  /** Admits what upstream admits, also where our own rules refuse it. Default false. */
  upstream?: boolean
  /** Finds webhooks of this process, which are called directly. Default: all webhooks are called over the network. */
  localWebhook?: FindLocalWebhook
  /** Which clusters a ResourceRegistry means. Default: none. */
  matchesCluster?: MatchesCluster
}

export interface ApiServer {
  /** URL for clients on this machine: `http://host:port`, or https when it listens on a network address. */
  url: string
  port: number
  /** A way in for a caller in this process: the same server without sockets. */
  local(options: LocalOptions): Local
  /** Puts objects of another control plane into the store as they were there. For an empty server, before its loops run. */
  restore: Restore
  /** Closes every connection. The store stays open; its opener closes it. */
  close(): Promise<void>
}

/**
 * Starts to serve. Resolves once requests are accepted; rejects when the port is taken, the store cannot be written, or
 * `host` is open to other machines without being meant to be.
 */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, clock, uid, random, log = () => undefined, host, exposed = false, tls, upstream = false } = options
  refuseExposure({ host, exposed, encrypted: tls !== undefined })
  const kinds = [...options.kinds, ...reviewKinds, ...unstoredKinds, ...otherVersions]
  const fresh = store.revision === 0
  const access = createAccess(options)
  const admission = createAdmission({ store, clock, uid, log, localWebhook: options.localWebhook })
  const api: Api = {
    store,
    clock,
    uid,
    random,
    log,
    hub: createWatchHub(store),
    access,
    admission,
    upstream,
    onSpecChange: options.onSpecChange,
  }
  const plane = await createKeyspace(api, { name: '', registry: createRegistry(kinds) })
  await registerLocal(api, plane)
  if (fresh) store.compact(store.revision)
  const members = createMembers(api, kinds)
  const keyspaceOf = (name: string): Keyspace => (name === '' ? plane : members.keyspace(name))
  const controllers = await startControllers(api, { plane, keyspaceOf, options })
  const stopCompaction = compactByAge(store, clock)
  const onFault = (error: unknown, request: string): void =>
    log('error', { request, error: error instanceof Error ? error.stack : String(error) }, 'a request failed')
  const aggregation = startAggregationLayer(api, plane, options.frontProxy?.identity)
  controllers.push(aggregation)
  const handle = noted(
    createHandler(api, { plane, members, aggregation, matches: options.matchesCluster ?? (() => false) }),
    options.onWork,
  )
  const server = await listen({
    host,
    port: options.port,
    tls,
    clientAuthority: options.clientAuthority?.cert,
    authenticate: createAuthenticator(access.readToken),
    onFault,
    handle: fairly(rendering(handle)),
    headersOf: flowHeadersOf,
  })
  controllers.push(...(await introduce(api, plane, { ...options, port: server.port })))
  let closed = false
  return {
    url: localUrl(host, server.port),
    port: server.port,
    restore: async (name, objects) => restoreObjects(api, name === '' ? plane : await members.open(name), objects),
    local: (own) => openLocal({ handle, onFault, isClosed: () => closed }, own),
    close: async () => {
      closed = true
      members.close()
      access.authorizer.close()
      stopCompaction()
      await Promise.all(controllers.map((controller) => controller.close()))
      admission.close()
      api.hub.endAll()
      await server.close()
      await store.settled()
    },
  }
}

interface ControllerParts {
  plane: Keyspace
  keyspaceOf: (name: string) => Keyspace
  options: ApiServerOptions
}

async function startControllers(api: Api, { plane, keyspaceOf, options }: ControllerParts): Promise<Controller[]> {
  const { clientAuthority, serviceAccounts, tls } = options
  return [
    await startDefinitions(api, keyspaceOf),
    startNamespaceController(api, keyspaceOf),
    startGarbageCollector(api, keyspaceOf),
    startAggregation(api, keyspaceOf),
    startTokenSecrets(api, { keyspaceOf, authority: tls?.cert }),
    ...(clientAuthority ? [startSigning(api, plane, clientAuthority)] : []),
    ...(serviceAccounts ? [startServiceAccountController(api, keyspaceOf)] : []),
  ]
}

/** Writes what clients look up about the server; not where their kinds are not served. */
async function introduce(
  api: Api,
  plane: Keyspace,
  { host, port, tls, clientAuthority, frontProxy }: ApiServerOptions,
): Promise<Controller[]> {
  if (!plane.registry.find('', 'v1', 'namespaces')) return []
  if (frontProxy) {
    await publishAuthentication(api, plane, { clients: clientAuthority?.cert, frontProxy: frontProxy.authority })
  }
  if (!tls) return []
  const url = localUrl(host, port).replace(/^http:/, 'https:')
  return [await startClusterInfo(api, plane, { url, authority: tls.cert })]
}

type Handle = (call: Call) => Promise<Answer>

/** Reports whose request computes, for the watchdog. */
function noted(handle: Handle, onWork: ApiServerOptions['onWork']): Handle {
  if (!onWork) return handle
  return (call) => {
    const { method, path, caller, headers } = call
    const work = { method, path, user: String(headers['impersonate-user'] ?? caller.user) }
    const afterwards = async <T>(read: Promise<T>): Promise<T> => {
      const content = await read
      onWork(work)
      return content
    }
    onWork(work)
    return handle({ ...call, body: () => afterwards(call.body()), bytes: () => afterwards(call.bytes()) })
  }
}
