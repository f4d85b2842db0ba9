/** Metrics of the stream, of HTTP, of access and login. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type {
  AccessMetrics,
  AuditMetrics,
  AuthMetrics,
  BffMetrics,
  HttpMetrics,
  LiveMetrics,
  PredictionMetrics,
  StoreMetrics,
} from '@/server/bff/metrics-hooks'

const ANSWER_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

export function bffMetrics(registry: Registry): BffMetrics {
  return {
    ...liveMetrics(registry),
    ...httpMetrics(registry),
    ...auditMetrics(registry),
    ...accessMetrics(registry),
    ...authMetrics(registry),
    ...storeMetrics(registry),
    ...predictionMetrics(registry),
  }
}

function predictionMetrics(registry: Registry): PredictionMetrics {
  const workloads = new Gauge({
    name: 'evenkeel_plan_predicted_workloads',
    help: 'Workloads of finished plans, by whether they ended where the preview put them.',
    labelNames: ['result'],
    registers: [registry],
  })
  const incidents = new Gauge({
    name: 'evenkeel_incident_predicted_workloads',
    help: 'Workloads of the last incidents, by whether they ended where the simulated loss of the cluster put them.',
    labelNames: ['result'],
    registers: [registry],
  })
  return {
    incidentPredictions: (exact, missed) => {
      incidents.set({ result: 'exact' }, exact)
      incidents.set({ result: 'missed' }, missed)
    },
    predictions: (exact, missed) => {
      workloads.set({ result: 'exact' }, exact)
      workloads.set({ result: 'missed' }, missed)
    },
  }
}

function liveMetrics(registry: Registry): LiveMetrics {
  const registers = [registry]
  const clients = new Gauge({ name: 'evenkeel_live_clients', help: 'Browsers connected.', registers })
  const subscriptions = new Gauge({
    name: 'evenkeel_live_subscriptions',
    help: 'Subscriptions of all browsers.',
    registers,
  })
  const messages = new Counter({
    name: 'evenkeel_live_messages_total',
    help: 'Messages handed to sockets.',
    labelNames: ['message'],
    registers,
  })
  const bytes = new Counter({
    name: 'evenkeel_live_bytes_total',
    help: 'Bytes of those messages before compression.',
    labelNames: ['message'],
    registers,
  })
  const stalled = new Counter({
    name: 'evenkeel_live_stalled_total',
    help: 'Connections closed because they did not drain.',
    registers,
  })
  const heldBack = new Counter({
    name: 'evenkeel_live_held_back_total',
    help: 'Times that a slow socket was skipped until it drained.',
    registers,
  })
  const refused = new Counter({
    name: 'evenkeel_live_refused_total',
    help: 'Handshakes and subscriptions refused.',
    labelNames: ['reason'],
    registers,
  })
  return {
    clients: (count) => clients.set(count),
    subscriptions: (count) => subscriptions.set(count),
    sent(message, size) {
      messages.inc({ message })
      bytes.inc({ message }, size)
    },
    stalled: () => stalled.inc(),
    heldBack: () => heldBack.inc(),
    refused: (reason) => refused.inc({ reason }),
  }
}

function httpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry]
  const requests = new Histogram({
    name: 'evenkeel_http_request_duration_seconds',
    help: 'Duration of one answered request.',
    labelNames: ['method', 'route', 'code'],
    buckets: ANSWER_BUCKETS,
    registers,
  })
  const actions = new Histogram({
    name: 'evenkeel_action_duration_seconds',
    help: 'Duration of one user action, by result.',
    labelNames: ['endpoint', 'result'],
    buckets: ANSWER_BUCKETS,
    registers,
  })
  const limited = new Counter({
    name: 'evenkeel_rate_limited_total',
    help: 'Requests refused by a rate limit.',
    labelNames: ['route'],
    registers,
  })
  return {
    httpRequest: (method, route, code, seconds) => requests.observe({ method: methodOf(method), route, code }, seconds),
    action: (endpoint, result, seconds) => actions.observe({ endpoint, result }, seconds),
    limited: (route) => limited.inc({ route }),
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])

/**
 * HTTP methods are chosen by the caller; https://opentelemetry.io/docs/specs/semconv/http/http-metrics/ defines this
 * value.
 */
const methodOf = (method: string): string => (METHODS.has(method) ? method : '_OTHER')

function auditMetrics(registry: Registry): AuditMetrics {
  const failures = new Counter({
    name: 'evenkeel_audit_failures_total',
    help: 'Audit lines and Events that could not be written.',
    labelNames: ['sink'],
    registers: [registry],
  })
  return { auditFailed: (sink) => failures.inc({ sink }) }
}

function accessMetrics(registry: Registry): AccessMetrics {
  const registers = [registry]
  const reviews = new Histogram({
    name: 'evenkeel_access_review_duration_seconds',
    help: 'Duration of one access review by the API server, by result.',
    labelNames: ['review', 'result'],
    buckets: ANSWER_BUCKETS,
    registers,
  })
  const users = new Gauge({
    name: 'evenkeel_access_reviewed_users',
    help: 'Users whose rights are kept up to date.',
    registers,
  })
  return {
    reviewed: (review, result, seconds) => reviews.observe({ review, result }, seconds),
    reviewedUsers: (count) => users.set(count),
  }
}

function authMetrics(registry: Registry): AuthMetrics {
  const registers = [registry]
  const logins = new Counter({
    name: 'evenkeel_login_total',
    help: 'Login attempts, by result.',
    labelNames: ['via', 'result'],
    registers,
  })
  const refused = new Counter({
    name: 'evenkeel_session_refused_total',
    help: 'Requests and sockets refused because of their session.',
    labelNames: ['reason'],
    registers,
  })
  return { login: (via, result) => logins.inc({ via, result }), sessionRefused: (reason) => refused.inc({ reason }) }
}

/** Absent, not 0, without a shared store. */
function storeMetrics(registry: Registry): StoreMetrics {
  const up = new Gauge({
    name: 'evenkeel_store_up',
    help: '1 while the shared store is reachable.',
    labelNames: ['store'],
    registers: [registry],
  })
  return { storeReachable: (reachable) => up.set({ store: 'shared' }, reachable ? 1 : 0) }
}
