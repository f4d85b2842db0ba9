/** Serves the console: the BFF first, Next.js for everything that is not the BFF's. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import next from 'next'
import type { Logger } from '@/server/runtime/controller'
import type { Spans } from '@/server/telemetry/spans'
import { followConnections } from './connections'
import { replaceFailures, sendFailure } from './failure'
import { answerFaults, sendFault } from './faults'
import { goInFront } from './front'
import { createLimitedServer } from './limits'
import { pathOf, surfaceOf } from './surface'
import type { Fault } from './target'

/** The part of the BFF that the HTTP server needs. */
export interface RequestHandler {
  /** False when the request is not the BFF's. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  attach(server: Server): void
  /** Why a request of another site, or under another name, is not served; undefined when it is. */
  foreign(request: IncomingMessage): string | undefined
  /** Tells every browser to go elsewhere and ends its socket. */
  sendAway(): void
}

export interface ConsoleOptions {
  host: string
  port: number
  bff: RequestHandler
  log: Logger
  /** Where people reach the console when that is not where it listens. */
  publicUrl?: string | undefined
  spans?: Spans
  /** Told about every answer that is not the BFF's. */
  onAnswer?: (answer: { method: string; route: 'page' | 'asset'; code: number; seconds: number }) => void
}

export interface Console {
  url: string
  /** Takes nothing new, sends the sockets away, and lets running requests finish for at most `graceMs`. */
  close(graceMs?: number): Promise<void>
}

const READ_ONLY: Fault = {
  reason: 'MethodNotAllowed', detail: 'Pages and files take GET or HEAD.', headers: { allow: 'GET, HEAD' },
}

/** How long running requests may take at the end. */
const GRACE_MS = 10_000

/** Where `.next` lies: the folder above the bundle. */
const root = fileURLToPath(new URL('..', import.meta.url))

/** Listens, then resolves with the address. Rejects when the port is taken. */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const { host, port } = options
  const app = next({ dev: false, dir: root, hostname: host, port })
  await app.prepare()
  const { server, close } = serve(options, app.getRequestHandler())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
  return { url, close: async (graceMs) => close(graceMs).then(() => app.close()) }
}

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The HTTP server, not listening yet, with `page` for whatever is not the BFF's. */
export function serve(options: Omit<ConsoleOptions, 'host' | 'port'>, page: PageHandler): {
  server: Server
  close: (graceMs?: number) => Promise<void>
} {
  const { bff, log } = options
  const server = createLimitedServer()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(options, page, { request, response }).catch((error: unknown) => {
      log.error({ err: error, path: pathOf(request) }, 'a request could not be answered')
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
  { bff, onAnswer }: Pick<ConsoleOptions, 'bff' | 'onAnswer'>, page: PageHandler, { request, response }: Exchange,
): Promise<void> {
  if (await bff.handle(request, response)) return
  const began = performance.now()
  const { method = '' } = request
  const route = surfaceOf(pathOf(request)) === 'asset' ? 'asset' : 'page'
  response.once(
    'finish',
    () => onAnswer?.({ method, route, code: response.statusCode, seconds: (performance.now() - began) / 1000 }),
  )
  const foreign = bff.foreign(request)
  if (foreign !== undefined) return sendFault(request, response, { reason: 'Foreign', detail: foreign })
  // Pages and files take nothing; whatever would read a body of theirs is not reached.
  if (method !== 'GET' && method !== 'HEAD') return sendFault(request, response, READ_ONLY)
  if (route === 'page') replaceFailures(request, response)
  return page(request, response)
}
