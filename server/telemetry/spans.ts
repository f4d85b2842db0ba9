/** What is traced: pieces of work within pieces of work. `tracing.ts` sends them somewhere, by default nobody does. */

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanDetails {
  name: string
  /** `server`: we were asked; `client`: we ask; `internal`: neither. */
  kind: 'server' | 'client' | 'internal'
  attributes?: SpanAttributes
  /** The `traceparent` header of whoever asked, as it came. What is malformed begins a trace of its own. */
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
  /** Runs `act` within a span that lasts until its promise settles; what it starts in turn belongs to it. */
  within<T>(details: SpanDetails, act: (span: OpenSpan) => Promise<T>): Promise<T>
  /** The span that the code at hand runs in. */
  current(): OpenSpan | undefined
  /** The header for requests to others (W3C Trace Context); undefined when nothing is traced. */
  traceparent(): string | undefined
  /** Sends what is left. Never rejects and takes 3 s at most. */
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
