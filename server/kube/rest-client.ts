/** KubeClient over any transport. */
import { KubeError } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import type { Draft, KubeObject, ObjectRef } from '@/lib/kube/object'
import type { Identity } from '@/lib/kube/rbac/attributes'
import { impersonationHeaders } from '@/lib/kube/rbac/impersonation'
import { errorOfAnswer, NoJson, unreachable } from './answers'
import type {
  DeleteOptions,
  KubeClient,
  KubeList,
  ListOptions,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client'
import type { ConnectionOptions } from './connection'
import { createHttpTransport } from './http-transport'
import { listQuery, memberPath, queryText, resourcePath, watchQuery, writeQuery } from './paths'
import type { Transport, TransportAnswer, TransportRequest } from './transport'
import { eventOf } from './watch-stream'

export interface RestClientOptions extends ConnectionOptions {
  /** Names this client in the server's logs. */
  userAgent?: string
}

/** A client that can be closed; clients of members share its connections. */
export interface RestClient extends KubeClient {
  close(): Promise<void>
}

const PATCH_TYPES = { json: 'application/json-patch+json', merge: 'application/merge-patch+json' } as const
/** Maximum retries of a read after 429, and the longest Retry-After that is honored. */
const READ_RETRIES = 3
const MAX_RETRY_AFTER_SECONDS = 10

/** Returns a client for the API server at `options.url`. Opens connections on first use. */
export function createRestClient(options: RestClientOptions): RestClient {
  return clientOver(createHttpTransport(options), options.userAgent)
}

/** Returns a client over `transport`. Answers are shared objects if the transport shares them. */
export function clientOver(transport: Transport, userAgent = 'evenkeel'): RestClient {
  return Object.assign(new TransportClient(transport, { prefix: '', userAgent }), { close: () => transport.close() })
}

type Request = Omit<TransportRequest, 'userAgent' | 'as'>

/** Values common to all requests of a client. */
interface Always {
  /** Path prefix of a member. */
  prefix: string
  userAgent: string
  as?: Identity
}

class TransportClient implements KubeClient {
  constructor(
    private readonly transport: Transport,
    private readonly always: Always,
  ) {}

  async get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T> {
    return this.#call<T>({ method: 'GET', path: resourcePath(kind, ref) })
  }

  async list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    const list = await this.#call<KubeList<T>>({
      method: 'GET',
      path: resourcePath(kind, { namespace: options.namespace }) + queryText(listQuery(options)),
    })
    // Servers omit these two in items of built-in kinds, because the list's kind implies them.
    for (const item of list.items ?? []) {
      item.apiVersion ??= apiVersionOf(kind)
      item.kind ??= kind.kind
    }
    return { ...list, items: list.items ?? [] }
  }

  async *watch<T extends KubeObject>(
    kind: Kind<T>,
    options: WatchOptions,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    const path = resourcePath(kind, { namespace: options.namespace }) + queryText(watchQuery(options))
    const end = new AbortController()
    const forward = (): void => end.abort()
    signal.addEventListener('abort', forward)
    try {
      if (signal.aborted) return
      const answer = await this.transport.watch(this.#complete({ method: 'GET', path, signal: end.signal }))
      if (!('lines' in answer)) throw errorOfAnswer(answer.code, answer.body)
      options.onOpen?.()
      for await (const line of answer.lines) yield eventOf<T>(line)
    } catch (error) {
      if (!signal.aborted) throw asKubeError(error, `watching ${path}`)
    } finally {
      signal.removeEventListener('abort', forward)
      // Needed also when the reader stops early: the connection must not stay open unread.
      end.abort()
    }
  }

  async create<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const path = resourcePath(kind, { namespace: object.metadata.namespace }) + queryText(writeQuery(options))
    return this.#call<T>({ method: 'POST', path, body: object })
  }

  async update<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const { namespace, name } = object.metadata
    const path = resourcePath(kind, { namespace, name: name ?? '', subresource: options.subresource })
    return this.#call<T>({ method: 'PUT', path: path + queryText(writeQuery(options)), body: object })
  }

  async patch<T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const path = resourcePath(kind, { ...ref, subresource: options.subresource }) + queryText(writeQuery(options))
    const body = patch.type === 'json' ? patch.operations : patch.value
    return this.#call<T>({ method: 'PATCH', path, body, contentType: PATCH_TYPES[patch.type] })
  }

  async delete<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options: DeleteOptions = {}): Promise<void> {
    const { preconditions, propagationPolicy, gracePeriodSeconds } = options
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions, propagationPolicy, gracePeriodSeconds }
    await this.#call({ method: 'DELETE', path: resourcePath(kind, ref) + queryText(writeQuery(options)), body })
  }

  async raw(
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<{ status: number; body: unknown }> {
    const { code, body: answered } = await this.#answer({ method, path, body, ...(signal && { signal }) })
    return { status: code, body: answered }
  }

  async stream(path: string, signal: AbortSignal): Promise<AsyncIterable<string>> {
    try {
      const answer = await this.transport.stream(this.#complete({ method: 'GET', path, signal }))
      if (!('chunks' in answer)) throw errorOfAnswer(answer.code, answer.body)
      return answer.chunks
    } catch (error) {
      throw asKubeError(error, `GET ${path}`)
    }
  }

  member(clusterName: string): KubeClient {
    const { always } = this
    return new TransportClient(this.transport, { ...always, prefix: always.prefix + memberPath(clusterName) })
  }

  as(identity: Identity): KubeClient {
    impersonationHeaders(identity)
    return new TransportClient(this.transport, { ...this.always, as: identity })
  }

  async #call<T>(request: Request): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      const { code, body, retryAfterSeconds } = await this.#answer(request)
      if (code < 400) return objectIn<T>(body, request)
      const mayRepeat = code === 429 && request.method === 'GET' && attempt < READ_RETRIES
      if (!mayRepeat || retryAfterSeconds === undefined) throw errorOfAnswer(code, body, retryAfterSeconds)
      await sleep(Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS) * 1000)
    }
  }

  async #answer(request: Request): Promise<TransportAnswer> {
    try {
      return await this.transport.call(this.#complete(request))
    } catch (error) {
      throw asKubeError(error, `${request.method} ${request.path}`)
    }
  }

  #complete(request: Request): TransportRequest {
    const { prefix, ...always } = this.always
    return { ...request, ...always, path: prefix + request.path }
  }
}

function objectIn<T>(body: unknown, { method, path }: Request): T {
  if (typeof body === 'object' && body !== null) return body as T
  throw unreachable(new NoJson(), `${method} ${path}`)
}

function asKubeError(error: unknown, target: string): KubeError {
  return error instanceof KubeError ? error : unreachable(error, target)
}

/** Waits in real time, because the server's Retry-After is in real time. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
