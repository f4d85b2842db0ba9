/**
 * `npm run bench -- crash [--rounds 200]`: a server is repeatedly killed with `kill -9` during writes to the same file.
 * After every start each acknowledged write must be present, and each resumed watch must have delivered every change
 * once, in order.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRng } from '@/lib/std/rng'
import { type Connection, openConnection } from './connection'
import { pause, type Percentiles, percentiles } from './figures'
import { CRASH_PATH } from './crash-path'
import { CrashWatch } from './crash-watch'
import { CrashWriter } from './crash-writer'
import { expectSuccess } from './objects'
import { startServerProcess, type ServerProcess, withServerProgram } from './server-process'

const WRITERS = 24
const WATCHES = 6
/** Maximum lifetime of a server under load. */
const MAX_LIFE_MS = 250
const TIMEOUT_MS = 30_000

/** Fails at the first write that is lost and at the first gap or repetition. */
export async function benchCrash(argv: string[]): Promise<object> {
  const { values } = parseArgs({ args: argv, options: { rounds: { type: 'string', default: '200' } } })
  return killAgainAndAgain(Number(values.rounds))
}

export interface CrashReport {
  rounds: number
  acknowledgedWrites: number
  /** Writes that were under way when the server was killed, by whether they were there afterwards. */
  unacknowledged: { kept: number; lost: number }
  eventsOfEachWatch: number
  resumedWatches: number
  lostWrites: 0
  gaps: 0
  repetitions: 0
  start: Percentiles
}

export function killAgainAndAgain(rounds: number): Promise<CrashReport> {
  return withServerProgram(async (program) => {
    const directory = mkdtempSync(join(tmpdir(), 'bench-crash-'))
    try {
      return await run(program, join(directory, 'data.db'), rounds)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
}

async function run(program: string, file: string, rounds: number): Promise<CrashReport> {
  const rng = seededRng(rounds)
  const writers = Array.from({ length: WRITERS }, (_, index) => new CrashWriter(`w${index}`, seededRng(index)))
  const watches = Array.from({ length: WATCHES }, () => new CrashWatch())
  const starts: number[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await startServerProcess(program, file)
    starts.push(server.startMilliseconds)
    await checkAll(server, writers, watches)
    const writing = writers.map((writer) => untilGone(server, (connection) => writer.write(connection)))
    await pause(rng.below(MAX_LIFE_MS))
    await server.kill()
    await Promise.all([...writing, ...watches.map((watch) => watch.ended())])
  }
  const server = await startServerProcess(program, file)
  await checkAll(server, writers, watches)
  await server.kill()
  return {
    rounds,
    acknowledgedWrites: sum(writers, ({ acknowledged }) => acknowledged),
    unacknowledged: { kept: sum(writers, ({ kept }) => kept), lost: sum(writers, ({ undone }) => undone) },
    eventsOfEachWatch: watches[0]?.events ?? 0,
    resumedWatches: WATCHES * rounds,
    lostWrites: 0,
    gaps: 0,
    repetitions: 0,
    start: percentiles(starts),
  }
}

/** Acknowledged writes must be present after the server was killed. */
async function checkAll(
  server: ServerProcess,
  writers: readonly CrashWriter[],
  watches: readonly CrashWatch[],
): Promise<void> {
  const connection = await openConnection(server.ready.port)
  const revision = await newestRevision(connection)
  for (const watch of watches) watch.resume(server.ready.port, revision)
  for (const writer of writers) await writer.check(connection)
  connection.close()
  const changes = new Set(writers.flatMap((writer) => writer.takeAcknowledged()))
  for (const watch of watches) await watch.check(changes, revision, TIMEOUT_MS)
}

async function newestRevision(connection: Connection): Promise<number> {
  const answered = await connection.send('GET', `${CRASH_PATH}?limit=1`)
  expectSuccess(answered)
  const { metadata } = JSON.parse(answered.body.toString()) as { metadata: { resourceVersion: string } }
  return Number(metadata.resourceVersion)
}

async function untilGone(server: ServerProcess, work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await openConnection(server.ready.port).catch(() => undefined)
  if (connection) await work(connection)
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
