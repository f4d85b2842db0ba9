/**
 * An HTTP server that supports list and watch of ConfigMaps, and fails on demand: compacts its history, breaks sockets,
 * stops answering, refuses streamed lists, or answers late.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConfigMap } from '@/lib/kube/kinds/config-map'

type Line = { type: string; object: unknown }

const CREATED = '2026-01-01T00:00:00Z'

export class FaultyServer {
  /** False: refuses `sendInitialEvents`, as servers without streamed lists do. */
  streamsLists = true
  /** True: treats `sendInitialEvents` as a plain watch and never sends the closing bookmark. */
  ignoresStreaming = false
  /** Set: every request is answered with this code. */
  failWith: number | undefined
  /** Sent with every failure. */
  retryAfterSeconds: number | undefined
  /** True: watches are accepted and broken at once. */
  breaksWatches = false
  delayMs = 0
  /** Received requests, as `list`, `watch` or `stream`. */
  readonly asked: string[] = []
  readonly headers: Record<string, unknown>[] = []
  #objects = new Map<string, ConfigMap>()
  #log: { revision: number; line: Line }[] = []
  #revision = 100
  #compacted = 0
  #watchers = new Set<{ response: ServerResponse; send: (line: Line) => void }>()
  #server: Server | undefined
  #port = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }
  get watchers(): number {
    return this.#watchers.size
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => void this.#answer(request, response))
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Closes the server and its connections; `start` opens it again on the same port with the same objects. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve))
    this.#server?.closeAllConnections()
    await closed
  }

  put(name: string, value: string): void {
    const known = this.#objects.get(name)
    const object: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name,
        namespace: 'default',
        uid: `uid-${name}`,
        creationTimestamp: CREATED,
        resourceVersion: this.#next(),
      },
      data: { value },
    }
    this.#objects.set(name, object)
    this.#notify({ type: known ? 'MODIFIED' : 'ADDED', object })
  }

  remove(name: string): void {
    const known = this.#objects.get(name)
    if (!known) return
    this.#objects.delete(name)
    const metadata = { ...known.metadata, resourceVersion: this.#next() }
    this.#notify({ type: 'DELETED', object: { ...known, metadata } })
  }

  bookmark(): void {
    this.#broadcast({ type: 'BOOKMARK', object: bookmarkAt(this.#revision) })
  }

  /** Drops the history: older resource versions are expired. */
  compact(): void {
    this.#compacted = this.#revision
    this.#log = []
  }

  /** Breaks every open watch in the middle of the stream. */
  cutWatches(): void {
    for (const { response } of this.#watchers) response.destroy()
  }

  /** Ends every open watch properly. */
  endWatches(): void {
    for (const { response } of this.#watchers) response.end()
  }

  /** Sends an Expired error to every open watch. */
  expireWatches(): void {
    this.#broadcast({ type: 'ERROR', object: status(410, 'Expired', 'too old resource version') })
    this.endWatches()
  }

  state(): Record<string, string> {
    return Object.fromEntries([...this.#objects].map(([name, { data }]) => [name, data?.value ?? '']))
  }

  #next(): string {
    return String(++this.#revision)
  }

  #notify(line: Line): void {
    this.#log.push({ revision: this.#revision, line })
    this.#broadcast(line)
  }

  #broadcast(line: Line): void {
    for (const watcher of this.#watchers) watcher.send(line)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = new URL(request.url ?? '/', this.url).searchParams
    const streams = query.get('sendInitialEvents') === 'true'
    this.asked.push(streams ? 'stream' : query.get('watch') === 'true' ? 'watch' : 'list')
    this.headers.push(request.headers)
    if (this.delayMs > 0) await sleep(this.delayMs)
    if (this.failWith !== undefined && this.retryAfterSeconds !== undefined)
      response.setHeader('retry-after', String(this.retryAfterSeconds))
    if (this.failWith !== undefined) return refuse(response, status(this.failWith, '', 'out of order'))
    if (streams && !this.streamsLists) return refuse(response, status(422, 'Invalid', 'sendInitialEvents is forbidden'))
    if (query.get('watch') === 'true') this.#watch(query, response)
    else this.#list(query, response)
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const from = Number(query.get('continue') ?? 0)
    const limit = Number(query.get('limit') ?? 0) || Infinity
    const all = [...this.#objects.values()].map(({ apiVersion: _a, kind: _k, ...rest }) => rest)
    const next = from + limit < all.length ? String(from + limit) : undefined
    const metadata = { resourceVersion: String(this.#revision), ...(next && { continue: next }) }
    response.setHeader('content-type', 'application/json')
    const items = all.slice(from, from + limit)
    response.end(JSON.stringify({ kind: 'ConfigMapList', apiVersion: 'v1', metadata, items }))
  }

  #watch(query: URLSearchParams, response: ServerResponse): void {
    const streams = query.get('sendInitialEvents') === 'true'
    const from = Number(query.get('resourceVersion') ?? 0)
    if (!streams && from < this.#compacted) return refuse(response, status(410, 'Expired', 'too old resource version'))
    response.setHeader('content-type', 'application/json')
    response.flushHeaders()
    if (this.breaksWatches) return void response.destroy()
    // Split in the middle, so that readers must join the parts of a line.
    const send = (line: Line): void => {
      const text = `${JSON.stringify(line)}\n`
      response.write(text.slice(0, 7))
      response.write(text.slice(7))
    }
    if (streams && !this.ignoresStreaming) {
      for (const object of this.#objects.values()) send({ type: 'ADDED', object })
      send({ type: 'BOOKMARK', object: bookmarkAt(this.#revision, { 'k8s.io/initial-events-end': 'true' }) })
    } else {
      for (const { revision, line } of this.#log) if (revision > from) send(line)
    }
    const watcher = { response, send }
    this.#watchers.add(watcher)
    response.on('close', () => this.#watchers.delete(watcher))
  }
}

function bookmarkAt(revision: number, annotations: Record<string, string> = {}): unknown {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: String(revision), annotations } }
}

function status(code: number, reason: string, message: string): { code: number } {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message, code } as {
    code: number
  }
}

function refuse(response: ServerResponse, body: { code: number }): void {
  response.statusCode = body.code
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}
