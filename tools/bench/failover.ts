/**
 * A cluster with N workloads fails: time from its condition until the last workload is scheduled again, and until it is
 * healthy, on the whole product with simulated members. A client of the live protocol measures the delay from a watch
 * event to the screen. The product runs as its own process with its persistent store.
 */
import { parseArgs } from 'node:util'
import { removeDataDir, startProduct, type Product } from '@/e2e/support/product'
import { isConditionTrue } from '@/lib/kube/conditions'
import { deployment, propagationPolicy, resourceBinding, type ResourceBinding } from '@/lib/kube/kinds'
import { SIM_STATE } from '@/lib/kube/simulation'
import { aDeployment } from '@/lib/testing/builders'
import type { WorkloadView } from '@/lib/view/model'
import type { KubeClient } from '@/server/kube/client'
import type { Informers } from '@/server/kube/informer'
import { createInformers } from '@/server/kube/informers'
import { connectionOf } from '@/server/kube/kubeconfig'
import { createRestClient } from '@/server/kube/rest-client'
import { mapBounded } from '@/server/runtime/bounded'
import { systemClock } from '@/server/runtime/system-clock'
import { ensureBuild } from '@/server/cli/build'
import { followMonitor } from './failover-stream'
import { followTopic } from './live-topic'
import { clusterKind, createMembers } from './members'
import { quantileOf } from './quantile'
import { countOf, seconds, usageOf } from './usage'

const HOME = 'member1'
const AWAY = ['member2', 'member3']
const namespace = 'default'
const CREATORS = 16
const DEADLINE_MS = 600_000

interface Shape {
  workloads: number
  evictionsPerSecond: number
}

/** Flags: `--workloads N` (default 1000), `--rate R` evictions a second (default 10000: the product is measured, not its patience). */
export async function benchFailover(argv: string[]): Promise<object> {
  const options = {
    workloads: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '10000' },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = { workloads: countOf('workloads', values.workloads), evictionsPerSecond: countOf('rate', values.rate) }
  await ensureBuild()
  const product = await startProduct({
    flags: [
      '--no-demo',
      '--log-level=warn',
      `--resource-eviction-rate=${shape.evictionsPerSecond}`,
      '--no-execute-after=0s',
      '--cluster-status-update-frequency=1s',
      '--cluster-failure-threshold=2s',
    ],
  })
  const client = createRestClient(await connectionOf({ kubeconfig: product.kubeconfig }))
  const informers = createInformers({ client, clock: systemClock, random: Math.random, onError: fail })
  try {
    await prepare(client, shape)
    await settled(informers, shape.workloads, isHealthyIn([HOME]))
    return await lose(client, { informers, product, shape })
  } finally {
    await informers.stop()
    await client.close()
    await product.stop()
    removeDataDir(product.dataDir)
  }
}

function fail(error: unknown): never {
  throw error
}

/** All workloads run in the home cluster while it is ready. */
async function prepare(client: KubeClient, { workloads }: Shape): Promise<void> {
  await createMembers(client, { names: [HOME, ...AWAY], nodes: 40, readyAfter: '500ms' })
  await client.create(propagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: {
        clusterAffinities: [
          { affinityName: 'home', clusterNames: [HOME] },
          { affinityName: 'away', clusterNames: AWAY },
        ],
        replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
        clusterTolerations: [],
      },
    },
  })
  const names = Array.from({ length: workloads }, (_, index) => `app-${String(index).padStart(5, '0')}`)
  await mapBounded(names, CREATORS, (name) => client.create(deployment, aDeployment(name, { namespace, replicas: 2 })))
}

async function lose(
  client: KubeClient,
  { informers, product, shape }: { informers: Informers; product: Product; shape: Shape },
): Promise<object> {
  const screen = await followScreen(product, informers)
  const monitor = await followMonitor(product.url, informers, HOME)
  const before = await usageOf(product)
  const rescheduled = settled(informers, shape.workloads, isScheduledTo(AWAY))
  const healthy = settled(informers, shape.workloads, isHealthyIn(AWAY))
  const lostAt = lost(informers)
  const down = performance.now()
  await client.patch(
    clusterKind,
    { name: HOME },
    { type: 'merge', value: { metadata: { annotations: { [SIM_STATE]: 'down' } } } },
  )
  const condition = await lostAt
  const [placedAt, healthyAt] = await Promise.all([rescheduled, healthy])
  const after = await usageOf(product)
  return {
    shape: {
      ...shape,
      members: 1 + AWAY.length,
      replicasEach: 2,
      probesEverySeconds: 1,
      failureThresholdSeconds: 2,
      noExecuteAfterSeconds: 0,
      readyAfterSeconds: 0.5,
      store: 'node:sqlite, synchronous=FULL',
    },
    secondsFromConditionUntilAllRescheduled: seconds(placedAt - condition),
    secondsFromConditionUntilAllHealthy: seconds(healthyAt - condition),
    secondsFromDownToCondition: seconds(condition - down),
    screenDelayMs: screen.stop(),
    monitor: await monitor.stop(),
    limits: { screenDelayMsP99: 150 },
    cpuSeconds: Number((after.cpuSeconds - before.cpuSeconds).toFixed(2)),
    residentMiB: after.residentMiB,
  }
}

type Holds = (binding: ResourceBinding) => boolean

const isIn =
  (clusters: readonly string[]): Holds =>
  ({ spec }) =>
    (spec.clusters?.length ?? 0) > 0 && spec.clusters!.every(({ name }) => clusters.includes(name))

/** The scheduler has looked at the present spec, and chosen these. */
const isScheduledTo =
  (clusters: readonly string[]): Holds =>
  (binding) =>
    isIn(clusters)(binding)
    && binding.status?.schedulerObservedGeneration === binding.metadata.generation
    && isConditionTrue(binding.status?.conditions, 'Scheduled')

const isHealthyIn =
  (clusters: readonly string[]): Holds =>
  (binding) =>
    isScheduledTo(clusters)(binding)
    && binding.spec.clusters!.every(
      ({ name }) =>
        binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name)?.health === 'Healthy',
    )

/** When the last binding met the condition. Uses a watch, to cost the product little. */
async function settled(informers: Informers, expected: number, holds: Holds): Promise<number> {
  const held = new Set<string>()
  const done = Promise.withResolvers<number>()
  const timer = setTimeout(
    () => done.reject(new Error(`only ${held.size} of ${expected} settled within ten minutes`)),
    DEADLINE_MS,
  )
  const stop = informers.of(resourceBinding).onChange((change) => {
    if (change.type === 'deleted') return
    const { name } = change.object.metadata
    if (holds(change.object)) held.add(name)
    else held.delete(name)
    if (held.size === expected) done.resolve(performance.now())
  })
  return done.promise.finally(() => {
    clearTimeout(timer)
    stop()
  })
}

/** When the condition of the failed cluster changed. */
function lost(informers: Informers): Promise<number> {
  return new Promise((resolve) => {
    informers.of(clusterKind).onChange((change) => {
      const isLost =
        change.type === 'updated'
        && change.object.metadata.name === HOME
        && !isConditionTrue(change.object.status?.conditions, 'Ready')
      if (isLost) resolve(performance.now())
    })
  })
}

/** Placements as text, as in a watch of the API and in a row on a screen. */
const placementOf = (clusters: readonly { name: string; replicas: number }[]): string =>
  clusters
    .filter(({ replicas }) => replicas > 0)
    .map(({ name, replicas }) => `${name}:${replicas}`)
    .sort()
    .join()

const placedIn = ({ spec }: ResourceBinding): string =>
  placementOf((spec.clusters ?? []).map(({ name, replicas = 0 }) => ({ name, replicas })))

/** Records when the API and the live protocol reported each new placement. */
async function followScreen({ url }: Product, informers: Informers): Promise<{ stop(): object }> {
  const told = new Map<string, { placement: string; at: number }>()
  const delays: number[] = []
  const unsubscribe = await followTopic<WorkloadView>(url, 'workloads', ({ ref, cells }) => {
    const known = told.get(ref.name)
    if (known?.placement !== placementOf(cells.map(({ cluster, desired }) => ({ name: cluster, replicas: desired }))))
      return
    told.delete(ref.name)
    delays.push(performance.now() - known.at)
  })
  const unfollow = informers.of(resourceBinding).onChange((change) => {
    if (change.type !== 'updated') return
    const placement = placedIn(change.object)
    if (placement !== '' && placement !== placedIn(change.old))
      told.set(change.object.spec.resource.name, { placement, at: performance.now() })
  })
  return {
    stop() {
      unfollow()
      unsubscribe()
      return quantiles(delays)
    },
  }
}

function quantiles(delays: readonly number[]): object {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number): number | undefined => {
    const value = quantileOf(sorted, share)
    return value === undefined ? undefined : Math.round(value)
  }
  return { rows: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}
