/** Handles one request: authentication, rate limit, permissions, idempotency, deadline and audit. */
import { KubeError } from '@/lib/kube/errors'
import { message } from '@/lib/messages/message'
import type { Clock } from '@/lib/std/clock'
import type { Logger } from '@/server/runtime/controller'
import type { Access } from '../access/access'
import type { AuditedAction, ActionEnd, Audit } from '../audit/audit'
import type { Authenticator } from '../auth/authenticator'
import { networkOf } from '../auth/address'
import type { Principal } from '../auth/principal'
import { personKey } from '../auth/principal-key'
import type { HttpMetrics } from '../metrics-hooks'
import { type Answer, type AnswerHeaders, JSON_TYPE } from './answers'
import {
  type Audited,
  type Endpoint,
  type EndpointCall,
  isAnswered,
  isDeflated,
  isStreamed,
  type OpenEndpoint,
} from './endpoint'
import { digest, type Once } from './idempotency'
import { readIfMatch, readJson, readKey, readQuery, validate } from './input'
import { textOf } from './language'
import type { RateLimits } from './rate-limits'
import { internalError, Refusal, refusalOf, refuse, withOutcome } from './refusal'
import { objectIn, permit } from './rights'
import type { Incoming } from './router'
import { WriteWatch } from './write-watch'

/** Refusals of a malformed or too frequent request. */
const NO_ATTEMPT: ReadonlySet<number> = new Set([400, 413, 415, 429])

/** Maximum time until a response. */
const ANSWER_MS = 10_000

export interface CallsOptions {
  authenticator: Pick<Authenticator, 'authenticate' | 'addressOf' | 'readOnly'>
  /** Returns the access of a user; closed after the call. */
  accessOf: (principal: Principal) => Access
  limits: RateLimits
  once: Once
  audit: Audit
  clock: Clock
  log: Logger
  metrics: Pick<HttpMetrics, 'action' | 'limited'>
  answerMs?: number
}

/** A request of an authenticated user. */
interface AuthenticatedRequest extends Incoming {
  endpoint: Endpoint
  principal: Principal
  access: Access
}

interface ActionRequest extends AuthenticatedRequest {
  act: AuditedAction
  writes: WriteWatch
}

export class Calls {
  readonly #options: CallsOptions

  constructor(options: CallsOptions) {
    this.#options = options
  }

  /** Answers a request, or rejects with a Refusal or an unexpected error. */
  async perform(incoming: Incoming): Promise<Answer> {
    const { endpoint, request } = incoming
    if ('open' in endpoint) return this.#openly(endpoint, incoming)
    const principal = await this.#options.authenticator.authenticate(request)
    const left = await this.#take(personKey(principal), incoming)
    const access = this.#options.accessOf(principal)
    const known = { ...incoming, endpoint, principal, access }
    try {
      const answer = endpoint.kind === 'action' ? await this.#act(known) : await this.#query(known)
      return { ...answer, headers: { ...left, ...answer.headers } }
    } finally {
      access.close()
    }
  }

  async #take(who: string, { endpoint: { kind, path } }: Incoming): Promise<AnswerHeaders> {
    try {
      return await this.#options.limits.take(who, kind)
    } catch (error) {
      this.#options.metrics.limited(path)
      throw error
    }
  }

  /** Open requests are counted by address, because the user is unknown. */
  async #openly(endpoint: OpenEndpoint, incoming: Incoming): Promise<Answer> {
    const address = this.#options.authenticator.addressOf(incoming.request)
    const isLimited = endpoint.kind === 'action' && !endpoint.unlimited
    const left = isLimited ? await this.#take(`from ${networkOf(address)}`, incoming) : {}
    let about: Audited | undefined
    const record = (end: ActionEnd): void => this.#recordOpen(endpoint, { ...incoming, address, about, end })
    try {
      const call = {
        ...(await inputOf(incoming)),
        concerns: (told: Audited) => {
          about = told
        },
      }
      const answer = answerOf(await this.#inTime(endpoint.perform(call)))
      record({ status: answer.status })
      return { ...answer, headers: { ...left, ...answer.headers } }
    } catch (error) {
      const refusal = refusalOf(error)
      record({
        status: refusal?.status ?? 500,
        reason: refusal?.reason ?? 'InternalError',
        ...(refusal && { detail: refusal.message }),
      })
      throw error
    }
  }

  /**
   * Records an open action, which has no authenticated user, when it names the user concerned or was refused. Malformed
   * and too frequent requests are not recorded: a client must not be able to fill the log with them.
   */
  #recordOpen(
    endpoint: OpenEndpoint,
    {
      address,
      requestId,
      about,
      end,
    }: Pick<Incoming, 'requestId'> & { address: string; about: Audited | undefined; end: ActionEnd },
  ): void {
    if (endpoint.kind !== 'action' || NO_ATTEMPT.has(end.status) || (!about && end.status < 400)) return
    const who = {
      identity: { user: about?.object.name ?? '', groups: [] },
      key: about?.object.uid ?? '',
      via: 'token' as const,
    }
    this.#options.audit.record({
      address,
      requestId,
      who,
      endpoint: `${endpoint.method} ${endpoint.path}`,
      summary: { code: endpoint.summary },
      ...end,
    })
  }

  async #query({ endpoint, principal, access, ...incoming }: AuthenticatedRequest): Promise<Answer> {
    try {
      const call: EndpointCall = {
        ...(await inputOf({ ...incoming, endpoint })),
        principal,
        access,
        concerns: () => undefined,
      }
      return await this.#inTime(permitted(endpoint, call))
    } catch (error) {
      throw refusalOf(error, principal.via === 'local') ?? error
    }
  }

  async #act(known: AuthenticatedRequest): Promise<Answer> {
    const { audit, metrics, clock, authenticator } = this.#options
    const { endpoint, principal } = known
    const began = clock.elapsed()
    const writes = new WriteWatch(principal.client)
    const act = audit.begin({ ...known, address: authenticator.addressOf(known.request) }, principal)
    const told = (result: 'done' | 'refused' | 'failed') =>
      metrics.action(endpoint.path, result, (clock.elapsed() - began) / 1000)
    try {
      const answer = await this.#once({ ...known, principal: { ...principal, client: writes.client }, act, writes })
      told('done')
      return answer
    } catch (error) {
      const refusal = this.#refusalAfter(error, { ...known, writes })
      act.end({
        status: refusal.status,
        reason: refusal.reason,
        detail: refusal.message,
        outcome: refusal.more.changed,
        written: writes.written,
      })
      told(refusal.status < 500 ? 'refused' : 'failed')
      throw refusal
    }
  }

  async #once(acting: ActionRequest): Promise<Answer> {
    const { endpoint, principal, access, act, request, requestId } = acting
    if (this.#options.authenticator.readOnly && endpoint.tag !== 'api.tag.session') {
      throw refuse(403, 'ReadOnly', message('api.refused.readOnly'))
    }
    const call: EndpointCall = {
      ...(await inputOf(acting)),
      principal,
      access,
      concerns: (about) => act.concerns(about),
    }
    const key = readKey(request)
    if (key === undefined) return this.#carryOut(acting, call)
    const asked = [endpoint.method, request.url, call.ifMatch, call.body]
    const user = personKey(principal)
    const keyed = { ...call, keyed: { id: digest([user, key]), fingerprint: digest([user, key, ...asked]) } }
    return this.#options.once.run(
      { user, key, request: asked, requestId, text: textOf(request), repeatable: endpoint.namesByKey === true },
      () => this.#carryOut(acting, keyed),
    )
  }

  async #carryOut(acting: ActionRequest, call: EndpointCall): Promise<Answer> {
    const { endpoint, act, writes } = acting
    const supposed = endpoint
      .needs?.(call)
      .map(objectIn)
      .find((object) => object !== undefined)
    if (supposed) act.suppose(supposed)
    await act.underway()
    try {
      const answer = await this.#inTime(permitted(endpoint, call))
      act.end({ status: answer.status, written: writes.written })
      return answer
    } catch (error) {
      // Work after the deadline must not write, because the answer already reports the changes.
      writes.end()
      throw this.#refusalAfter(error, acting)
    }
  }

  /** An error that is already a refusal with its outcome is kept. */
  #refusalAfter(
    error: unknown,
    { endpoint: { path }, requestId, principal, writes }: AuthenticatedRequest & { writes: WriteWatch },
  ): Refusal {
    if (error instanceof Refusal && error.more.changed) return error
    const refusal = refusalOf(error, principal.via === 'local')
    if (refusal) return withOutcome(refusal, writes.outcome, error instanceof KubeError)
    this.#options.log.error({ err: error, path, requestId }, 'action failed')
    return withOutcome(internalError(requestId), writes.outcome, false)
  }

  /** Work that continues after the deadline is not awaited: a write that was sent cannot be revoked. */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    const { clock, answerMs = ANSWER_MS } = this.#options
    const late = Promise.withResolvers<never>()
    const stop = clock.after(answerMs, () =>
      late.reject(refuse(504, 'Timeout', message('api.refused.late', { after: { ms: answerMs } }))),
    )
    try {
      return await Promise.race([work, late.promise])
    } finally {
      stop()
    }
  }
}

/** Checks the permissions, then performs the call. */
async function permitted(endpoint: Endpoint, call: EndpointCall): Promise<Answer> {
  await permit(call.access, endpoint.needs?.(call) ?? [])
  return answerOf(await endpoint.perform(call))
}

/** Returns the validated input of a request. */
async function inputOf({ endpoint, params, request, requestId }: Incoming) {
  const ifMatch = readIfMatch(request)
  const given = readQuery(request)
  const query = endpoint.query ? validate(given, endpoint.query, 'query') : undefined
  const body = endpoint.body ? validate(await readJson(request), endpoint.body, 'body') : undefined
  return { params, query, body, requestId, request, ...(ifMatch !== undefined && { ifMatch }) }
}

function answerOf(result: unknown): Answer {
  if (isStreamed(result)) {
    const { chunks, fileName, contentType = JSON_TYPE } = result
    return {
      status: 200,
      chunks,
      contentType,
      headers: fileName === undefined ? {} : { 'content-disposition': `attachment; filename="${fileName}"` },
    }
  }
  if (isDeflated(result))
    return { status: 200, bytes: result.deflated, contentType: JSON_TYPE, headers: { 'content-encoding': 'deflate' } }
  if (!isAnswered(result)) return { status: 200, text: JSON.stringify(result), contentType: JSON_TYPE }
  const { body, status = body === undefined ? 204 : 200, version, headers } = result
  return {
    status,
    text: body === undefined ? '' : JSON.stringify(body),
    contentType: JSON_TYPE,
    headers: { ...headers, ...(version === undefined ? {} : { etag: `"${version}"` }) },
  }
}
