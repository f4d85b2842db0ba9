/** Many writers at once, one writer alone, and lists. */
import { type Connection, openConnection } from './connection'
import { busyDuring, percentiles, round, timed } from './figures'
import { configMap, CONFIG_MAPS, expectSuccess } from './objects'
import type { ServerProcess } from './server-process'

const WRITERS = 64
/** So many creates run partly as code that is not compiled yet: the rate rises until then. */
const WARM_UP = 15_000
const CREATES = 36_000
const SINGLE_WRITES = 500
const LISTED = 10_000

/**
 * The requested number of writers, each creating objects one after the other: the rate that a running server keeps up, and
 * that of the first creates of a new process.
 */
export async function manyWriters(server: ServerProcess): Promise<object> {
  const first = await busyDuring(server, () => createAll(server, 'warm', WARM_UP))
  const { result, busy } = await busyDuring(server, () => createAll(server, 'c', CREATES))
  const cpuEach = round((busy.serverCpuSeconds * 1000) / CREATES)
  return {
    writers: WRITERS,
    objects: CREATES,
    perSecond: Math.round(CREATES / busy.seconds),
    ...percentiles(result),
    first: { objects: WARM_UP, perSecond: Math.round(WARM_UP / first.busy.seconds), ...percentiles(first.result) },
    serverCpuMillisecondsEach: cpuEach,
    serverCores: busy.serverCores,
    clientCores: busy.clientCores,
    limit:
      `the server's one thread: ${cpuEach} ms of it for each create (${Math.round(1000 / cpuEach)}/s if it never `
      + `waited); it was busy ${Math.round(busy.serverCores * 100)} % of the time and waited for the disk, the clients `
      + 'and other programs for the rest',
  }
}

async function createAll(server: ServerProcess, prefix: string, count: number): Promise<number[]> {
  let next = 0
  const latencies: number[] = []
  await onConnections(server, WRITERS, async (connection) => {
    while (next < count) {
      const body = configMap(`${prefix}-${next++}`)
      const start = performance.now()
      expectSuccess(await connection.send('POST', CONFIG_MAPS, body))
      latencies.push(performance.now() - start)
    }
  })
  return latencies
}

async function onConnections(
  server: ServerProcess,
  count: number,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(server.ready.port)))
  await Promise.all(connections.map(work))
  for (const connection of connections) connection.close()
}

/** One client that waits for each response. */
export async function oneWriter(server: ServerProcess, disk: object): Promise<object> {
  const connection = await openConnection(server.ready.port)
  const send = async (method: string, path: string, body?: string): Promise<void> =>
    expectSuccess(await connection.send(method, path, body))
  const create = await timed(SINGLE_WRITES, (index) => send('POST', CONFIG_MAPS, configMap(`s-${index}`)))
  const patch = await timed(SINGLE_WRITES, (index) =>
    send('PATCH', `${CONFIG_MAPS}/s-${index}`, '{"data":{"more":"1"}}'),
  )
  const get = await timed(SINGLE_WRITES, (index) => send('GET', `${CONFIG_MAPS}/s-${index}`))
  connection.close()
  return {
    writes: SINGLE_WRITES,
    create: percentiles(create),
    patch: percentiles(patch),
    get: percentiles(get),
    fsyncAlone: disk,
    limit: 'the disk: every write waits for one fsync of its own, a get does not',
  }
}

/** One list of exactly as many objects, in one answer, and in pages as client-go reads them. */
export async function listing(server: ServerProcess): Promise<object> {
  const path = '/api/v1/namespaces/listed/configmaps'
  await onConnections(server, 1, async (connection) => {
    expectSuccess(await connection.send('POST', '/api/v1/namespaces', '{"metadata":{"name":"listed"}}'))
  })
  let next = 0
  await onConnections(server, WRITERS, async (connection) => {
    while (next < LISTED) expectSuccess(await connection.send('POST', path, configMap(`l-${next++}`)))
  })
  const connection = await openConnection(server.ready.port)
  let bytes = 0
  const whole = await timed(5, async () => {
    const { body } = await connection.send('GET', path)
    bytes = body.length
  })
  const paged = await timed(3, () => readPages(connection, path))
  connection.close()
  return {
    objects: LISTED,
    megabytes: round(bytes / 1e6),
    whole: percentiles(whole),
    inPagesOf500: percentiles(paged),
    limit: 'copying: the stored texts are put together as they are, once in the server and once through the socket',
  }
}

async function readPages(connection: Connection, path: string): Promise<void> {
  for (let token = ''; ;) {
    const { body } = await connection.send('GET', `${path}?limit=500${token && `&continue=${token}`}`)
    const { metadata } = JSON.parse(body.toString()) as { metadata: { continue?: string } }
    if (!metadata.continue) return
    token = metadata.continue
  }
}
