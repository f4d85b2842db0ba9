/** Assembles the HTTP API: endpoints, call handling and the router. */
import type { Clock } from '@/lib/std/clock'
import type { Logger } from '@/server/runtime/controller'
import type { AuditLog } from '../audit/audit-log'
import type { HttpMetrics } from '../metrics-hooks'
import type { SharedStore } from '../shared/store'
import { Calls, type CallsOptions } from './calls'
import type { AnyEndpoint } from './endpoint'
import { Once } from './idempotency'
import type { Names } from './guard'
import { openApiEndpoint } from './openapi'
import { probes, type ProbeDeps } from './probes'
import { DEFAULT_RATE_LIMITS, RateLimits, type RateLimitSettings } from './rate-limits'
import { Router } from './router'

export interface ApiOptions extends Pick<CallsOptions, 'authenticator' | 'accessOf' | 'answerMs'> {
  endpoints: readonly AnyEndpoint[]
  probes: ProbeDeps
  names: Names
  store: SharedStore
  audit: AuditLog
  clock: Clock
  log: Logger
  metrics: HttpMetrics
  rateLimits?: RateLimitSettings | undefined
}

/**
 * Creates the router of everything under `/api/`, and of the probes. Throws when two endpoints have the same method and
 * path.
 */
export function createApi(options: ApiOptions): Router {
  const { endpoints, names, log, metrics, rateLimits = DEFAULT_RATE_LIMITS } = options
  const calls = new Calls({ ...options, limits: new RateLimits(rateLimits), once: new Once(options) })
  return new Router({
    endpoints: [...endpoints, openApiEndpoint(endpoints)],
    probes: probes(options.probes),
    prefix: '/api/',
    names,
    log,
    metrics,
    perform: (incoming) => calls.perform(incoming),
  })
}
