/** Spans. `tracing.ts` sends them to a collector; by default they are dropped. */

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanDetails {
  name: string
  /** `server`: incoming request; `client`: outgoing request; `internal`: neither. */
  kind: 'server' | 'client' | 'internal'
  attributes?: SpanAttributes
  /** The `traceparent` header of the request. A malformed one starts a new trace. */
  traceparent?: string | undefined
}

/** A piece of work under way. */
export interface OpenSpan {
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** Marks it as failed without an exception. */
  fail(message: string): void
}

export interface Spans {
  /** Runs `act` within a span that lasts until its promise settles; spans started in it are its children. */
  within<T>(details: SpanDetails, act: (span: OpenSpan) => Promise<T>): Promise<T>
  /** The current span. */
  current(): OpenSpan | undefined
  /** The header for requests to others (W3C Trace Context); undefined when nothing is traced. */
  traceparent(): string | undefined
  /** Flushes pending spans. Never rejects and takes 3 s at most. */
  close(): Promise<void>
}

const unseen: OpenSpan = { rename: () => undefined, set: () => undefined, fail: () => undefined }

/** Nothing is traced. */
export const noSpans: Spans = {
  within: (_, act) => act(unseen),
  current: () => undefined,
  traceparent: () => undefined,
  close: () => Promise.resolve(),
}
