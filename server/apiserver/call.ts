/** What travels between the rungs: a request as the verbs see it, and what they answer. */
import type { IncomingHttpHeaders } from 'node:http'

/** Who asks. */
export interface Caller {
  user: string
  /** Tells apart users who had the same name at different times. */
  uid?: string
  groups: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/** A request after authentication. */
export interface Call {
  method: string
  /** As it came, still percent-encoded, without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  caller: Caller
  /** Every value of each header, where a header may come more than once. */
  distinctHeaders(): NodeJS.Dict<string[]>
  /** The whole body as text. Rejects with 413 beyond the limit. */
  body(): Promise<string>
  bytes(): Promise<Buffer>
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void
}

/** A complete answer. */
export interface Reply {
  status: number
  /** `application/json` when absent. */
  type?: string
  headers?: Record<string, string>
  /** What is sent as it is; else `value` is sent as JSON or as YAML, as the caller prefers. */
  text?: string | readonly string[]
  value?: unknown
}

/** Where a stream goes. Nothing written here ever waits. */
export interface Sink {
  /** Bytes that were written and not yet taken by the network. */
  readonly pending: number
  write(chunk: string | Uint8Array): void
  /** Ends the stream in order. */
  end(): void
  /** Cuts the connection. */
  drop(): void
  onClose(callback: () => void): void
}

/** An answer that goes on: a watch. */
export interface Stream {
  /** The media type of the whole stream. */
  type?: string
  start(sink: Sink): void
}

export type Answer = Reply | Stream

export function isStream(answer: Answer): answer is Stream {
  return 'start' in answer
}

/** An answer that is sent as it is. */
export function text(status: number, body: string): Reply {
  return { status, type: 'text/plain; charset=utf-8', text: body }
}

export function json(value: unknown, status = 200): Reply {
  return { status, value }
}
