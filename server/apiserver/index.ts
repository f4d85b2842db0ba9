/**
 * The embedded Kubernetes-compatible API server: HTTP, verbs, registry, store, watch. See README.md for the ladder, the
 * guarantees and what is refused.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Kind } from '@/lib/kube/kind'
import type { Clock } from '@/lib/std/clock'
import type { Api, Log } from './api'
import type { Caller } from './call'
import { compactByAge } from './controllers/compaction'
import { startGarbageCollector } from './controllers/garbage'
import { startNamespaceController } from './controllers/namespaces'
import { createHandler, unauthorized } from './handler'
import { listen } from './http'
import { createMembers } from './members'
import { createRealm } from './realms'
import { createRegistry } from './registry/registry'
import type { Realm } from './registry/realm'
import type { Store } from './store/store'
import type { KeyPair } from './tls/self-signed'
import { createWatchHub } from './watch/hub'

export type { Log, LogLevel } from './api'
export type { Store } from './store/store'
export { createMemoryStore } from './store/memory'
export { openSqliteStore } from './store/sqlite'
export { type KeyPair, selfSigned } from './tls/self-signed'
export { StoreCorrupt, StoreLocked, StoreTooNew } from './store/errors'

/** Who a bearer token stands for. */
export interface Token {
  token: string
  user: string
  groups: readonly string[]
}

export interface ApiServerOptions {
  store: Store
  /** The kinds that are served; members serve those outside the groups of Karmada. */
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
   * Makes the same port speak TLS too. kubectl sends tokens over TLS only, so a kubeconfig needs `https://` and the
   * certificate as its authority.
   */
  tls?: KeyPair
  log?: Log
}

export interface ApiServer {
  /** `http://host:port` */
  url: string
  port: number
  /** Ends every connection. The store stays open; whoever opened it closes it. */
  close(): Promise<void>
}

/**
 * Starts to serve. Resolves once requests are accepted; rejects when the port is taken or the store cannot be written.
 */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, kinds, clock, uid, random, log = () => undefined, host } = options
  const fresh = store.revision === 0
  const api: Api = { store, clock, uid, random, log, hub: createWatchHub(store) }
  const plane = await createRealm(api, { name: '', registry: createRegistry(kinds) })
  if (fresh) store.compact(store.revision)
  const members = createMembers(api, kinds)
  const realmOf = (name: string): Realm => (name === '' ? plane : members.realm(name))
  const controllers = [startNamespaceController(api, realmOf), startGarbageCollector(api, realmOf)]
  const stopCompaction = compactByAge(store, clock)
  const { handle } = createHandler(api, plane, members)
  const server = await listen({
    host,
    port: options.port,
    tls: options.tls,
    authenticate: authenticator(options.tokens),
    onFault: (error, request) => log(
      'error', { request, error: error instanceof Error ? error.stack : String(error) }, 'a request failed',
    ),
    handle,
  })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    port: server.port,
    close: async () => {
      members.close()
      stopCompaction()
      await Promise.all(controllers.map((controller) => controller.close()))
      api.hub.endAll()
      await server.close()
      await store.settled()
    },
  }
}

/** Compares digests, so that the time it takes says nothing about the tokens. */
function authenticator(tokens: readonly Token[]): (authorization: string | undefined) => Caller | undefined {
  const known = tokens.map(
    ({ token, user, groups }) => (
      { digest: digest(token), caller: { user, groups: [...groups, 'system:authenticated'] } }
    )
  )
  let last: { header: string; caller: Caller } | undefined
  return (authorization) => {
    if (authorization === undefined) return undefined
    if (last?.header === authorization) return last.caller
    const given = digest(/^Bearer +(.+)$/i.exec(authorization)?.[1] ?? '')
    const match = known.find((candidate) => timingSafeEqual(candidate.digest, given))
    if (!match) throw unauthorized()
    last = { header: authorization, caller: match.caller }
    return match.caller
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
