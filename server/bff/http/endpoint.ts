/**
 * One operation of `/api/v1`: its input, its answer and its implementation. Contract of everything under `actions/`.
 */
import type { Message, MessageCode } from '@/lib/messages/message'
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import type { Access, Question } from '../access/access'
import type { Principal } from '../auth/principal'

/** One validated call: the body and the query fit their schemas, and the caller is known. */
export interface EndpointCall<B = unknown, Q = unknown> {
  principal: Principal
  access: Access
  /** From the `{name}` parts of the path, decoded. */
  params: Readonly<Record<string, string>>
  query: Q
  body: B
  /** The version in `If-Match`, without quotes. */
  ifMatch?: string
  requestId: string
  request: IncomingMessage
  /**
   * For a request with an Idempotency-Key: `id` is the same for the same user and key, `fingerprint` for the same
   * request.
   */
  keyed?: { id: string; fingerprint: string }
  /** Tells the audit log the subject of the action. Call it before the write, and again with `after` when known. */
  concerns(about: Audited): void
}

/** The object of an action, for the audit log and its Event. */
export interface Audited {
  object: { apiVersion: string; kind: string; namespace?: string; name: string; uid?: string }
  /** Its spec, or the part that is about to change. */
  before?: unknown
  after?: unknown
  /**
   * A specific summary when one endpoint has several actions, such as `Drain member1`. Default: the summary of the
   * endpoint.
   */
  summary?: Message | string
}

/** An answer with more than a body. */
export interface Answered<R> {
  body: R
  /** Default: 200, or 204 without a body. */
  status?: number
  /** The version of the returned object (`versionOf`); becomes the ETag. */
  version?: string
  /** Additional headers; every value of a list becomes a separate header line. */
  headers?: Readonly<Record<string, string | readonly string[]>>
}

/** An answer that is streamed. */
export interface Streamed {
  chunks: AsyncIterable<string>
  /** Default: JSON. */
  contentType?: string
  /** The suggested file name. */
  fileName?: string
}

/** A JSON answer that is compressed already, in the coding `deflate`. */
export interface Deflated {
  deflated: Buffer
}

export interface Endpoint<B = unknown, Q = unknown, R = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** For example `/api/v1/queues/{namespace}/{name}/hold`. */
  path: string
  /**
   * A `query` changes nothing. An `action` accepts an Idempotency-Key, has its own rate limit, is audited, and is
   * refused when read-only.
   */
  kind: 'query' | 'action'
  /** One line for the OpenAPI document and, for an action, for the activity log. Without arguments. */
  summary: MessageCode
  /** Additional text for the document when the summary is not sufficient. */
  description?: MessageCode
  /** For an action: the reason of the Event on its object. Default: `ChangedByUser`. */
  event?: string
  /**
   * The Idempotency-Key determines the name of the created object, so that the API server itself rejects a second one;
   * the action may be retried when its outcome is unknown.
   */
  namesByKey?: true
  /** The section of the document, `api.tag.…`. */
  tag: MessageCode
  query?: z.ZodType<Q>
  body?: z.ZodType<B>
  response: z.ZodType<R>
  /**
   * The permissions that are checked before `perform` is called, and that buttons request. Endpoints that read shared
   * caches need it.
   */
  needs?: (call: EndpointCall<B, Q>) => readonly Question[]
  perform(call: EndpointCall<B, Q>): Promise<Result<R>> | Result<R>
}

type Result<R> = R | Answered<R> | Streamed | Deflated

/** Lets TypeScript infer the types of one endpoint. */
export function endpoint<B = undefined, Q = undefined, R = unknown>(definition: Endpoint<B, Q, R>): Endpoint {
  return definition as unknown as Endpoint
}

/** A call that needs no authenticated user. */
export type OpenCall<B = unknown, Q = unknown> = Omit<EndpointCall<B, Q>, 'principal' | 'access'>

/**
 * An operation without an authenticated user, or one that ends the session: login, logout, and requests of the login
 * page. Origin, content type and size are checked as for all others; the caller is not. An action is audited by the
 * object that it `concerns`, and is allowed when the console is read-only.
 */
export interface OpenEndpoint<B = unknown, Q = unknown, R = unknown> extends Omit<
  Endpoint<B, Q, R>,
  'needs' | 'perform'
> {
  open: true
  /**
   * Not limited by address, so that users behind one address do not block each other. Queries are never limited: they
   * do not reach a login service.
   */
  unlimited?: true
  perform(call: OpenCall<B, Q>): Promise<R | Answered<R>>
}

/** An operation of either kind. */
export type AnyEndpoint = Endpoint | OpenEndpoint

/** Lets TypeScript infer the types of one open endpoint. */
export function openEndpoint<B = undefined, Q = undefined, R = unknown>(
  definition: OpenEndpoint<B, Q, R>,
): OpenEndpoint {
  return definition as unknown as OpenEndpoint
}

export const isStreamed = (answer: unknown): answer is Streamed =>
  typeof answer === 'object' && answer !== null && 'chunks' in answer

export const isDeflated = (answer: unknown): answer is Deflated =>
  typeof answer === 'object' && answer !== null && 'deflated' in answer

/** No view has a field `body`, so every value with one is an `Answered`. */
export const isAnswered = (answer: unknown): answer is Answered<unknown> =>
  typeof answer === 'object' && answer !== null && 'body' in answer
