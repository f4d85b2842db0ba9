/** The backend for the frontend alone, in its own process, over REST to another API server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { ownsSuspension } from '@/lib/domain/queue'
import type { Kind } from '@/lib/kube/kind'
import { createBff } from '@/server/bff'
import { noBffMetrics } from '@/server/bff/metrics-hooks'
import type { KubeClient } from '@/server/kube/client'
import { createInformers } from '@/server/kube/informers'
import { createRestClient } from '@/server/kube/rest-client'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { TOKEN } from './fleet'

/** Resource usage of the process so far. */
export interface ServerFigures {
  cpuSeconds: number
  residentMegabytes: number
  heapMegabytes: number
  /** Watches that are open at the API server, by kind. */
  watches: Record<string, number>
  /** Messages and bytes of the stream, by purpose. */
  sent: Record<string, { frames: number; textBytes: number }>
  heldBack: number
  /** Share of the time that the thread was busy since the last query. */
  busy: number
  /** Longest delay of the event loop since the last query. */
  longestDelayMilliseconds: number
}

export interface Serving {
  url: string
  /** From the start of the process until the caches were whole. */
  syncedMilliseconds: number
}

const SAMPLE_MS = 5
const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS })

async function serve(url: string): Promise<void> {
  const watches: Record<string, number> = {}
  const sent: ServerFigures['sent'] = {}
  let heldBack = 0
  delay.enable()
  const client = counting(createRestClient({ url, token: TOKEN, userAgent: 'bench' }), watches)
  const log = createLogger({ level: 'warn' })
  const informers = createInformers({
    client,
    clock: systemClock,
    random: Math.random,
    parsed: { keepsOwner: ownsSuspension },
    onError: (error) => log.error({ err: error }, 'failed'),
  })
  const figures = {
    ...noBffMetrics,
    heldBack: () => {
      heldBack += 1
    },
    sent: (message: string, bytes: number) => {
      const so = (sent[message] ??= { frames: 0, textBytes: 0 })
      so.frames += 1
      so.textBytes += bytes
    },
  }
  const bff = createBff({
    client,
    informers,
    clock: systemClock,
    log,
    random: Math.random,
    allowedHosts: [],
    figures,
    limits: { socketsPerUser: 10_000, sockets: 10_000 },
    about: { mode: 'connected', server: url, reconcilers: () => [] },
  })
  const server = createServer((request, response) => void bff.handle(request, response))
  bff.attach(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  await informers.whenSynced()
  process.on('message', () => process.send?.(usage({ watches, sent, heldBack })))
  process.on('disconnect', () => process.exit(0))
  const serving: Serving = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    syncedMilliseconds: Math.round(performance.now()),
  }
  process.send?.(serving)
}

/** The client, which counts the watches that are open. */
function counting(client: KubeClient, watches: Record<string, number>): KubeClient {
  const watch: KubeClient['watch'] = async function* counted(kind, options, signal) {
    const name = (kind as unknown as Kind).plural
    watches[name] = (watches[name] ?? 0) + 1
    try {
      yield* client.watch(kind, options, signal)
    } finally {
      watches[name] = (watches[name] ?? 1) - 1
    }
  }
  return new Proxy(client, {
    get: (target, property) => {
      const own: unknown = property === 'watch' ? watch : Reflect.get(target, property)
      return typeof own === 'function' && property !== 'watch' ? (own.bind(target) as unknown) : own
    },
  })
}

let busySince = performance.eventLoopUtilization()

function usage(counted: Pick<ServerFigures, 'watches' | 'sent' | 'heldBack'>): ServerFigures {
  const longestDelayMilliseconds = Math.max(0, Math.round(delay.max / 1e6 - SAMPLE_MS))
  delay.reset()
  const busy = Number(performance.eventLoopUtilization(busySince).utilization.toFixed(2))
  busySince = performance.eventLoopUtilization()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return {
    cpuSeconds: (user + system) / 1e6,
    residentMegabytes: Math.round(rss / 1e6),
    heapMegabytes: Math.round(heapUsed / 1e6),
    busy,
    longestDelayMilliseconds,
    ...counted,
  }
}

await serve(process.argv[2] as string)
