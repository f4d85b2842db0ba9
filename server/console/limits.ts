/** An HTTP server that a slow or greedy client cannot hold. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { pathOf, surfaceOf } from './surface'

/** Milliseconds, bytes and counts; README.md says why each. */
export const HTTP_LIMITS = {
  /** All headers of a request together. */
  maxHeaderSize: 16 * 1024,
  /** Until the headers are complete. */
  headersTimeout: 10_000,
  /** Until the body is complete. */
  requestTimeout: 30_000,
  /** How often the two above are looked at; a request may take that much longer. */
  connectionsCheckingInterval: 2000,
  /** Longer than what proxies in front keep theirs (usually 60 s), so that these close first. */
  keepAliveTimeout: 65_000,
  /**
   * Nothing read and nothing written, in the middle of an answer. Sockets of the live stream have their own heartbeat.
   */
  inactivityTimeout: 120_000,
  maxConnections: 10_000,
  maxHeadersCount: 100,
} as const

export type HttpLimits = { [K in keyof typeof HTTP_LIMITS]: number }

/**
 * Clients that offer HTTP/2 in every first request, as Java's does, are answered in HTTP/1.1. What lacks a Host is
 * refused in `target.ts`, in the form of all refusals.
 */
const LENIENT = {
  requireHostHeader: false,
  shouldUpgradeCallback: (request: IncomingMessage) =>
    surfaceOf(pathOf(request)) === 'live' || request.headers.upgrade?.toLowerCase() === 'websocket',
}

/** Answers 431 to headers that are too large and 408 to requests that do not end, and closes those connections. */
export function createLimitedServer(limits: HttpLimits = HTTP_LIMITS): Server {
  const { maxConnections, maxHeadersCount, inactivityTimeout, ...options } = limits
  const server = createServer({ ...options, ...LENIENT })
  server.maxConnections = maxConnections
  server.maxHeadersCount = maxHeadersCount
  server.setTimeout(inactivityTimeout)
  // An expectation that nobody knows may be passed over (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}
