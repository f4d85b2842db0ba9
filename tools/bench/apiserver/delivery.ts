/** Time until all watchers have received a write. */
import { type Connection, openConnection, openWatch } from './connection'
import { busyDuring, pause, percentiles, round } from './figures'
import { configMap, expectSuccess } from './objects'
import type { ServerProcess } from './server-process'

const PATH = '/api/v1/namespaces/kube-system/configmaps'
const WATCHERS = 200
const PER_SECOND = 1000
const SECONDS = 5
const BEAT_MS = 5
const WRITERS = 32
/** How long late events are waited for. */
const TIMEOUT_MS = 20_000

/** Writes at a steady rate; the time counts from when a write is sent until each watcher has its event. */
export async function watchDelivery(server: ServerProcess): Promise<object> {
  const arrivals = new Arrivals(PER_SECOND * SECONDS)
  const watches = await Promise.all(
    Array.from({ length: WATCHERS }, () => openWatch(server.ready.port, `${PATH}?watch=1`, arrivals.reader())),
  )
  await pause(300)
  const { busy } = await busyDuring(server, async () => {
    await writeSteadily(server, arrivals)
    await arrivals.complete(PER_SECOND * SECONDS * WATCHERS)
  })
  for (const watch of watches) watch.close()
  const perSecond = Math.round((PER_SECOND * SECONDS) / busy.seconds)
  return {
    watchers: WATCHERS,
    events: PER_SECOND * SECONDS,
    eventsPerSecond: perSecond,
    deliveriesPerSecond: perSecond * WATCHERS,
    delivered: arrivals.latencies.length,
    megabytesPerSecond: round(arrivals.bytes / busy.seconds / 1e6),
    ...percentiles(arrivals.latencies),
    serverCores: busy.serverCores,
    clientCores: busy.clientCores,
    limit:
      `sockets: every watcher gets every event of 2 KB; the server was busy ${Math.round(busy.serverCores * 100)} % `
      + `of the time, nearly all of it in write calls, and the client that reads it all `
      + `${Math.round(busy.clientCores * 100)} %`,
  }
}

async function writeSteadily(server: ServerProcess, arrivals: Arrivals): Promise<void> {
  const idle = await Promise.all(Array.from({ length: WRITERS }, () => openConnection(server.ready.port)))
  const all = [...idle]
  const due: number[] = []
  const pending: Promise<void>[] = []
  const start = (): void => {
    while (due.length > 0 && idle.length > 0) pending.push(write(idle.pop() as Connection, due.shift() as number))
  }
  const write = async (connection: Connection, index: number): Promise<void> => {
    arrivals.sent(index)
    expectSuccess(await connection.send('POST', PATH, configMap(nameOf(index))))
    idle.push(connection)
    start()
  }
  const begin = performance.now()
  for (let next = 0; next < PER_SECOND * SECONDS;) {
    const reached = Math.min(PER_SECOND * SECONDS, Math.ceil(((performance.now() - begin) / 1000) * PER_SECOND))
    while (next < reached) due.push(next++)
    start()
    await pause(BEAT_MS)
  }
  while (due.length > 0 || idle.length < WRITERS) await pause(BEAT_MS)
  await Promise.all(pending)
  for (const connection of all) connection.close()
}

const MARK = Buffer.from('"name":"w')
const DIGITS = 6

function nameOf(index: number): string {
  return `w${String(index).padStart(DIGITS, '0')}`
}

/** Finds the names of events in received data, and returns their age. */
class Arrivals {
  readonly latencies: number[] = []
  bytes = 0
  readonly #sent: Float64Array

  constructor(events: number) {
    this.#sent = new Float64Array(events)
  }

  sent(index: number): void {
    this.#sent[index] = performance.now()
  }

  /** For one watch: names may be split by the transport. */
  reader(): (chunk: Buffer) => void {
    let rest = Buffer.alloc(0)
    return (chunk) => {
      this.bytes += chunk.length
      const now = performance.now()
      if (rest.length > 0) this.#count(Buffer.concat([rest, chunk.subarray(0, MARK.length + DIGITS)]), now)
      this.#count(chunk, now)
      rest = Buffer.from(chunk.subarray(-(MARK.length + DIGITS - 1)))
    }
  }

  #count(bytes: Buffer, now: number): void {
    for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1)) {
      const digits = bytes.toString('latin1', at + MARK.length, at + MARK.length + DIGITS)
      if (digits.length === DIGITS) this.latencies.push(now - (this.#sent[Number(digits)] as number))
    }
  }

  async complete(expected: number): Promise<void> {
    const start = performance.now()
    while (this.latencies.length < expected && performance.now() - start < TIMEOUT_MS) await pause(1)
  }
}
