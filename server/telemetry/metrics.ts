/** Prometheus metrics of this process. README.md lists them all. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MessageProblem } from '@/lib/messages'
import type { BffMetrics } from '@/server/bff/metrics-hooks'
import type { WatchMetrics } from '@/server/kube/watch-metrics'
import type { NoticeMetrics } from '@/server/notify'
import type { QueueMetrics, RuntimeMetrics } from '@/server/runtime/metrics-hooks'
import { bffMetrics } from './bff-metrics'
import { noticeMetrics } from './notice-metrics'

export interface Metrics extends RuntimeMetrics, QueueMetrics, WatchMetrics, BffMetrics, NoticeMetrics {
  /** A request to the API server ended; `code` 0: no answer. Watches are not counted. */
  apiServerAnswered(method: string, code: number, seconds: number): void
  /** The event loop was blocked for 100 ms or longer; `by` is one of few values. */
  eventLoopBlocked(by: string, seconds: number): void
  /** A message was rendered without a text in its language, or with an argument of a wrong type. */
  messageProblem(problem: MessageProblem): void
  /** The text of `/metrics` and its content type. */
  expose(): Promise<{ contentType: string; text: string }>
  readonly registry: Registry
}

export interface BuildInfo {
  version: string
  mode: 'embedded' | 'connected'
}

const RECONCILE_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
const BLOCKED_BUCKETS = [0.2, 0.5, 1, 2, 5, 10]
const ANSWER_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** A separate registry, so that several can exist in one process (tests). */
export function createMetrics(build: BuildInfo = { version: 'unknown', mode: 'embedded' }): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  describeBuild(registry, build)
  return {
    registry,
    ...runtimeMetrics(registry),
    unadmitted: unadmittedMetric(registry),
    ...watchMetrics(registry),
    ...bffMetrics(registry),
    ...noticeMetrics(registry),
    apiServerAnswered: apiServerMetric(registry),
    eventLoopBlocked: blockedMetric(registry),
    messageProblem: messageMetric(registry),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

function describeBuild(registry: Registry, { version, mode }: BuildInfo): void {
  const info = new Gauge({
    name: 'evenkeel_build_info',
    help: 'Always 1; the labels describe the process.',
    labelNames: ['version', 'mode', 'node'],
    registers: [registry],
  })
  info.set({ version, mode, node: process.version }, 1)
}

function runtimeMetrics(registry: Registry): RuntimeMetrics {
  const registers = [registry]
  const controller = { labelNames: ['controller'] as const, registers }
  const reconciles = new Counter({
    name: 'evenkeel_reconcile_total',
    help: 'Reconciles by outcome.',
    labelNames: ['controller', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'evenkeel_reconcile_duration_seconds',
    help: 'Duration of one reconcile.',
    buckets: RECONCILE_BUCKETS,
    ...controller,
  })
  const depth = new Gauge({ name: 'evenkeel_workqueue_depth', help: 'Keys waiting for a worker.', ...controller })
  const leads = new Gauge({ name: 'evenkeel_leader', help: '1 while this process runs the controller.', ...controller })
  const troubled = new Gauge({
    name: 'evenkeel_quarantined_objects',
    help: 'Objects that a controller keeps failing on or skips.',
    ...controller,
  })
  return {
    failing: (controller, count) => troubled.set({ controller }, count),
    reconciled(controller, outcome, seconds) {
      reconciles.inc({ controller, outcome })
      durations.observe({ controller }, seconds)
    },
    queueDepth: (controller, value) => depth.set({ controller }, value),
    leading: (controller, value) => leads.set({ controller }, value ? 1 : 0),
  }
}

function messageMetric(registry: Registry): Metrics['messageProblem'] {
  const problems = new Counter({
    name: 'evenkeel_message_problems_total',
    help: 'Messages that were rendered without a text or with a wrong argument.',
    labelNames: ['kind', 'locale'],
    registers: [registry],
  })
  // No code as a label: a client could make series with codes of its own.
  return ({ kind, locale }) => problems.inc({ kind, locale })
}

function unadmittedMetric(registry: Registry): Metrics['unadmitted'] {
  const unadmitted = new Gauge({
    name: 'evenkeel_queue_unadmitted_bindings',
    help: 'Pending bindings that were placed without admission by their queue.',
    labelNames: ['queue'],
    registers: [registry],
  })
  return (byQueue) => {
    unadmitted.reset()
    for (const [queue, count] of byQueue) unadmitted.set({ queue }, count)
  }
}

function watchMetrics(registry: Registry): WatchMetrics {
  const registers = [registry]
  const lastSeen = new Map<string, number>()
  const age = new Gauge({
    name: 'evenkeel_watch_last_event_age_seconds',
    help: 'Time since the last event of this kind from the API server, bookmarks included.',
    labelNames: ['resource'],
    registers,
    collect() {
      for (const [resource, at] of lastSeen) this.set({ resource }, (performance.now() - at) / 1000)
    },
  })
  const events = new Counter({
    name: 'evenkeel_watch_events_total',
    help: 'Lists, events and bookmarks that reached a cache.',
    labelNames: ['resource'],
    registers,
  })
  const restarts = new Counter({
    name: 'evenkeel_watch_restarts_total',
    help: 'Watches restarted, by reason.',
    labelNames: ['resource', 'why'],
    registers,
  })
  const live = new Gauge({
    name: 'evenkeel_watch_live',
    help: '1 while the cache follows the API server.',
    labelNames: ['resource'],
    registers,
  })
  return {
    seen(resource) {
      // Set at once, so that the metric exists from the first event on.
      if (!lastSeen.has(resource)) age.set({ resource }, 0)
      lastSeen.set(resource, performance.now())
      events.inc({ resource })
    },
    restarted: (resource, why) => restarts.inc({ resource, why }),
    following: (resource, value) => live.set({ resource }, value ? 1 : 0),
  }
}

function apiServerMetric(registry: Registry): Metrics['apiServerAnswered'] {
  const answers = new Histogram({
    name: 'evenkeel_apiserver_request_duration_seconds',
    help: 'Duration of one request to the API server, without watches; code 0: no answer.',
    labelNames: ['method', 'code'],
    buckets: ANSWER_BUCKETS,
    registers: [registry],
  })
  return (method, code, seconds) => answers.observe({ method, code }, seconds)
}

function blockedMetric(registry: Registry): Metrics['eventLoopBlocked'] {
  const blocked = new Histogram({
    name: 'evenkeel_event_loop_blocked_seconds',
    help: 'Delays of the event loop of 100 ms or longer, by the controller or part that caused them.',
    labelNames: ['by'],
    buckets: BLOCKED_BUCKETS,
    registers: [registry],
  })
  return (by, seconds) => blocked.observe({ by }, seconds)
}
