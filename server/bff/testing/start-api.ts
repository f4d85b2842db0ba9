/** The HTTP API over endpoints of the test, on a free port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Clock } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import { createRestClient } from '@/server/kube/rest-client'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import type { Access } from '../access/access'
import { EVERYTHING } from '../access/scope'
import { AuditLog } from '../audit/audit-log'
import type { AuditRecord } from '../audit/audit'
import { noSink } from '../audit/audit-sink'
import { createApi } from '../http/api'
import type { AnyEndpoint } from '../http/endpoint'
import { namesOf } from '../http/guard'
import type { RateLimitSettings } from '../http/rate-limits'
import { noBffMetrics } from '../metrics-hooks'
import { createMemoryStore } from '../shared/memory-store'
import type { SharedStore } from '../shared/store'

export interface ApiSetup {
  endpoints: readonly AnyEndpoint[]
  /** Default: a client without a server. */
  client?: KubeClient
  clock?: Clock
  store?: SharedStore
  via?: 'local' | 'token'
  readOnly?: boolean
  can?: Access['can']
  rateLimits?: RateLimitSettings
  answerMs?: number
}

export interface TestApi {
  url: string
  /** The lines of the audit log, oldest first. */
  audited: () => AuditRecord[]
}

/**
 * Starts it until the test ends. The header `x-user` names the caller, default `jane`; `x-key` is the key of the
 * principal, `x-address` the client address.
 */
export async function startApi({
  endpoints,
  clock = systemClock,
  via = 'token',
  readOnly = false,
  ...setup
}: ApiSetup): Promise<TestApi> {
  const lines: string[] = []
  const log = createLogger({ level: 'silent' })
  const nobody = createRestClient({ url: 'http://127.0.0.1:9', token: 'none' })
  const sink = { ...noSink(), append: (line: string) => void lines.push(line) }
  const audit = new AuditLog({ sink, clock, random: () => 0.5, log })
  const access: Access = {
    can: setup.can ?? (() => Promise.resolve({ allowed: true, reason: '' })),
    whenReviewed: () => Promise.resolve(EVERYTHING),
    scope: EVERYTHING,
    whyUnread: () => undefined,
    onScope: () => () => undefined,
    close: () => undefined,
  }
  const api = createApi({
    endpoints,
    clock,
    log,
    audit,
    names: namesOf(['127.0.0.1']),
    metrics: noBffMetrics,
    accessOf: () => access,
    store:
      setup.store
      ?? createMemoryStore({
        clock,
        onError: (error) => {
          throw error
        },
      }),
    probes: { cache: { copies: () => [] }, clock },
    authenticator: {
      readOnly,
      addressOf: ({ headers }) => String(headers['x-address'] ?? '10.0.0.1'),
      authenticate: ({ headers }) => {
        const user = String(headers['x-user'] ?? 'jane')
        return Promise.resolve({
          identity: { user, groups: ['staff'] },
          key: String(headers['x-key'] ?? user),
          via,
          session: { id: `session-of-${user}`, expiresAt: 0 },
          client: setup.client ?? nobody,
        })
      },
    },
    ...(setup.rateLimits && { rateLimits: setup.rateLimits }),
    ...(setup.answerMs !== undefined && { answerMs: setup.answerMs }),
  })
  const server = createServer((request, response) => void api.handle(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await nobody.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    audited: () => lines.map((line) => JSON.parse(line) as AuditRecord),
  }
}
