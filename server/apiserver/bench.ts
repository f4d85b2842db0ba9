/** `npm run bench -- apiserver`: the server over loopback HTTP on a durable store, as clients meet it. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allKinds } from '@/lib/kube/kinds'
import type { Clock } from '@/lib/std/clock'
import { openSqliteStore, startApiServer } from './index'

const WRITERS = 64
const CREATES = 6000
const SINGLE_WRITES = 300
const WATCHERS = 100
const WATCHED_WRITES = 1000
const TOKEN = 'bench'
const WATCHED = '/api/v1/namespaces/kube-system/configmaps'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

const clock: Clock = {
  now: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(delayMs, 2 ** 31 - 1)).unref()
    return () => clearTimeout(timer)
  },
}

/** Starts a server of its own in this process; client and server share the CPU. */
export async function benchApiServer(): Promise<object> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-apiserver-'))
  const file = join(directory, 'data.db')
  const store = openSqliteStore(file)
  const server = await startApiServer({
    store, kinds: allKinds, host: '127.0.0.1', port: 0, clock, uid: () => randomUUID(), random: Math.random,
    tokens: [{ token: TOKEN, user: 'bench', groups: ['system:masters'] }],
  })
  const client = createClient(server.port)
  const cpu = process.cpuUsage()
  const creates = await concurrentCreates(client)
  const used = process.cpuUsage(cpu)
  const figures = {
    creates: { ...creates, cpuMillisecondsEach: round((used.user + used.system) / 1000 / CREATES) },
    singleWriter: await singleWriter(client),
    list: await listAll(client),
    get: await reads(client),
    watch: await watchDelivery(client),
    residentMegabytes: round(process.memoryUsage().rss / 1e6),
  }
  client.close()
  await server.close()
  await store.close()
  const start = performance.now()
  await openSqliteStore(file).close()
  const coldStartMilliseconds = round(performance.now() - start)
  rmSync(directory, { recursive: true })
  return { shape: shape(), ...figures, coldStartMilliseconds }
}

function shape(): object {
  return {
    object: 'ConfigMap of 1.9 KB',
    store: 'node:sqlite, WAL, synchronous FULL',
    transport: 'HTTP on loopback, client in the same process',
  }
}

interface Client {
  call(method: string, path: string, body?: string): Promise<string>
  watch(path: string, onLine: (line: string) => void): void
  close(): void
}

function createClient(port: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 })
  const open = (method: string, path: string, type: string): ReturnType<typeof request> => request({
    agent, port, host: '127.0.0.1', method, path, headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': type },
  })
  return {
    call: (method, path, body) => new Promise((resolve, reject) => {
      const sent = open(method, path, method === 'PATCH' ? 'application/merge-patch+json' : 'application/json')
      sent.on('error', reject)
      sent.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => void chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if ((response.statusCode ?? 500) < 300) resolve(text)
          else reject(new Error(text))
        })
      })
      sent.end(body)
    }),
    watch: (path, onLine) => {
      const sent = open('GET', path, 'application/json')
      sent.on('error', () => undefined)
      sent.on('response', (response) => {
        let pending = ''
        response.on('error', () => undefined)
        response.on('data', (chunk: Buffer) => {
          const lines = (pending + chunk.toString()).split('\n')
          pending = lines.pop() ?? ''
          lines.forEach(onLine)
        })
      })
      sent.end()
    },
    close: () => agent.destroy(),
  }
}

function configMap(name: string): string {
  return JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { app: 'bench' } },
      data: { payload: 'x'.repeat(1700) },
    }
  )
}

async function concurrentCreates(client: Client): Promise<object> {
  let next = 0
  const worker = async (latencies: number[]): Promise<void> => {
    while (next < CREATES) {
      const body = configMap(`c-${next++}`)
      const start = performance.now()
      await client.call('POST', CONFIG_MAPS, body)
      latencies.push(performance.now() - start)
    }
  }
  const latencies: number[] = []
  const start = performance.now()
  await Promise.all(Array.from({ length: WRITERS }, () => worker(latencies)))
  const seconds = (performance.now() - start) / 1000
  return { writers: WRITERS, count: CREATES, perSecond: Math.round(CREATES / seconds), ...percentiles(latencies) }
}

async function singleWriter(client: Client): Promise<object> {
  const latencies = await timed(SINGLE_WRITES, (index) => client.call('POST', CONFIG_MAPS, configMap(`s-${index}`)))
  const patches = await timed(
    SINGLE_WRITES, (index) => client.call('PATCH', `${CONFIG_MAPS}/s-${index}`, '{"data":{"more":"1"}}'),
  )
  return { count: SINGLE_WRITES, create: percentiles(latencies), patch: percentiles(patches) }
}

async function listAll(client: Client): Promise<object> {
  const latencies = await timed(5, () => client.call('GET', CONFIG_MAPS))
  return { objects: CREATES + SINGLE_WRITES, ...percentiles(latencies) }
}

async function reads(client: Client): Promise<object> {
  return percentiles(await timed(1000, (index) => client.call('GET', `${CONFIG_MAPS}/c-${index}`)))
}

async function watchDelivery(client: Client): Promise<object> {
  const sent = new Map<string, number>()
  const latencies: number[] = []
  for (let index = 0; index < WATCHERS; index++) {
    client.watch(`${WATCHED}?watch=1`, (line) => {
      const name = /"name":"(w-\d+)"/.exec(line)?.[1] ?? ''
      const at = sent.get(name)
      if (at !== undefined) latencies.push(performance.now() - at)
    })
  }
  await pause(300)
  const start = performance.now()
  for (let index = 0; index < WATCHED_WRITES; index += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, offset) => {
      const name = `w-${index + offset}`
      sent.set(name, performance.now())
      return client.call('POST', WATCHED, configMap(name))
    }))
  }
  const seconds = (performance.now() - start) / 1000
  while (latencies.length < WATCHERS * WATCHED_WRITES && performance.now() - start < 20_000) await pause(20)
  return {
    watchers: WATCHERS,
    eventsPerSecond: Math.round(WATCHED_WRITES / seconds),
    delivered: latencies.length,
    ...percentiles(latencies),
  }
}

async function timed(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = []
  for (let index = 0; index < count; index++) {
    const start = performance.now()
    await work(index)
    latencies.push(performance.now() - start)
  }
  return latencies
}

function percentiles(latencies: readonly number[]): object {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number): number => round(
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  )
  return { p50Milliseconds: at(0.5), p99Milliseconds: at(0.99) }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
