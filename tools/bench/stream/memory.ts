/** A large idle fleet: time until the caches are synced, memory, and the cost of the first reader. */
import { parseArgs } from 'node:util'
import { countOf } from '../usage'
import type { ClientsOptions } from './clients'
import { ask, withPrograms } from './programs'
import type { ServerFigures, Serving } from './serve'

/** Flags: `--bindings N` (100000). */
export async function benchMemory(argv: string[]): Promise<object> {
  const { values } = parseArgs({ args: argv, options: { bindings: { type: 'string', default: '100000' } } })
  const bindings = countOf('bindings', values.bindings)
  return withPrograms(['plane', 'serve', 'clients'], async (start) => {
    const { told: api } = await start<string>('plane', JSON.stringify({ bindings }))
    const { child: server, told: serving } = await start<Serving>('serve', api)
    const synced = await ask<ServerFigures>(server, 'figures')
    const options: ClientsOptions = { url: serving.url, clients: 4, pages: 1, readers: 1 }
    const began = performance.now()
    await start('clients', JSON.stringify(options))
    const readMilliseconds = Math.round(performance.now() - began)
    const read = await ask<ServerFigures>(server, 'figures')
    return {
      shape: { bindings, clusters: 4, works: 0, store: 'memory, in another process' },
      syncedMilliseconds: serving.syncedMilliseconds,
      atRest: weight(synced),
      whileRead: { ...weight(read), firstReadersMilliseconds: readMilliseconds },
      bytesPerBindingAtRest: Math.round((synced.residentMegabytes * 1e6) / bindings),
      watches: synced.watches,
      limitedBy: 'one copy of each binding without its managed fields, and the answers of first readers',
    }
  })
}

const weight = ({ residentMegabytes, heapMegabytes, cpuSeconds }: ServerFigures) => ({
  residentMegabytes,
  heapMegabytes,
  cpuSeconds: Number(cpuSeconds.toFixed(2)),
})
