/** KubeClient over HTTP: undici with keep-alive, newline-separated JSON for watches. */
import type { Dispatcher } from 'undici'
import { KubeError } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import type { Draft, KubeObject, ObjectRef } from '@/lib/kube/object'
import { errorOfAnswer, unreachable } from './answers'
import type {
  DeleteOptions, KubeClient, KubeList, ListOptions, Patch, WatchEvent, WatchOptions, WriteOptions,
} from './client'
import { Connection, type ConnectionOptions } from './connection'
import { listQuery, memberPath, queryText, resourcePath, watchQuery, writeQuery } from './paths'
import { lines, parseWatchLine } from './watch-stream'

export interface RestClientOptions extends ConnectionOptions {
  /** Names this client in the server's logs. */
  userAgent?: string
}

/** A client that can be shut down; members' clients share its connections. */
export interface RestClient extends KubeClient {
  close(): Promise<void>
}

const PATCH_TYPES = { json: 'application/json-patch+json', merge: 'application/merge-patch+json' } as const
/** How often a read that is told "too many requests" is repeated, and the longest wait that is obeyed. */
const READ_RETRIES = 3
const LONGEST_RETRY_AFTER_SECONDS = 10

/** A client for the API server at `options.url`. Opens connections only when it is used. */
export function createRestClient(options: RestClientOptions): RestClient {
  const connection = new Connection(options)
  const client = new HttpKubeClient(connection, connection.basePath, options.userAgent ?? 'evenkeel')
  return Object.assign(client, { close: () => connection.close() })
}

interface Request {
  method: Dispatcher.HttpMethod
  path: string
  body?: unknown
  contentType?: string
  signal?: AbortSignal
}

class HttpKubeClient implements KubeClient {
  constructor(
    private readonly connection: Connection,
    private readonly basePath: string,
    private readonly userAgent: string,
  ) {}

  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T> {
    return this.#call<T>({ method: 'GET', path: resourcePath(kind, ref) })
  }

  async list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    const list = await this.#call<KubeList<T>>({
      method: 'GET', path: resourcePath(kind, { namespace: options.namespace }) + queryText(listQuery(options)),
    })
    // Servers leave these two out of the items of built-in kinds, for the list's own kind implies them.
    for (const item of list.items ?? []) {
      item.apiVersion ??= apiVersionOf(kind)
      item.kind ??= kind.kind
    }
    return { ...list, items: list.items ?? [] }
  }

  async *watch<T extends KubeObject>(
    kind: Kind<T>, options: WatchOptions, signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    const path = resourcePath(kind, { namespace: options.namespace }) + queryText(watchQuery(options))
    const end = new AbortController()
    const forward = (): void => end.abort()
    signal.addEventListener('abort', forward)
    try {
      if (signal.aborted) return
      const answer = await this.#send({ method: 'GET', path, signal: end.signal }, true)
      if (answer.statusCode >= 400) throw errorOfAnswer(answer.statusCode, await answer.body.text())
      options.onOpen?.()
      for await (const line of lines(answer.body)) yield parseWatchLine<T>(line)
    } catch (error) {
      if (!signal.aborted) throw asKubeError(error, `watching ${path}`)
    } finally {
      signal.removeEventListener('abort', forward)
      // Also when the reader stops in the middle: the connection must not stay open unread.
      end.abort()
    }
  }

  create<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const path = resourcePath(kind, { namespace: object.metadata.namespace }) + queryText(writeQuery(options))
    return this.#call<T>({ method: 'POST', path, body: object })
  }

  update<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const { namespace, name } = object.metadata
    const path = resourcePath(kind, { namespace, name: name ?? '', subresource: options.subresource })
    return this.#call<T>({ method: 'PUT', path: path + queryText(writeQuery(options)), body: object })
  }

  patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: Patch, options: WriteOptions = {}): Promise<T> {
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
    method: string, path: string, body?: unknown, signal?: AbortSignal,
  ): Promise<{ status: number; body: unknown }> {
    const target = `${method} ${path}`
    try {
      const answer = await this.#send({ method: method as Dispatcher.HttpMethod, path, body, signal })
      const text = await answer.body.text()
      const isJson = String(answer.headers['content-type'] ?? '').includes('json')
      return { status: answer.statusCode, body: isJson && text !== '' ? JSON.parse(text) : text }
    } catch (error) {
      throw asKubeError(error, target)
    }
  }

  member(clusterName: string): KubeClient {
    return new HttpKubeClient(this.connection, this.basePath + memberPath(clusterName), this.userAgent)
  }

  async #call<T>(request: Request): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      const { code, text, retryAfterSeconds } = await this.#answer(request)
      if (code < 400) return parseAnswer<T>(text, request)
      const mayRepeat = code === 429 && request.method === 'GET' && attempt < READ_RETRIES
      if (!mayRepeat || retryAfterSeconds === undefined) throw errorOfAnswer(code, text)
      await sleep(Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS) * 1000)
    }
  }

  async #answer(request: Request): Promise<{ code: number; text: string; retryAfterSeconds: number | undefined }> {
    try {
      const answer = await this.#send(request)
      const after = Number(answer.headers['retry-after'])
      return {
        code: answer.statusCode,
        text: await answer.body.text(),
        retryAfterSeconds: Number.isFinite(after) ? after : undefined,
      }
    } catch (error) {
      throw asKubeError(error, `${request.method} ${request.path}`)
    }
  }

  #send(request: Request, streaming = false): Promise<Dispatcher.ResponseData> {
    const { method, path, body, contentType = 'application/json', signal } = request
    return this.connection.request({
      method,
      path: this.basePath + path,
      headers: {
        'user-agent': this.userAgent,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }, streaming)
  }
}

function parseAnswer<T>(text: string, { method, path }: Request): T {
  try {
    return JSON.parse(text) as T
  } catch (error) {
    throw unreachable(error, `${method} ${path}: the answer is no JSON`)
  }
}

function asKubeError(error: unknown, target: string): KubeError {
  return error instanceof KubeError ? error : unreachable(error, target)
}

/** Waits in wall-clock time, as the server that asked for it counts. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
