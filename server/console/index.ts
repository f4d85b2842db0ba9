/** Serves the console: the BFF first, Next.js for all other requests. */
import type { Message } from '@/lib/messages/message'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import next from 'next'
import type { Logger } from '@/server/runtime/controller'
import type { Spans } from '@/server/telemetry/spans'
import { compressedFirst } from './compressed'
import { followConnections } from './connections'
import { replaceFailures, sendFailure } from './failure'
import { answerFaults, sendFault } from './faults'
import { goInFront } from './front'
import { createLimitedServer } from './limits'
import { pathOf, surfaceOf } from './surface'
import type { Fault } from './target'

/** The part of the BFF that the HTTP server needs. */
export interface RequestHandler {
  /** False if the request is not for the BFF. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  attach(server: Server): void
  /** Reason to refuse a request of another site or host name; undefined if it is allowed. */
  foreign(request: IncomingMessage): Message | undefined
  /** Tells every browser to reconnect to another instance and closes its socket. */
  sendAway(): void
}

export interface ConsoleOptions {
  host: string
  port: number
  bff: RequestHandler
  log: Logger
  /** The public URL of the console, if it differs from the listening address. */
  publicUrl?: string | undefined
  /** Identifies the build of the pages. */
  build?: string | undefined
  spans?: Spans
  /** Called for every answer that is not from the BFF. */
  onAnswer?: (answer: { method: string; route: 'page' | 'asset'; code: number; seconds: number }) => void
}

export interface Console {
  url: string
  /** Refuses new requests, closes the sockets, and lets running requests finish for at most `graceMs`. */
  close(graceMs?: number): Promise<void>
}

const READ_ONLY: Fault = {
  reason: 'MethodNotAllowed',
  detail: 'Pages and files take GET or HEAD.',
  headers: { allow: 'GET, HEAD' },
}

/** Grace period of running requests at shutdown. */
const GRACE_MS = 10_000

/** The directory of `.next`: above the bundle. */
const root = fileURLToPath(new URL('..', import.meta.url))

/** Identifies the build of the pages: an earlier one had other files. Undefined before the first build. */
export function buildId(): string | undefined {
  const file = join(root, '.next/BUILD_ID')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** Listens, then resolves with the address. Rejects if the port is in use. */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const { host, port } = options
  const app = next({ dev: false, dir: root, hostname: host, port })
  await app.prepare()
  const { url, close } = await listen(options, compressedFirst(join(root, '.next/static'), app.getRequestHandler()))
  return { url, close: async (graceMs) => close(graceMs).then(() => app.close()) }
}

/** The same server without pages of Next.js: `bff` answers every request. */
export async function startWithoutPages(options: ConsoleOptions): Promise<Console> {
  return listen(options, async (_request, response) => void response.writeHead(404).end())
}

async function listen(options: ConsoleOptions, page: PageHandler): Promise<Console> {
  const { host, port } = options
  const { server, close } = serve(options, page)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`, close }
}

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The HTTP server, not listening yet, with `page` for all requests that are not for the BFF. */
export function serve(
  options: Omit<ConsoleOptions, 'host' | 'port'>,
  page: PageHandler,
): { server: Server; close: (graceMs?: number) => Promise<void> } {
  const { bff, log } = options
  const server = createLimitedServer()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(options, page, { request, response }).catch((error: unknown) => {
      log.error({ err: error, path: pathOf(request) }, 'failed to answer a request')
      if (response.headersSent) response.destroy()
      else sendFailure(request, response)
    })
  })
  bff.attach(server)
  answerFaults(server)
  const connections = followConnections(server)
  goInFront(server, { ...options, leaving: () => connections.leaving })
  const close = (graceMs = GRACE_MS): Promise<void> => {
    bff.sendAway()
    return connections.leave(graceMs)
  }
  return { server, close }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

async function answer(
  { bff, onAnswer }: Pick<ConsoleOptions, 'bff' | 'onAnswer'>,
  page: PageHandler,
  { request, response }: Exchange,
): Promise<void> {
  if (await bff.handle(request, response)) return
  const began = performance.now()
  const { method = '' } = request
  const route = surfaceOf(pathOf(request)) === 'asset' ? 'asset' : 'page'
  response.once('finish', () =>
    onAnswer?.({ method, route, code: response.statusCode, seconds: (performance.now() - began) / 1000 }),
  )
  const foreign = bff.foreign(request)
  if (foreign !== undefined) return sendFault(request, response, { reason: 'Foreign', detail: foreign })
  // Pages and files take no body, so no code that reads a body is reached.
  if (method !== 'GET' && method !== 'HEAD') return sendFault(request, response, READ_ONLY)
  if (route === 'page') replaceFailures(request, response)
  return page(request, response)
}
