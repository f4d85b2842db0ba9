/** An HTTP server with limits against slow and greedy clients. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { pathOf, surfaceOf } from './surface'

/** Milliseconds, bytes and counts; README.md has the reasons. */
export const HTTP_LIMITS = {
  /** All headers of a request. */
  maxHeaderSize: 16 * 1024,
  /** Until the headers are complete. */
  headersTimeout: 10_000,
  /** Until the body is complete. */
  requestTimeout: 30_000,
  /** Interval of checking the two above; a request may take that much longer. */
  connectionsCheckingInterval: 2000,
  /** Longer than common proxies (usually 60 s), so that these close first. */
  keepAliveTimeout: 65_000,
  /** Inactivity within an answer. Sockets of the live stream have their own heartbeat. */
  inactivityTimeout: 120_000,
  maxConnections: 10_000,
  maxHeadersCount: 100,
} as const

export type HttpLimits = { [K in keyof typeof HTTP_LIMITS]: number }

/**
 * Clients that offer HTTP/2 in every first request, as Java's does, are answered in HTTP/1.1. A request without Host is
 * refused in `target.ts`, with problem details.
 */
const LENIENT = {
  requireHostHeader: false,
  shouldUpgradeCallback: (request: IncomingMessage) =>
    surfaceOf(pathOf(request)) === 'live' || request.headers.upgrade?.toLowerCase() === 'websocket',
}

/** Answers 431 for too large headers and 408 for requests that do not end, and closes those connections. */
export function createLimitedServer(limits: HttpLimits = HTTP_LIMITS): Server {
  const { maxConnections, maxHeadersCount, inactivityTimeout, ...options } = limits
  const server = createServer({ ...options, ...LENIENT })
  server.maxConnections = maxConnections
  server.maxHeadersCount = maxHeadersCount
  server.setTimeout(inactivityTimeout)
  // Node drops what follows a request whose upgrade is ignored; the client must not wait for an answer to it.
  server.on('request', (request, response) => {
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
  })
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}
