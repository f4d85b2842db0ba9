/** Prepares every request: ID, headers, logs and traces. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { requestIdOf } from '@/server/bff/http/request-id'
import type { Logger } from '@/server/runtime/controller'
import { withContext } from '@/server/telemetry/context'
import { noSpans, type OpenSpan, type Spans } from '@/server/telemetry/spans'
import { asWork } from '@/server/telemetry/work'
import { sendFault } from './faults'
import { type HeaderOptions, securityHeaders } from './headers'
import { pathOf, surfaceOf } from './surface'
import { readTarget } from './target'

export interface FrontOptions extends HeaderOptions {
  log: Logger
  /** Default: no tracing. */
  spans?: Spans
  /** True once the server is stopping: then every answer closes its connection. */
  leaving: () => boolean
}

/** Wraps all current listeners of the server. Call it when they are complete. */
export function goInFront(server: Server, options: FrontOptions): void {
  const setHeaders = securityHeaders(options)
  inFront<ServerResponse>(server, 'request', (request, response, proceed) => {
    const requestId = idOf(request)
    const fault = readTarget(request)
    const surface = fault ? 'data' : surfaceOf(pathOf(request))
    setHeaders(request, response, { surface, nonce: randomBytes(16).toString('base64') })
    response.setHeader('x-request-id', requestId)
    if (options.leaving()) response.setHeader('connection', 'close')
    const work = { by: 'console', requestId, method: request.method ?? '', path: pathOf(request) }
    const inside = (): void =>
      withContext({ requestId }, () =>
        asWork(work, () => {
          logAnswer(options.log, request, response)
          if (fault) sendFault(request, response, fault)
          else proceed()
        }),
      )
    if (surface === 'live') inside()
    else trace(options.spans ?? noSpans, { request, response, proceed: inside })
  })
  inFront<Duplex>(server, 'upgrade', (request, socket, proceed) => {
    if (readTarget(request) || surfaceOf(pathOf(request)) !== 'live') {
      return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
    }
    const requestId = idOf(request)
    withContext({ requestId }, proceed)
  })
}

type Around<R> = (request: IncomingMessage, second: R, proceed: () => void) => void

function inFront<R>(server: Server, event: 'request' | 'upgrade', around: Around<R>): void {
  const inner = server.listeners(event)
  server.removeAllListeners(event)
  server.on(event, (request: IncomingMessage, second: R, ...rest: unknown[]) => {
    around(request, second, () => {
      for (const listener of inner) (listener as (...args: unknown[]) => void).call(server, request, second, ...rest)
    })
  })
}

/** The ID of the request, which becomes its `x-request-id`. */
function idOf(request: IncomingMessage): string {
  const id = requestIdOf(request)
  request.headers['x-request-id'] = id
  return id
}

function logAnswer(log: Logger, request: IncomingMessage, response: ServerResponse): void {
  const began = performance.now()
  const { method = '' } = request
  const path = pathOf(request)
  response.once('finish', () => {
    log.debug({ method, path, code: response.statusCode, ms: Math.round(performance.now() - began) }, 'answered')
  })
}

interface Traced {
  request: IncomingMessage
  response: ServerResponse
  proceed: () => void
}

/** A span until the answer is sent or the client disconnects. It is renamed when the route is known. */
function trace(spans: Spans, { request, response, proceed }: Traced): void {
  const { method = 'GET', headers } = request
  const traceparent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined
  const attributes = { 'http.request.method': method, 'url.path': pathOf(request) }
  void spans.within({ name: method, kind: 'server', attributes, traceparent }, (span) => {
    const ended = new Promise<void>((resolve) => {
      response.once('close', () => {
        conclude(span, response)
        resolve()
      })
    })
    proceed()
    return ended
  })
}

function conclude(span: OpenSpan, { statusCode, writableFinished }: ServerResponse): void {
  span.set({ 'http.response.status_code': statusCode })
  if (statusCode >= 500) span.fail(`HTTP ${statusCode}`)
  else if (!writableFinished) span.fail('client disconnected')
}
