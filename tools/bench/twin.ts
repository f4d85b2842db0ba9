/**
 * Builds the twin of a large federation: from the export file to a control plane with members that run all workloads;
 * and compares the twin of a smaller, running federation after the same outage.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keptShare } from '@/lib/domain/twin'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import { servedKinds } from '@/server/embedded/served-kinds'
import { systemClock } from '@/server/runtime/system-clock'
import { generatedFederation } from '@/server/testing/generated-federation'
import { replayInTwin } from '@/server/testing/twin-replay'
import { readExport, seedControlPlane, writeExport } from '@/server/twin'
import { countOf, seconds } from './usage'

const ADMIN = { user: 'bench', groups: ['system:masters'] }

/**
 * Flags: `--workloads N` (default 10000), `--clusters N` (default 60), `--replay` instead compares a generated federation
 * (default 1500 workloads) with its twin under the same outage, `--seed N`.
 */
export async function benchTwin(argv: string[]): Promise<object> {
  const options = {
    workloads: { type: 'string' },
    clusters: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    replay: { type: 'boolean', default: false },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = {
    workloads: countOf('workloads', values.workloads ?? (values.replay ? '1500' : '10000')),
    clusters: countOf('clusters', values.clusters),
    seed: countOf('seed', values.seed),
  }
  return values.replay ? compare(shape) : build(shape)
}

type Shape = Record<'workloads' | 'clusters' | 'seed', number>

async function compare(shape: Shape): Promise<object> {
  const { differences, differBefore, ...figures } = await replayInTwin(shape)
  const share = (part: number): number => Number((part / Math.max(1, figures.concerned)).toFixed(4))
  return {
    shape,
    ...figures,
    differBefore: differBefore.length,
    shareOfSameCounts: share(figures.sameCounts),
    shareOfSameDestinations: share(figures.sameDestinations),
    differences: differences.slice(0, 10),
  }
}

async function build(shape: Shape): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-twin-'))
  const file = join(folder, 'federation.json')
  try {
    await writeExport(file, generatedFederation({ ...shape, now: systemClock.now() }))
    const megabytes = Math.round(statSync(file).size / 2 ** 20)
    globalThis.gc?.()
    return { shape: { ...shape, fileMiB: megabytes, store: 'in memory' }, ...(await seed(file)) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function seed(file: string): Promise<object> {
  const server = await startApiServer({
    store: createMemoryStore(),
    kinds: servedKinds(),
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    uid: () => crypto.randomUUID(),
    random: Math.random,
    tokens: [],
  })
  try {
    const [began, cpu] = [performance.now(), process.cpuUsage()]
    const taken = await readExport(file)
    const read = performance.now()
    const transport = server.local({ caller: ADMIN })
    const { proof, counts } = await seedControlPlane({ transport, restore: server.restore }, taken, {
      now: systemClock.now(),
      uid: () => crypto.randomUUID(),
    })
    const ended = performance.now()
    const { user, system } = process.cpuUsage(cpu)
    return {
      counts,
      secondsUntilRead: seconds(read - began),
      secondsUntilBuiltAndProven: seconds(ended - began),
      cpuSeconds: seconds((user + system) / 1000),
      shareThatKeepsItsPlacement: keptShare(proof),
      residentMiB: Math.round(process.memoryUsage().rss / 2 ** 20),
      peakResidentMiB: Math.round(process.resourceUsage().maxRSS / 1024),
      limitedBy: 'one event loop: decoding, defaulting and serialising each object once',
    }
  } finally {
    await server.close()
  }
}
