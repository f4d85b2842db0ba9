/**
 * `npm run bench -- fairness`: the effect of one tenant's load on another. A quiet tenant reads and writes one object
 * after the other: alone, with a busy tenant on the same server, and with the busy tenant on a second server, in
 * alternating rounds. Each server is its own process with a persistent store. The second server shows the cost of
 * sharing processor and disk, which no queue within a server can avoid.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { endWithUs } from '@/server/testing/end-with-us'
import { openConnection, TENANTS } from './apiserver/connection'
import { busyDuring, percentiles, round } from './apiserver/figures'
import { configMap } from './apiserver/objects'
import { startServerProcess, type ServerProcess, withServerProgram } from './apiserver/server-process'
import { LISTED, mapsOf } from './fairness-noise'
import { countOf } from './usage'

const NOISE = fileURLToPath(new URL('./fairness-noise.ts', import.meta.url))

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const ROUNDS = 5
const RESTS_MS = 5

interface Shape {
  connections: number
  requests: number
}

interface Noise {
  answered: number
  refused: number
  busyCores: number
}

interface Latencies {
  reads: number[]
  writes: number[]
}

/** Flags: `--connections N` of the noisy tenant (default 64), `--requests N` of the quiet one for each round (default 150). */
export async function benchFairness(argv: string[]): Promise<object> {
  const options = {
    connections: { type: 'string', default: '64' },
    requests: { type: 'string', default: '150' },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = {
    connections: countOf('connections', values.connections),
    requests: countOf('requests', values.requests),
  }
  return withServerProgram((program) => measure(program, shape))
}

async function measure(program: string, shape: Shape): Promise<object> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-fairness-'))
  const server = await startServerProcess(program, join(directory, 'data.db'))
  const other = await startServerProcess(program, join(directory, 'other.db'))
  try {
    for (const each of [server, other]) await prepare(each)
    await quietTenant(server, 'warm', shape.requests)
    const alone: Latencies = { reads: [], writes: [] }
    const beside: Latencies = { reads: [], writes: [] }
    const elsewhere: Latencies = { reads: [], writes: [] }
    const [noise, noiseElsewhere] = [newNoise(), newNoise()]
    for (let count = 0; count < ROUNDS; count++) {
      const work = (prefix: string) => () => quietTenant(server, `${prefix}${count}`, shape.requests)
      add(alone, await work('a')())
      add(beside, await withNoise(server, shape, { noise, work: work('b') }))
      add(elsewhere, await withNoise(other, shape, { noise: noiseElsewhere, work: work('c') }))
    }
    return {
      shape: {
        ...shape,
        rounds: ROUNDS,
        quiet: `one request every ${RESTS_MS} ms, half reads and half writes of a ConfigMap of 2 KB`,
        noisy: `reads, writes, and lists of ${LISTED} ConfigMaps, on every connection without rest`,
        cores: cpus().length,
        loadOfTheMachine: round(loadavg()[0] as number),
        store: 'node:sqlite, synchronous=FULL',
      },
      reads: compared(alone.reads, beside.reads, elsewhere.reads),
      writes: compared(alone.writes, beside.writes, elsewhere.writes),
      noisy: told(noise),
      noisyElsewhere: told(noiseElsewhere),
      limits: { ratioP50: 1.2 },
      limit: 'one thread: a request waits for the one that runs, and for the bytes of the others to be read and parsed',
    }
  } finally {
    for (const each of [server, other]) await each.kill()
    rmSync(directory, { recursive: true })
  }
}

const newNoise = (): Noise => ({ answered: 0, refused: 0, busyCores: 0 })

const told = ({ answered, refused, busyCores }: Noise): object => ({
  answered,
  refused,
  serverCores: round(busyCores / ROUNDS),
})

function compared(alone: readonly number[], beside: readonly number[], elsewhere: readonly number[]): object {
  const [before, with_, apart] = [percentiles(alone), percentiles(beside), percentiles(elsewhere)]
  const ratio = (figure: 'p50Milliseconds' | 'p99Milliseconds', of: typeof with_): number =>
    round(of[figure] / before[figure])
  return {
    alone: before,
    beside: with_,
    ratioP50: ratio('p50Milliseconds', with_),
    ratioP99: ratio('p99Milliseconds', with_),
    noiseOnAnotherServer: {
      ...apart,
      ratioP50: ratio('p50Milliseconds', apart),
      ratioP99: ratio('p99Milliseconds', apart),
    },
  }
}

const add = (to: Latencies, from: Latencies): void => {
  to.reads.push(...from.reads)
  to.writes.push(...from.writes)
}

async function prepare({ ready: { port } }: ServerProcess): Promise<void> {
  const admin = await openConnection(port)
  const create = async (path: string, object: object): Promise<void> => {
    const { status, body } = await admin.send('POST', path, JSON.stringify(object))
    if (status !== 201) throw new Error(`${path}: ${status} ${body.toString()}`)
  }
  for (const name of TENANTS) {
    await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await create(`${RBAC}/namespaces/${name}/rolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
    })
  }
  for (let count = 0; count < LISTED; count++) await admin.send('POST', mapsOf('noisy'), configMap(`listed-${count}`))
  admin.close()
}

async function quietTenant({ ready: { port } }: ServerProcess, prefix: string, requests: number): Promise<Latencies> {
  const connection = await openConnection(port, 'quiet')
  const latencies: Latencies = { reads: [], writes: [] }
  for (let count = 0; count < requests; count++) {
    const name = `${prefix}-${count >> 1}`
    const isWrite = count % 2 === 0
    const began = performance.now()
    const { status, body } = isWrite
      ? await connection.send('POST', mapsOf('quiet'), configMap(name))
      : await connection.send('GET', `${mapsOf('quiet')}/${name}`)
    if (status >= 300) throw new Error(`the quiet tenant was answered ${status}: ${body.toString()}`)
    latencies[isWrite ? 'writes' : 'reads'].push(performance.now() - began)
    await new Promise((resolve) => {
      setTimeout(resolve, RESTS_MS)
    })
  }
  connection.close()
  return latencies
}

/** The load is generated in another process, because it would delay measurements of the quiet tenant. */
async function withNoise(
  server: ServerProcess,
  { connections }: Shape,
  { noise, work }: { noise: Noise; work: () => Promise<Latencies> },
): Promise<Latencies> {
  const child = fork(NOISE, [String(server.ready.port), String(connections)], { execArgv: ['--import', 'tsx'] })
  endWithUs(child)
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the noisy tenant ended with code ${code}`)
  })
  failed.catch(() => undefined)
  await Promise.race([once(child, 'message'), failed])
  const { result, busy } = await Promise.race([busyDuring(server, work), failed])
  const ended = once(child, 'message') as Promise<[{ answered: number; refused: number }]>
  child.send('end')
  const [made] = await Promise.race([ended, failed])
  noise.answered += made.answered
  noise.refused += made.refused
  noise.busyCores += busy.serverCores
  return result
}
