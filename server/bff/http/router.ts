/** The HTTP side of the BFF: selects the endpoint of a request, and sends answers and refusals. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { message } from '@/lib/messages/message'
import type { Logger } from '@/server/runtime/controller'
import type { HttpMetrics } from '../metrics-hooks'
import { type Answer, isDisconnect, problemAnswer, send } from './answers'
import type { AnyEndpoint } from './endpoint'
import { foreignRequest, type Names } from './guard'
import { type Found, PathTable } from './path-table'
import { textOf } from './language'
import { internalError, refusalOf, refuse, type Refusal } from './refusal'
import { requestIdOf } from './request-id'

/** A probe or metrics endpoint: open to every host name and without login, because it reveals and changes nothing. */
export interface Probe {
  path: string
  answer(request: IncomingMessage): Promise<Answer> | Answer
}

/** A request that matches an endpoint. */
export interface Incoming {
  endpoint: AnyEndpoint
  params: Readonly<Record<string, string>>
  request: IncomingMessage
  requestId: string
}

export interface RouterOptions {
  probes: readonly Probe[]
  endpoints: readonly AnyEndpoint[]
  /** Paths below this are answered here, with 404 if no endpoint matches. */
  prefix: string
  names: Names
  /** Performs a request; rejects with any error. */
  perform(incoming: Incoming): Promise<Answer>
  log: Logger
  metrics: Pick<HttpMetrics, 'httpRequest'>
}

type Target = Probe | Found<AnyEndpoint>

export class Router {
  readonly #options: RouterOptions
  readonly #probes: ReadonlyMap<string, Probe>
  readonly #table: PathTable<AnyEndpoint>

  /** Throws when two endpoints have the same method and path. */
  constructor(options: RouterOptions) {
    this.#options = options
    this.#probes = new Map(options.probes.map((probe) => [probe.path, probe]))
    this.#table = new PathTable(options.endpoints)
  }

  /**
   * Answers the request; resolves to false when the path belongs to another handler. Never rejects because of a client.
   */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const path = pathOf(request)
    const target = this.#probes.get(path) ?? this.#table.find(request.method ?? '', path)
    if ('found' in target && target.found === 'nothing' && !path.startsWith(this.#options.prefix)) return false
    const requestId = requestIdOf(request)
    response.setHeader('x-request-id', requestId)
    await this.#serve({ request, response, requestId, target })
    return true
  }

  async #serve({
    request,
    response,
    requestId,
    target,
  }: {
    request: IncomingMessage
    response: ServerResponse
    requestId: string
    target: Target
  }): Promise<void> {
    const { metrics, log } = this.#options
    const began = performance.now()
    const answer = await this.#answer(request, requestId, target)
    try {
      await send(response, answer, request)
    } catch (error) {
      if (!isDisconnect(error)) log.error({ err: error, path: pathOf(request), requestId }, 'response aborted')
    }
    metrics.httpRequest(request.method ?? '', routeOf(target), answer.status, (performance.now() - began) / 1000)
  }

  async #answer(request: IncomingMessage, requestId: string, target: Target): Promise<Answer> {
    try {
      if (!('found' in target)) return await probed(target, request)
      const foreign = foreignRequest(request, this.#options.names)
      if (foreign !== undefined) throw refuse(403, 'Foreign', foreign)
      return await this.#options.perform({ ...present(target, request), request, requestId })
    } catch (error) {
      return problemAnswer(refusalOf(error) ?? this.#unforeseen(error, request, requestId), requestId, textOf(request))
    }
  }

  #unforeseen(error: unknown, request: IncomingMessage, requestId: string): Refusal {
    this.#options.log.error({ err: error, path: pathOf(request), requestId }, 'action failed')
    return internalError(requestId)
  }
}

function probed(probe: Probe, request: IncomingMessage): Promise<Answer> | Answer {
  if (request.method === 'GET' || request.method === 'HEAD') return probe.answer(request)
  throw notAllowed(probe.path, ['GET', 'HEAD'])
}

function present(target: Found<AnyEndpoint>, request: IncomingMessage): Pick<Incoming, 'endpoint' | 'params'> {
  if (target.found === 'endpoint') return target
  if (target.found === 'methods') throw notAllowed(pathOf(request), target.allowed)
  throw refuse(404, 'NotFound', message('api.refused.noPath', { path: pathOf(request) }))
}

function notAllowed(path: string, allowed: readonly string[]): Refusal {
  return refuse(405, 'MethodNotAllowed', message('api.refused.method', { path, methods: [...allowed] }), {
    headers: { allow: allowed.join(', ') },
  })
}

/** Returns the pattern of the path, never a path with names in it. */
function routeOf(target: Target): string {
  if (!('found' in target)) return target.path
  if (target.found === 'endpoint') return target.endpoint.path
  return target.found === 'methods' ? target.path : 'none'
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/'
