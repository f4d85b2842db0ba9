/**
 * One operation of `/api/v1`: what it takes, what it answers, and who does it. Contract of everything under `actions/`.
 */
import type { Message, MessageCode } from '@/lib/messages/message'
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import type { Access, Question } from '../access/access'
import type { Principal } from '../auth/principal'

/** One call, checked: the body and the query fit their schemas, the caller is known. */
export interface EndpointCall<B = unknown, Q = unknown> {
  principal: Principal
  access: Access
  /** From the `{name}` parts of the path, decoded. */
  params: Readonly<Record<string, string>>
  query: Q
  body: B
  /** The version that `If-Match` names, without quotes. */
  ifMatch?: string
  requestId: string
  request: IncomingMessage
  /** Of a request with an Idempotency-Key: the same for the same user and key, and the same for the same request. */
  keyed?: { id: string; fingerprint: string }
  /** Tells the audit log what the action is about; call it before the write, and again with `after` when known. */
  concerns(about: Audited): void
}

/** The object of an action, for the audit log and its Event. */
export interface Audited {
  object: { apiVersion: string; kind: string; namespace?: string; name: string; uid?: string }
  /** Its spec, or the part of it that is about to change. */
  before?: unknown
  after?: unknown
  /**
   * What is done, where one endpoint does several things: `Drain member1`. Default: the summary of the endpoint.
   */
  summary?: Message | string
}

/** An answer with more than a body. */
export interface Answered<R> {
  body: R
  /** Default: 200, without a body 204. */
  status?: number
  /** The version of what is answered (`versionOf`); becomes the ETag. */
  version?: string
  /** Further headers; every value of a list is a line of its own. */
  headers?: Readonly<Record<string, string | readonly string[]>>
}

/** An answer that is sent while it is made. */
export interface Streamed {
  chunks: AsyncIterable<string>
  /** Default: JSON. */
  contentType?: string
  /** Saved under this name. */
  fileName?: string
}

export interface Endpoint<B = unknown, Q = unknown, R = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/api/v1/queues/{namespace}/{name}/hold`. */
  path: string
  /**
   * `query` changes nothing. An `action` takes Idempotency-Key, counts against its own limit, is audited, and is
   * refused when read-only.
   */
  kind: 'query' | 'action'
  /** One line for the API's document and, of an action, for the activity log. Without arguments. */
  summary: MessageCode
  /** More for the document, where the summary does not say it all. */
  description?: MessageCode
  /** Of an action: the reason of the Event that its object is given. Default `ChangedByUser`. */
  event?: string
  /**
   * What the action creates is named by the Idempotency-Key, so that the API server itself refuses to create it twice:
   * it may be tried again when its outcome is not known.
   */
  namesByKey?: true
  /** The section of the document: `api.tag.…`. */
  tag: MessageCode
  query?: z.ZodType<Q>
  body?: z.ZodType<B>
  response: z.ZodType<R>
  /**
   * What the API server must allow before `perform` is called, and what buttons ask about. Reads of shared caches need
   * it.
   */
  needs?: (call: EndpointCall<B, Q>) => readonly Question[]
  perform(call: EndpointCall<B, Q>): Promise<R | Answered<R> | Streamed> | R | Answered<R> | Streamed
}

/** Lets TypeScript infer the types of one endpoint. */
export function endpoint<B = undefined, Q = undefined, R = unknown>(definition: Endpoint<B, Q, R>): Endpoint {
  return definition as unknown as Endpoint
}

/** A call that needs no authenticated user. */
export type OpenCall<B = unknown, Q = unknown> = Omit<EndpointCall<B, Q>, 'principal' | 'access'>

/**
 * An operation of people who are not known yet, or who end their session: login, logout, and what the login page asks.
 * Origin, content type and size are checked as for all others, the caller is not; an action is audited by what it
 * `concerns`, and is allowed when the console is read-only.
 */
export interface OpenEndpoint<B = unknown, Q = unknown, R = unknown> extends Omit<
  Endpoint<B, Q, R>,
  'needs' | 'perform'
> {
  open: true
  /** Not limited by address, so that users behind one address do not block each other. Queries never are: they reach no login service. */
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

/** No view has a field `body`: whatever has one is an answer with more than that. */
export const isAnswered = (answer: unknown): answer is Answered<unknown> =>
  typeof answer === 'object' && answer !== null && 'body' in answer
