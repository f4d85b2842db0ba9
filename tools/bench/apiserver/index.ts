/**
 * `npm run bench -- apiserver`: the server in its own process, with a persistent store, over loopback HTTP. Every
 * figure names its limiting resource.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { coldStart } from './cold-start'
import { watchDelivery } from './delivery'
import { measureDisk } from './disk'
import { round } from './figures'
import { startServerProcess, withServerProgram } from './server-process'
import { listing, manyWriters, oneWriter } from './writing'

export { benchCrash } from './crash'

/** Starts servers of its own and ends them. */
export function benchApiServer(): Promise<object> {
  return withServerProgram(measure)
}

async function measure(program: string): Promise<object> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-apiserver-'))
  const shape = shapeOfWork()
  const disk = measureDisk(directory, 1)
  const server = await startServerProcess(program, join(directory, 'data.db'))
  try {
    const singleWriter = await oneWriter(server, disk)
    const creates = await manyWriters(server)
    const watch = await watchDelivery(server)
    const list = await listing(server)
    const { residentMegabytes } = await server.usage()
    const memory = { residentMegabytes: round(residentMegabytes), limit: MEMORY_LIMIT }
    const start = await coldStart(program, join(directory, 'start.db'))
    return { shape, creates, singleWriter, watch, list, coldStart: start, memoryAfterAll: memory }
  } finally {
    await server.kill()
    rmSync(directory, { recursive: true })
  }
}

const MEMORY_LIMIT = 'the text of every object, the window of history, and what the collector leaves for later'

function shapeOfWork(): object {
  return {
    object: 'ConfigMap, 2 KB as stored',
    store: 'node:sqlite, WAL, synchronous FULL: every acknowledged write is on the disk',
    transport: 'HTTP/1.1 on loopback, the client in another process on the same machine',
    cores: cpus().length,
    loadOfTheMachineBefore: round(loadavg()[0] as number),
  }
}
