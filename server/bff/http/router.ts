/** The HTTP side of the BFF: which action answers a request, and how answers and refusals are written. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from '@/server/runtime/controller'
import { foreignRequest } from './guard'
import { refusalOf, refuse, type Refusal } from './refusal'

/** What an action answers: JSON, a text with its type, or a text that is made while it is sent. */
export type Answer =
  | { status: number; json: unknown }
  | { status: number; text: string; contentType: string }
  | { status: number; chunks: AsyncIterable<string>; contentType: string; fileName?: string }

export interface Route {
  method: 'GET' | 'POST'
  path: string
  /** Probes come from machines under any host name. */
  open?: true
  answer(request: IncomingMessage): Promise<Answer> | Answer
}

export interface RouterOptions {
  routes: readonly Route[]
  /** Paths below this are answered here even when no route has them. */
  prefix: string
  allowedHosts: ReadonlySet<string>
  log: Logger
  /** Told about every answer. */
  onAnswer?: (answer: { method: string; route: string; code: number; seconds: number }) => void
}

export class Router {
  readonly #options: RouterOptions

  constructor(options: RouterOptions) {
    this.#options = options
  }

  /** Answers the request; false when it is not ours. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const path = pathOf(request)
    const candidates = this.#options.routes.filter((route) => route.path === path)
    if (candidates.length === 0 && !path.startsWith(this.#options.prefix)) return false
    const began = performance.now()
    const answer = await this.#answer(request, candidates)
    if ('chunks' in answer) await this.#stream(response, answer, request)
    else write(response, answer, request)
    const seconds = (performance.now() - began) / 1000
    const { method = '' } = request
    this.#options.onAnswer?.({ method, route: candidates[0]?.path ?? 'none', code: answer.status, seconds })
    return true
  }

  async #answer(request: IncomingMessage, candidates: readonly Route[]): Promise<Answer> {
    try {
      return await this.#route(request, candidates).answer(request)
    } catch (error) {
      return refused(refusalOf(error) ?? this.#unforeseen(error, request))
    }
  }

  /** At the pace of the reader. What fails on the way breaks the connection off, for the status is sent already. */
  async #stream(response: ServerResponse, { status, chunks, contentType, fileName }: Streamed, request: IncomingMessage): Promise<void> {
    const disposition = fileName === undefined ? {} : { 'content-disposition': `attachment; filename="${fileName}"` }
    response.writeHead(status, { ...headersOf(contentType), ...disposition })
    if (request.method === 'HEAD') return void response.end()
    try {
      await pipeline(Readable.from(chunks), response)
    } catch (error) {
      if (!isGoodbye(error)) this.#options.log.error({ err: error, path: pathOf(request) }, 'an answer broke off')
    }
  }

  #route(request: IncomingMessage, candidates: readonly Route[]): Route {
    const route = candidates.find(({ method }) => method === methodOf(request))
    const foreign = route?.open ? undefined : foreignRequest(request, this.#options.allowedHosts)
    if (foreign !== undefined) throw refuse(403, 'Forbidden', foreign)
    if (candidates.length === 0) throw refuse(404, 'NotFound', `There is nothing at ${pathOf(request)}.`)
    if (route) return route
    const methods = candidates.map(({ method }) => method).join(' or ')
    throw refuse(405, 'MethodNotAllowed', `${pathOf(request)} takes ${methods}.`)
  }

  #unforeseen(error: unknown, request: IncomingMessage): Refusal {
    this.#options.log.error({ err: error, path: pathOf(request) }, 'an action failed')
    return refuse(500, 'InternalError', 'The console’s server failed at this. Its log says why.')
  }
}

function refused({ body }: Refusal): Answer {
  return { status: body.error.code, json: body }
}

type Streamed = Extract<Answer, { chunks: AsyncIterable<string> }>

/** The reader went away before the end. */
const isGoodbye = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'

function headersOf(contentType: string): Record<string, string> {
  return { 'content-type': contentType, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
}

function write(response: ServerResponse, answer: Exclude<Answer, Streamed>, request: IncomingMessage): void {
  const [contentType, text] = 'json' in answer
    ? ['application/json; charset=utf-8', JSON.stringify(answer.json)]
    : [answer.contentType, answer.text]
  // A body that was not read to its end would be taken for the next request.
  const close = request.complete || request.method === 'GET' ? {} : { connection: 'close' }
  response.writeHead(answer.status, { ...headersOf(contentType), ...close })
  response.end(request.method === 'HEAD' ? undefined : text)
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/'
const methodOf = (request: IncomingMessage): string => (request.method === 'HEAD' ? 'GET' : (request.method ?? ''))
