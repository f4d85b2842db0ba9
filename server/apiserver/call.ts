/** Types between the layers: a request for the verbs, and their answers. */
import type { IncomingHttpHeaders } from 'node:http'

/** The user who sent the request. */
export interface Caller {
  user: string
  /** Distinguishes users with the same name at different times. */
  uid?: string
  groups: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
  /** The simulated member that this is an account of: one that the control plane does not know. */
  member?: string
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
  /** The body of an in-process caller, as an object that is not shared. */
  value?: unknown
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void
  /** False for callers without headers, for which no warnings are composed. */
  readsWarnings: boolean
}

/** A text goes to the socket as it is: Node puts it together with the headers, without a copy in between. */
export type Chunk = string | Buffer

/** A complete answer. */
export interface Reply {
  status: number
  /** `application/json` when absent. */
  type?: string
  headers?: Record<string, string>
  /** Sent unchanged, in chunks that may be created lazily; otherwise `value` is sent as JSON or YAML. */
  text?: string | Iterable<string>
  value?: unknown
  /** The body as it is sent, once it is rendered: see `render.ts`. */
  bytes?: readonly Chunk[]
  /** The parsed `text`, for an in-process caller. Shared with the store: never change it. */
  object?: () => unknown
}

/** Destination of a stream. Writes never block. */
export interface Sink<Chunk = string | Uint8Array> {
  /** Bytes that were written and not yet taken by the reader. */
  readonly pending: number
  write(chunk: Chunk): void
  /** Ends the stream in order. */
  end(): void
  /** Cuts the connection. */
  drop(): void
  onClose(callback: () => void): void
}

/** A line of a watch, as its reader finds it. */
export interface WatchedObject {
  type: string
  /** Shared with the store: never change it. */
  object: unknown
  /** How long it is as text. */
  size: number
}

/** A streamed answer: a watch, or a log that is followed. */
export interface Stream {
  /** The media type of the whole stream. */
  type?: string
  start(sink: Sink): void
  /** Of a watch: the same for a reader in this process. */
  follow?(sink: Sink<readonly WatchedObject[]>): void
}

export type Answer = Reply | Stream

export function isStream(answer: Answer): answer is Stream {
  return 'start' in answer
}

/** Returns a plain text response. */
export function text(status: number, body: string): Reply {
  return { status, type: 'text/plain; charset=utf-8', text: body }
}

export function json(value: unknown, status = 200): Reply {
  return { status, value }
}
