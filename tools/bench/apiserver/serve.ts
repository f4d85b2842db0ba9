/** The server of a bench, in its own process. Reports when it is ready and its resource usage. */
import { randomUUID } from 'node:crypto'
import { allKinds } from '@/lib/kube/kinds'
import { openSqliteStore, startApiServer } from '@/server/apiserver'
import { systemClock } from '@/server/runtime/system-clock'
import { BENCH_TOKEN, TENANTS } from './connection'

/** Resource usage of the process since its start. */
export interface Usage {
  cpuSeconds: number
  residentMegabytes: number
}

/** Sent by the process when it serves. Times are milliseconds since its start. */
export interface Ready {
  port: number
  loaded: number
  opened: number
  serving: number
}

async function serve(file: string): Promise<void> {
  const loaded = performance.now()
  const store = await openSqliteStore(file)
  const opened = performance.now()
  const server = await startApiServer({
    store,
    kinds: allKinds,
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    uid: () => randomUUID(),
    random: Math.random,
    tokens: [
      { token: BENCH_TOKEN, user: 'bench', groups: ['system:masters'] },
      ...TENANTS.map((user) => ({ token: user, user, groups: [] })),
    ],
  })
  process.on('message', () => process.send?.(usage()))
  process.on('disconnect', () => process.exit(0))
  const ready: Ready = { port: server.port, loaded, opened, serving: performance.now() }
  process.send?.(ready)
}

function usage(): Usage {
  const { user, system } = process.cpuUsage()
  return { cpuSeconds: (user + system) / 1e6, residentMegabytes: process.memoryUsage().rss / 1e6 }
}

await serve(process.argv[2] as string)
