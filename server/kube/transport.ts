/** How requests of a client reach a server. Contract; over HTTP and, where the server is in this process, without it. */

import type { Identity } from '@/lib/kube/rbac/attributes'

export interface TransportRequest {
  method: string
  /** Below the server's root, with its query. */
  path: string
  /** Names the client in the server's logs. */
  userAgent: string
  /** Becomes JSON; whoever sends it may change it afterwards. */
  body?: unknown
  /** `application/json` when absent. */
  contentType?: string
  /** Whom the caller acts as, if not as itself. */
  as?: Identity
  signal?: AbortSignal
}

/** What came back, whatever its code. */
export interface TransportAnswer {
  code: number
  /** Read from JSON where it was JSON, else the text. It may belong to others, too: never changed by its reader. */
  body: unknown
  retryAfterSeconds?: number
}

/** One line of a watch. */
export interface TransportLine {
  type: string
  object: unknown
}

/** Both reject when no answer comes; an answer of any code is one. */
export interface Transport {
  call(request: TransportRequest): Promise<TransportAnswer>
  /** The lines of a watch until the server ends it; reading them rejects when it breaks. */
  watch(request: TransportRequest): Promise<TransportAnswer | { lines: AsyncIterable<TransportLine> }>
  close(): Promise<void>
}
