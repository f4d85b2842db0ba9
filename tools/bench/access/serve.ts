/** The backend for the frontend alone, without login: clients name their user, because authorization is measured. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { selfSubjectAccessReview } from '@/lib/kube/kinds/access-reviews'
import { RBAC_GROUP } from '@/lib/kube/rbac/names'
import { createBff } from '@/server/bff'
import type { Authenticator } from '@/server/bff/auth/authenticator'
import { createLocalAuthenticator } from '@/server/bff/auth/local'
import { noBffMetrics } from '@/server/bff/metrics-hooks'
import type { KubeClient } from '@/server/kube/client'
import { createInformers } from '@/server/kube/informers'
import { createRestClient } from '@/server/kube/rest-client'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { TOKEN } from '../stream/fleet'

export interface ServeOptions {
  url: string
  /** The console may not list RBAC objects, so it cannot watch role bindings. */
  unwatched: boolean
}

/** Resource usage of the process so far. */
export interface AccessFigures {
  cpuSeconds: number
  residentMegabytes: number
  heapMegabytes: number
  /** Reviews that were answered. */
  reviews: number
}

async function serve({ url, unwatched }: ServeOptions): Promise<void> {
  const log = createLogger({ level: 'warn' })
  const client = createRestClient({ url, token: TOKEN, userAgent: 'bench' })
  const informers = createInformers({
    client,
    clock: systemClock,
    random: Math.random,
    onError: (error) => log.error({ err: error }, 'failed'),
  })
  let reviews = 0
  const bff = createBff({
    client: unwatched ? blindTo(client) : client,
    informers,
    clock: systemClock,
    log,
    random: Math.random,
    allowedHosts: [],
    authenticator: trustingAuthenticator(client),
    limits: { socketsPerUser: 10_000, sockets: 10_000 },
    figures: {
      ...noBffMetrics,
      reviewed: () => {
        reviews += 1
      },
    },
    about: { mode: 'connected', server: url, reconcilers: () => [] },
  })
  const server = createServer((request, response) => void bff.handle(request, response))
  bff.attach(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  await informers.whenSynced()
  process.on('message', () => process.send?.(usage(reviews)))
  process.on('disconnect', () => process.exit(0))
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** Accepts the user name of the request. */
function trustingAuthenticator(client: KubeClient): Authenticator {
  return {
    ...createLocalAuthenticator({ client, clock: systemClock, user: undefined }),
    authenticate: ({ headers }) => {
      const identity = { user: String(headers['x-bench-user']), groups: [] }
      return Promise.resolve({ identity, key: identity.user, via: 'token', client: client.as(identity) })
    },
  }
}

/** The client of a console that may not list RBAC objects. */
function blindTo(client: KubeClient): KubeClient {
  const create: KubeClient['create'] = (kind, object, options) => {
    const { resourceAttributes } = (object as { spec?: { resourceAttributes?: { group?: string } } }).spec ?? {}
    const isAsked = (kind as unknown) === selfSubjectAccessReview && resourceAttributes?.group === RBAC_GROUP
    return isAsked
      ? Promise.resolve({ ...object, status: { allowed: false } } as never)
      : client.create(kind, object, options)
  }
  return new Proxy(client, {
    get: (target, property) => {
      if (property === 'create') return create
      const own: unknown = Reflect.get(target, property)
      return typeof own === 'function' ? (own.bind(target) as unknown) : own
    },
  })
}

function usage(reviews: number): AccessFigures {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return {
    cpuSeconds: (user + system) / 1e6,
    residentMegabytes: Math.round(rss / 1e6),
    heapMegabytes: Math.round(heapUsed / 1e6),
    reviews,
  }
}

await serve(JSON.parse(process.argv[2] as string) as ServeOptions)
