/** Interface between a client and a server: over HTTP, or direct calls for a server in this process. */

import type { Identity } from '@/lib/kube/rbac/attributes'

export interface TransportRequest {
  method: string
  /** Path with query. */
  path: string
  /** Names the client in the server's logs. */
  userAgent: string
  /** Sent as JSON. Callers may change the object after the call. */
  body?: unknown
  /** `application/json` when absent. */
  contentType?: string
  /** The impersonated identity, if any. */
  as?: Identity
  signal?: AbortSignal
}

/** An answer with any code. */
export interface TransportAnswer {
  code: number
  /** Parsed JSON, otherwise the text. It may be shared: never change it. */
  body: unknown
  retryAfterSeconds?: number
}

/** One line of a watch. */
export interface TransportLine {
  type: string
  object: unknown
}

/** Sends requests. All methods reject if there is no answer; an answer with any code resolves. */
export interface Transport {
  call(request: TransportRequest): Promise<TransportAnswer>
  /** Returns the lines of a watch until the server ends it. Reading rejects if it breaks. */
  watch(request: TransportRequest): Promise<TransportAnswer | { lines: AsyncIterable<TransportLine> }>
  /** Streams a text, such as the log of a pod. */
  stream(request: TransportRequest): Promise<TransportAnswer | { chunks: AsyncIterable<string> }>
  close(): Promise<void>
}
