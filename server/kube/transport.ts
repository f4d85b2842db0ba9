/** Interface between a client and a server: over HTTP, or direct calls for a server in this process. */

import type { Identity } from '@/lib/kube/rbac/attributes'

export interface TransportRequest {
  method: string
  /** Path with query. */
  path: string
  /** Names the client in the server's logs. */
  userAgent: string
  /** Sent as JSON; the caller may change it afterwards. */
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
  /** Parsed JSON, else the text. It may be shared: never change it. */
  body: unknown
  retryAfterSeconds?: number
}

/** One line of a watch. */
export interface TransportLine {
  type: string
  object: unknown
}

/** All reject if there is no answer; an answer with any code resolves. */
export interface Transport {
  call(request: TransportRequest): Promise<TransportAnswer>
  /** The lines of a watch until the server ends it; reading rejects if it breaks. */
  watch(request: TransportRequest): Promise<TransportAnswer | { lines: AsyncIterable<TransportLine> }>
  /** A text piece by piece, as it comes, such as the log of a pod. */
  stream(request: TransportRequest): Promise<TransportAnswer | { chunks: AsyncIterable<string> }>
  close(): Promise<void>
}
