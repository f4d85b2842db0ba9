/** The HTTP side of the BFF: which action answers a request, and how answers and refusals are written. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@/server/runtime/controller'
import { foreignRequest } from './guard'
import { refusalOf, refuse, type Refusal } from './refusal'

/** What an action answers: JSON, or a text with its type. */
export type Answer = { status: number; json: unknown } | { status: number; text: string; contentType: string }

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
    write(response, answer, request)
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

function write(response: ServerResponse, answer: Answer, request: IncomingMessage): void {
  const [contentType, text] = 'json' in answer
    ? ['application/json; charset=utf-8', JSON.stringify(answer.json)]
    : [answer.contentType, answer.text]
  // A body that was not read to its end would be taken for the next request.
  const close = request.complete || request.method === 'GET' ? {} : { connection: 'close' }
  const headers = { 'content-type': contentType, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  response.writeHead(answer.status, { ...headers, ...close })
  response.end(request.method === 'HEAD' ? undefined : text)
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/'
const methodOf = (request: IncomingMessage): string => (request.method === 'HEAD' ? 'GET' : (request.method ?? ''))
