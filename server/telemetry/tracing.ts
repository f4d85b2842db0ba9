/** Sends spans to an OpenTelemetry collector over OTLP/HTTP. The libraries are loaded only if tracing is configured. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span, SpanContext, SpanKind } from '@opentelemetry/api'
import type { TracerProviderOptions } from '@opentelemetry/sdk-trace'
import { withContext } from './context'
import type { OpenSpan, SpanDetails, Spans } from './spans'

export interface TracingOptions {
  /** Base address of the collector, `http://collector:4318`; `/v1/traces` is added to it. */
  endpoint: string
  version: string
  /** Identifies the instance of the console. */
  instance: string
  /**
   * Share of traces started here that are recorded, 0 to 1. A request with `traceparent` brings its own decision.
   * Default 1.
   */
  ratio?: number
  /** How long spans are gathered before they are sent. Default 2000. */
  everyMs?: number
}

const MAX_CLOSE_MS = 3000
const KINDS = { internal: 0, server: 1, client: 2 } as const satisfies Record<SpanDetails['kind'], number>
const FAILED = 2

/** Starts the exporter. If the collector does not answer, spans are lost and requests are not affected. */
export async function openTracing(options: TracingOptions): Promise<Spans> {
  const [api, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: MAX_CLOSE_MS,
  })
  const provider = new sdk.TracerProvider({
    resource: describing(options),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(options.ratio ?? 1) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: options.everyMs ?? 2000, maxQueueSize: 4096 }),
    ],
  })
  const tracer = provider.getTracer('evenkeel', options.version)
  return new Tracing({
    begin: ({ name, kind, attributes }, parent) =>
      tracer.startSpan(name, { kind: KINDS[kind] as SpanKind, attributes: { ...attributes } }, parent),
    beside: (parent) => (parent ? api.trace.setSpanContext(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT),
    around: (span, parent) => api.trace.setSpan(parent, span),
    shutdown: () => provider.shutdown(),
  })
}

type Resource = NonNullable<TracerProviderOptions['resource']>

/** Resource of the sender; https://opentelemetry.io/docs/specs/semconv/resource/. */
function describing({ version, instance }: TracingOptions): Resource {
  const attributes = { 'service.name': 'evenkeel', 'service.version': version, 'service.instance.id': instance }
  const resource: Resource = { attributes, merge: () => resource, getRawAttributes: () => Object.entries(attributes) }
  return resource
}

interface Library {
  begin(details: SpanDetails, parent: Context): Span
  /** The context of a request from its `traceparent`; empty without one. */
  beside(parent: SpanContext | undefined): Context
  around(span: Span, parent: Context): Context
  shutdown(): Promise<void>
}

interface Place {
  span: Span
  context: Context
}

class Tracing implements Spans {
  readonly #place = new AsyncLocalStorage<Place>()

  constructor(private readonly library: Library) {}

  within<T>(details: SpanDetails, act: (span: OpenSpan) => Promise<T>): Promise<T> {
    const outer = this.#place.getStore()?.context ?? this.library.beside(parseTraceparent(details.traceparent))
    const span = this.library.begin(details, outer)
    const place = { span, context: this.library.around(span, outer) }
    return withContext({ traceId: span.spanContext().traceId }, () => this.#place.run(place, () => lasting(span, act)))
  }

  current(): OpenSpan | undefined {
    const place = this.#place.getStore()
    return place && handleOf(place.span)
  }

  traceparent(): string | undefined {
    const span = this.#place.getStore()?.span.spanContext()
    return span && `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
  }

  async close(): Promise<void> {
    const late = new Promise<void>((resolve) => {
      setTimeout(resolve, MAX_CLOSE_MS).unref()
    })
    // If the collector is unavailable at the end, the last spans are lost.
    await Promise.race([this.library.shutdown().catch(() => undefined), late])
  }
}

async function lasting<T>(span: Span, act: (span: OpenSpan) => Promise<T>): Promise<T> {
  const handle = handleOf(span)
  try {
    return await act(handle)
  } catch (error) {
    handle.fail(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    span.end()
  }
}

function handleOf(span: Span): OpenSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    fail: (message) => void span.setStatus({ code: FAILED, message }),
  }
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/**
 * W3C Trace Context, section 3.2: undefined if malformed; later versions are read as far as they are known.
 */
export function parseTraceparent(header: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header?.trim() ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
