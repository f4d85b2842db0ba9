/**
 * Writes for one of N new Deployments over three members, by kind, and when it is ready. In simulated time, so the
 * counts are the same on every machine.
 */
import { parseArgs } from 'node:util'
import { isConditionTrue } from '@/lib/kube/conditions'
import { deployment, propagationPolicy, type ResourceBinding } from '@/lib/kube/kinds'
import { SIM_NODE_CPU, SIM_NODE_MEMORY, SIM_NODES } from '@/lib/kube/simulation'
import { createSimulatedClock } from '@/lib/std/simulated-clock'
import { aDeployment } from '@/lib/testing/builders'
import { createMemoryStore, type Store } from '@/server/apiserver'
import { controllersOf } from '@/server/compose/rehearse'
import { parseConfig } from '@/server/config/config'
import { type Plane, startPlane } from '@/server/rehearsal/plane'
import { createLogger } from '@/server/telemetry/logger'
import { clusterKind, ready } from './members'
import { quantileOf } from './quantile'
import { countOf } from './usage'

const members = ['member1', 'member2', 'member3']
const PREFIX = 'app-'
/** Longer than all of them need. */
const SETTLED_MS = 15_000

/** Flags: `--workloads N` (default 500), `--rate N` new ones per second (default 250). */
export async function benchWrites(argv: string[]): Promise<object> {
  const options = { workloads: { type: 'string', default: '500' }, rate: { type: 'string', default: '250' } } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = { workloads: countOf('workloads', values.workloads), rate: countOf('rate', values.rate) }
  const config = parseConfig([], {})
  const store = createMemoryStore()
  const plane = await startPlane({
    clock: createSimulatedClock(Date.parse('2026-01-01T00:00:00Z')),
    store,
    seed: 1,
    log: createLogger({ level: 'warn' }),
    failoverDefaults: config.failoverDefaults,
    upstream: false,
    controllers: (context, activity) => controllersOf(config, context, activity),
  })
  try {
    await prepare(plane)
    const count = countWrites(plane, store)
    const before = process.cpuUsage()
    await createAll(plane, shape)
    await plane.pass(SETTLED_MS)
    const cpu = process.cpuUsage(before)
    const each = (total: number): number => Number((total / shape.workloads).toFixed(2))
    return {
      shape: { ...shape, members: members.length, replicasEach: 3, readyAfterSeconds: 2 },
      writesPerWorkload: Object.fromEntries([...count.writes].map(([kind, total]) => [kind, each(total)])),
      allWritesPerWorkload: each([...count.writes.values()].reduce((sum, total) => sum + total, 0)),
      kilobytesWrittenPerWorkload: each(count.bytes() / 1024),
      millisecondsUntilHealthy: {
        workloads: count.healthyAfter.length,
        p50: quantileOf(count.healthyAfter, 0.5),
        p99: quantileOf(count.healthyAfter, 0.99),
      },
      cpuMillisecondsPerWorkload: each((cpu.user + cpu.system) / 1000),
      limitedBy: 'the states that are written one after the other; processor time is that of this one thread',
    }
  } finally {
    await plane.close()
  }
}

async function prepare({ client, pass }: Plane): Promise<void> {
  const annotations = { [SIM_NODES]: '20', [SIM_NODE_CPU]: '64', [SIM_NODE_MEMORY]: '256Gi' }
  for (const name of members) {
    await client.create(clusterKind, {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name, annotations },
      spec: { syncMode: 'Push' },
    })
  }
  await client.create(propagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace: 'default' },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: { dynamicWeight: 'AvailableReplicas' },
        },
      },
    },
  })
  await pass(60_000)
  if (!(await client.list(clusterKind)).items.every(ready)) throw new Error('the members did not become ready')
}

interface Count {
  writes: ReadonlyMap<string, number>
  bytes(): number
  /** Milliseconds after their creation. */
  healthyAfter: readonly number[]
}

function countWrites({ clock }: Plane, store: Store): Count {
  const writes = new Map<string, number>()
  const createdAt = new Map<string, number>()
  const healthyAt = new Map<string, number>()
  let bytes = 0
  store.subscribe((events) => {
    for (const { entry } of events) {
      const { keyspace, resource, key } = entry.location
      const name = new RegExp(`${PREFIX}\\d+`).exec(key)?.[0]
      if (name === undefined) continue
      const kind = `${keyspace ? 'member' : 'plane'} ${entry.value.kind}`
      writes.set(kind, (writes.get(kind) ?? 0) + 1)
      bytes += entry.json.length
      if (!createdAt.has(name)) createdAt.set(name, clock.now())
      const isHealthy = resource.startsWith('resourcebindings.') && isRunning(entry.value as unknown as ResourceBinding)
      if (isHealthy && !healthyAt.has(name)) healthyAt.set(name, clock.now() - (createdAt.get(name) ?? 0))
    }
  })
  return {
    writes,
    bytes: () => bytes,
    get healthyAfter() {
      return [...healthyAt.values()].toSorted((a, b) => a - b)
    },
  }
}

const isRunning = ({ status }: ResourceBinding): boolean =>
  isConditionTrue(status?.conditions, 'FullyApplied')
  && status?.aggregatedStatus?.every(({ health }) => health === 'Healthy') === true

async function createAll({ client, pass }: Plane, { workloads, rate }: Record<'workloads' | 'rate', number>) {
  for (let at = 0; at < workloads; at++) {
    await client.create(deployment, aDeployment(`${PREFIX}${String(at).padStart(5, '0')}`, { replicas: 3, cpu: '10m' }))
    await pass(1000 / rate)
  }
}
