/**
 * The live stream under load: a fleet that changes constantly, and many browsers on four views. Measures the age of a
 * change when a browser receives it, from just before the API server accepts it, and the cost for server and network.
 */
import type { ChildProcess } from 'node:child_process'
import { parseArgs } from 'node:util'
import { flushIntervalFor } from '@/server/bff/live/flush-pace'
import { quantileOf } from '../quantile'
import { countOf } from '../usage'
import type { Arrived, ClientsOptions, DelayFigures, StormFigures, View, ViewFigures } from './clients'
import { PAGES } from './fleet'
import { ask, type Start, withPrograms } from './programs'
import type { ServerFigures, Serving } from './serve'

interface Shape {
  bindings: number
  clients: number
  changesPerSecond: number
  seconds: number
}

/** Clients of each view that parse their messages. */
const READERS = 4
const WARM_UP_MS = 5_000

/** Flags: `--bindings N` (10000), `--clients N` (1000), `--rate R` changes a second (500), `--seconds S` (30). */
export async function benchStream(argv: string[]): Promise<object> {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values } = parseArgs({
    args: argv,
    options: { bindings: text('10000'), clients: text('1000'), rate: text('500'), seconds: text('30') },
  })
  const shape: Shape = {
    bindings: countOf('bindings', values.bindings),
    clients: countOf('clients', values.clients),
    changesPerSecond: countOf('rate', values.rate),
    seconds: countOf('seconds', values.seconds),
  }
  return withPrograms(['plane', 'serve', 'clients'], (start) => measure(start, shape))
}

async function measure(start: Start, shape: Shape): Promise<object> {
  const { child: plane, told: api } = await start<string>('plane', JSON.stringify({ bindings: shape.bindings }))
  const { child: server, told: serving } = await start<Serving>('serve', api)
  const options: ClientsOptions = { url: serving.url, clients: shape.clients, pages: PAGES, readers: READERS }
  const connecting = await ask<ServerFigures>(server, 'figures')
  const began = performance.now()
  const { child: clients, told: arrived } = await start<Arrived>('clients', JSON.stringify(options))
  const connected = await ask<ServerFigures>(server, 'figures')
  const connect = {
    allServedMilliseconds: Math.round(performance.now() - began),
    serverCpuSeconds: round(connected.cpuSeconds - connecting.cpuSeconds),
    ...arrived,
  }
  if (arrived.unserved > 0)
    return {
      shape,
      connect,
      limitedBy: `${arrived.unserved} of ${shape.clients} clients had no snapshot within a minute`,
    }
  await ask<number>(plane, shape.changesPerSecond)
  await sleep(WARM_UP_MS)
  const figures = await during(shape, { server, clients, plane })
  const storm = await weather({ server, clients })
  const snapshots = snapshotsOf(connecting, connected)
  return { ...report(shape, { ...figures, serving, snapshots }), connect, storm, limitedBy: limitOf(shape, figures) }
}

/** All clients reconnect at once without data while changes continue. */
async function weather({ server, clients }: Record<'server' | 'clients', ChildProcess>): Promise<object> {
  const before = await ask<ServerFigures>(server, 'figures')
  const figures = await ask<StormFigures>(clients, 'storm')
  const after = await ask<ServerFigures>(server, 'figures')
  const { longestDelayMilliseconds, residentMegabytes } = after
  const serverCpuSeconds = round(after.cpuSeconds - before.cpuSeconds)
  return { ...figures, serverCpuSeconds, longestDelayMilliseconds, residentMegabytes }
}

/** Above this share of its thread, a process makes the others wait. */
const BUSY = 0.85

/** Names what the ages depend on in this run. */
function limitOf({ clients, changesPerSecond }: Shape, { after, clientsDelay, changes, seconds }: Measured): string {
  if (changes / seconds < 0.95 * changesPerSecond) return 'the API server, which wrote fewer changes than the rate'
  if (clientsDelay.busy > BUSY) return 'the thread of the clients, which is one process for all of them'
  if (after.busy > BUSY) return 'the thread of the server'
  return `the interval of ${flushIntervalFor(clients)} ms between two messages to a client`
}

interface Measured {
  before: ServerFigures
  after: ServerFigures
  views: Record<View, ViewFigures>
  clientsDelay: DelayFigures
  changes: number
  seconds: number
}

async function during(
  { seconds }: Shape,
  parts: { server: ChildProcess; clients: ChildProcess; plane: ChildProcess },
): Promise<Measured> {
  const { server, clients, plane } = parts
  const [before, from, began] = [
    await ask<ServerFigures>(server, 'figures'),
    await ask<number>(plane, 'written'),
    performance.now(),
  ]
  clients.send('begin')
  await sleep(seconds * 1000)
  const [after, to, ended] = [
    await ask<ServerFigures>(server, 'figures'),
    await ask<number>(plane, 'written'),
    performance.now(),
  ]
  const views = await ask<Record<View, ViewFigures>>(clients, 'figures')
  const clientsDelay = await ask<DelayFigures>(clients, 'delay')
  return { before, after, views, clientsDelay, changes: to - from, seconds: (ended - began) / 1000 }
}

/** The size of a snapshot of the whole fleet, as text. */
function snapshotsOf(before: ServerFigures, after: ServerFigures): number {
  const [from, to] = [before.sent['snapshot'], after.sent['snapshot']]
  return (to?.textBytes ?? 0) - (from?.textBytes ?? 0)
}

function report(shape: Shape, measured: Measured & { serving: Serving; snapshots: number }): object {
  const { before, after, views, changes, seconds, serving, snapshots } = measured
  const fleet = views.workloads
  const bytesPerChange = fleet.bytes / fleet.clients / fleet.changesPerClient
  const textPerChange = fleet.textBytes / READERS / fleet.changesPerClient
  // Nearly all text of snapshots is the list of workloads, once for each client of that view.
  const listBytes = snapshots / fleet.clients
  const ages = Object.values(views)
    .flatMap((view) => view.ages)
    .sort((a, b) => a - b)
  return {
    shape: {
      ...shape,
      views: 'a quarter each: workloads, one workload (49 pages), failover, clusters',
      readersThatUnpack: READERS,
      store: 'memory, in another process',
      paceMilliseconds: flushIntervalFor(shape.clients),
    },
    changesPerSecondWritten: round(changes / seconds),
    ageMilliseconds: {
      all: quantiles(ages),
      ...Object.fromEntries(Object.entries(views).map(([view, { ages: of }]) => [view, quantiles(of)])),
    },
    waitsInTheProcessOfTheClientsMilliseconds: measured.clientsDelay,
    threadOfTheServerBusy: after.busy,
    messagesPerSecondAndClient: Object.fromEntries(
      Object.entries(views).map(([view, { messages, clients }]) => [view, round(messages / clients / seconds)]),
    ),
    bytesPerClientAndChange: { compressed: round(bytesPerChange), text: round(textPerChange) },
    bytesOfWholeList: { text: Math.round(listBytes) },
    timesFewerThanWholeLists: Math.round(listBytes / textPerChange),
    megabytesPerSecond: round(Object.values(views).reduce((sum, { bytes }) => sum + bytes, 0) / seconds / 1e6),
    serverCores: round((after.cpuSeconds - before.cpuSeconds) / seconds),
    residentMegabytes: after.residentMegabytes,
    heapMegabytes: after.heapMegabytes,
    heldBack: after.heldBack - before.heldBack,
    longestDelayMilliseconds: after.longestDelayMilliseconds,
    watches: after.watches,
    syncedMilliseconds: serving.syncedMilliseconds,
    limits: {
      ageMillisecondsP99: shape.clients > 1000 ? 500 : 250,
      serverCores: 1,
      residentMegabytes: 1000,
      timesFewerThanWholeLists: 50,
    },
  }
}

function quantiles(sorted: readonly number[]): object {
  const at = (share: number): number | undefined => {
    const value = quantileOf(sorted, share)
    return value === undefined ? undefined : Math.round(value)
  }
  return { changes: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

const round = (value: number): number => Number(value.toFixed(2))
const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
