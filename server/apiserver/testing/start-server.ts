/** A server on a free port for tests, with time and chance in the test's hands. */
import { allKinds } from '@/lib/kube/kinds'
import { seededRng } from '@/lib/std/rng'
import { createFakeClock, type FakeClock } from '@/lib/testing/fake-clock'
import { createMemoryStore, type FrontProxy, type KeyPair, startApiServer, type Store } from '../index'

export const ADMIN_TOKEN = 'admin-token'

export interface Answered {
  status: number
  headers: Headers
  // Answers are looked at by tests that know their shape.
  body: Record<string, unknown> & { metadata: Record<string, unknown> }
}

/** A watch that is read line by line. */
export interface OpenWatch {
  /** The next `count` events; rejects when the stream ends before. */
  next(count: number): Promise<{ type: string; object: Answered['body'] }[]>
  /** Resolves when the server has ended the stream. */
  ended(): Promise<void>
  stop(): void
}

export interface TestServer {
  url: string
  clock: FakeClock
  store: Store
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  watch(path: string, headers?: Record<string, string>): Promise<OpenWatch>
  /** What the server logged as its own fault. */
  faults: unknown[]
  close(): Promise<void>
}

export interface TestServerOptions {
  store?: Store
  tls?: KeyPair
  clientAuthority?: KeyPair
  frontProxy?: FrontProxy
  /** Uniform in [0, 1). Default: a fixed sequence. */
  random?: () => number
  upstream?: boolean
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const clock = createFakeClock()
  const store = options.store ?? createMemoryStore()
  const random = seededRng(7)
  let uids = 0
  const faults: unknown[] = []
  const server = await startApiServer({
    store,
    kinds: allKinds,
    host: '127.0.0.1',
    port: 0,
    clock,
    random: options.random ?? (() => random.next()),
    tls: options.tls,
    ...(options.upstream && { upstream: true }),
    ...(options.clientAuthority && { clientAuthority: options.clientAuthority }),
    ...(options.frontProxy && { frontProxy: options.frontProxy }),
    matchesCluster: ({ clusterNames }, { metadata: { name } }) => clusterNames?.includes(name) ?? true,
    log: (level, fields) => void (level === 'error' && faults.push(fields)),
    uid: () => `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`,
    tokens: [{ token: ADMIN_TOKEN, user: 'admin', groups: ['system:masters'] }],
  })
  const headersOf = (own: Record<string, string>): Record<string, string> => ({
    Authorization: `Bearer ${ADMIN_TOKEN}`,
    ...own,
  })
  return {
    url: server.url,
    faults,
    clock,
    store,
    send: async (method, path, body, headers = {}) => {
      const type = { 'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const init: RequestInit = { method, headers: headersOf({ ...type, ...headers }) }
      if (text !== undefined) init.body = text
      const response = await fetch(`${server.url}${path}`, init)
      return { status: response.status, headers: response.headers, body: readBody(await response.text()) }
    },
    watch: async (path, headers = {}) => openWatch(`${server.url}${path}`, headersOf(headers)),
    close: async () => {
      await server.close()
      await store.close()
    },
  }
}

function readBody(text: string): Answered['body'] {
  try {
    return JSON.parse(text) as Answered['body']
  } catch {
    return { text, metadata: {} }
  }
}

async function openWatch(url: string, headers: Record<string, string>): Promise<OpenWatch> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  const lines: string[] = []
  let pending = ''
  const pull = async (): Promise<boolean> => {
    const { done, value } = await reader.read()
    if (done) return false
    const parts = (pending + decoder.decode(value, { stream: true })).split('\n')
    pending = parts.pop() ?? ''
    lines.push(...parts)
    return true
  }
  return {
    next: async (count) => {
      while (lines.length < count) {
        if (!(await pull())) throw new Error(`the stream ended after ${lines.length} of ${count} events`)
      }
      return lines.splice(0, count).map((line) => JSON.parse(line) as { type: string; object: Answered['body'] })
    },
    ended: async () => {
      while (await pull());
    },
    stop: () => abort.abort(),
  }
}
