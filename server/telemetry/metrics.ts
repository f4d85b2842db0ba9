/** Prometheus metrics of this process. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { RuntimeMetrics } from '@/server/runtime/metrics-hooks'

export interface Metrics extends RuntimeMetrics {
  /** One answered HTTP request of ours. `route` is a pattern, never a path with names in it. */
  httpRequest(method: string, route: string, code: number, seconds: number): void
  /** The text of `/metrics` and its content type. */
  expose(): Promise<{ contentType: string; text: string }>
  readonly registry: Registry
}

const RECONCILE_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
const HTTP_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** A registry of its own, so that several can live in one process (tests). */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const controller = { labelNames: ['controller'] as const, registers }
  const reconciles = new Counter({
    name: 'evenkeel_reconcile_total', help: 'Reconciles by how they ended.',
    labelNames: ['controller', 'outcome'], registers,
  })
  const durations = new Histogram({
    name: 'evenkeel_reconcile_duration_seconds', help: 'Time of one reconcile.',
    buckets: RECONCILE_BUCKETS, ...controller,
  })
  const depth = new Gauge({ name: 'evenkeel_workqueue_depth', help: 'Keys waiting for a worker.', ...controller })
  const leads = new Gauge({ name: 'evenkeel_leader', help: '1 while this process runs the loop.', ...controller })
  const requests = new Histogram({
    name: 'evenkeel_http_request_duration_seconds', help: 'Time of one answered request.',
    labelNames: ['method', 'route', 'code'], buckets: HTTP_BUCKETS, registers,
  })
  return {
    registry,
    reconciled(controller, outcome, seconds) {
      reconciles.inc({ controller, outcome })
      durations.observe({ controller }, seconds)
    },
    queueDepth: (controller, value) => depth.set({ controller }, value),
    leading: (controller, value) => leads.set({ controller }, value ? 1 : 0),
    httpRequest: (method, route, code, seconds) => requests.observe({ method, route, code }, seconds),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
