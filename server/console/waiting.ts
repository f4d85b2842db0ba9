/**
 * What the console answers until its control plane can be used: the cause and what to do, instead of a refused
 * connection. Alive (`/healthz`), and not ready (`/readyz`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isoTime } from '@/lib/std/clock'
import { message, type Message } from '@/lib/messages/message'
import { type Answer, plainText, send } from '@/server/bff/http/answers'
import { textOf } from '@/server/bff/http/language'
import { sendFault } from './faults'
import type { RequestHandler } from './index'
import { plainPage } from './plain-page'
import { pathOf, surfaceOf } from './surface'

/** Why there is no connection. */
export interface Disconnection {
  cause: string
  advice: Message
  /** Unix milliseconds at which this cause was first met. */
  since: number
}

export interface WaitingOptions {
  /** URL of the API server; undefined while the kubeconfig cannot be read. */
  server: () => string | undefined
  /** Undefined before the first attempt has failed. */
  disconnection: () => Disconnection | undefined
  foreign: RequestHandler['foreign']
  /** False if no login is required for the page: the cause is then only in the log. */
  showsCause: boolean
  /** Interval of the attempts, in milliseconds. */
  every: number
}

/** Answers every request. */
export function waitingHandler(options: WaitingOptions): RequestHandler {
  const { foreign, showsCause } = options
  const told = (): Disconnection | undefined => (showsCause ? options.disconnection() : undefined)
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = pathOf(request)
    if (path === '/healthz') return send(response, plainText(200, 'ok'), request)
    const found = told()
    if (path === '/readyz') {
      const unready = textOf(request)('server.connection.unready', { cause: found?.cause ?? '-' })
      return send(response, plainText(503, unready), request)
    }
    const stranger = foreign(request)
    if (stranger) return sendFault(request, response, { reason: 'Foreign', detail: stranger })
    if (surfaceOf(path) === 'page') return send(response, pageAbout(request, options), request)
    sendFault(request, response, { reason: 'Unavailable', detail: detailOf(found, options.server()) })
  }
  return {
    foreign,
    attach: () => undefined,
    sendAway: () => undefined,
    handle: async (request, response) => {
      await answer(request, response)
      return true
    },
  }
}

function detailOf(found: Disconnection | undefined, server: string | undefined): Message {
  if (!found) return message('server.connection.connecting')
  const { cause, advice } = found
  if (server === undefined) return message('server.connection.unusable', { cause, advice })
  return message('server.connection.detail', { server, cause, advice })
}

const RELOAD_SECONDS = 3

function pageAbout(request: IncomingMessage, options: WaitingOptions): Answer {
  const { disconnection, showsCause, every } = options
  const server = options.server()
  const text = textOf(request)
  const found = disconnection()
  const page = plainPage(request, {
    title: text(found ? 'server.connection.title' : 'server.connection.connecting'),
    paragraphs: [
      ...(showsCause && server !== undefined ? [text('server.connection.server', { server })] : []),
      ...(found && showsCause
        ? [
            text('server.connection.cause', { cause: found.cause }),
            text('server.connection.advice', { advice: found.advice }),
          ]
        : []),
      ...(found && !showsCause ? [text('server.connection.inLog')] : []),
      ...(found
        ? [text('server.connection.since', { since: { moment: isoTime(found.since) }, every: { ms: every } })]
        : []),
    ],
    reloadAfter: RELOAD_SECONDS,
  })
  return { status: 503, contentType: 'text/html; charset=utf-8', text: page }
}
