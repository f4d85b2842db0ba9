/**
 * A rebalance of N workloads on the whole product: time from the creation of its WorkloadRebalancers, one for each 5,000
 * workloads, until the last binding is rescheduled, the cost, and the time of a single one. The product runs as its own
 * process with its persistent store; the bench only watches.
 */
import { parseArgs } from 'node:util'
import type { Product } from '@/e2e/support/product'
import { delaysIn } from './delays'
import { followTopic } from './live-topic'
import { createMembers, nodesFor, revisionOf } from './members'
import { withProduct } from './product'
import { countOf, limitOf, seconds, usageOf } from './usage'
import { isConditionTrue } from '@/lib/kube/conditions'
import { connectionOf } from '@/server/kube/kubeconfig'
import { PODS_PER_MEMBER } from '@/server/members/pod-limits'
import { createInformers } from '@/server/kube/informers'
import { createRestClient } from '@/server/kube/rest-client'
import { systemClock } from '@/server/runtime/system-clock'
import type { RebalancerRowView } from '@/lib/view/rebalance-model'
import type { KubeClient } from '@/server/kube/client'
import {
  deployment,
  propagationPolicy,
  resourceBinding,
  workloadRebalancer,
  type ResourceBinding,
  type WorkloadRebalancer,
} from '@/lib/kube/kinds'

const namespace = 'default'
/** Rebalancers of one workload each, one after the other. */
const SINGLES = 30
const TIMEOUT_MS = 1_800_000
const REPLICAS = 6
/** An object has room for the results of some 7,000 workloads. */
const MOST_IN_ONE = 5_000

/**
 * Flags: `--workloads N` (default 500), `--members N` (default 3), `--weights dynamic|static` (default dynamic: replicas
 * may really move; static: the placement comes out the same), `--pages N` (default 1) that show the rebalances meanwhile.
 */
export async function benchRebalance(argv: string[]): Promise<object> {
  const { values } = parseArgs({
    args: argv,
    options: {
      workloads: { type: 'string', default: '500' },
      members: { type: 'string', default: '3' },
      weights: { type: 'string', default: 'dynamic' },
      pages: { type: 'string', default: '1' },
    },
  })
  const shape = {
    weights: values.weights,
    workloads: countOf('workloads', values.workloads),
    members: countOf('members', values.members),
    pages: values.pages === '0' ? 0 : countOf('pages', values.pages),
  }
  if (REPLICAS * shape.workloads > PODS_PER_MEMBER * shape.members)
    throw new Error(
      `${shape.members} simulated members run at most ${PODS_PER_MEMBER * shape.members} pods, and `
        + `${shape.workloads} workloads have ${REPLICAS * shape.workloads}; give more with --members`,
    )
  return withProduct([], (product) => measure(product, shape))
}

interface Shape {
  weights: string
  workloads: number
  members: number
  pages: number
}

async function measure(product: Product, shape: Shape): Promise<object> {
  const client = createRestClient(await connectionOf({ kubeconfig: product.kubeconfig }))
  const names = Array.from({ length: shape.workloads }, (_, index) => `app-${String(index).padStart(5, '0')}`)
  const onboarding = performance.now()
  await populate(client, names, shape)
  await untilSettled(client, shape.workloads)
  const onboarded = performance.now()
  await calm(client)
  const pages = await openPages(product, shape.pages)
  const many = await rebalanceAll(product, client, names)
  const shown = await pages.shown(shape.workloads)
  await calm(client)
  const singles = await rebalanceOneByOne(client, names.slice(0, SINGLES))
  return {
    shape: { ...shape, replicasEach: REPLICAS, store: 'node:sqlite, synchronous=FULL' },
    ...many,
    pages: shown,
    singleMs: singles,
    secondsToOnboardAll: seconds(onboarded - onboarding),
  }
}

/** All at once. The revision of the store counts every write to the control plane, events included. */
async function rebalanceAll(product: Product, client: KubeClient, names: readonly string[]): Promise<object> {
  const [before, revision] = [await usageOf(product), await revisionOf(client)]
  const said = product.output().length
  const start = performance.now()
  await servedSince(client, new Set(names.map(bindingOf)), async () => {
    for (let at = 0; at < names.length; at += MOST_IN_ONE)
      await create(client, `bench-${at}`, names.slice(at, at + MOST_IN_ONE))
  })
  const rescheduled = performance.now()
  const [after, reached] = [await usageOf(product), await revisionOf(client)]
  const results = await resultsOf(client)
  const bindings = (await client.list(resourceBinding, { namespace })).items
  return {
    secondsUntilAllRescheduled: seconds(rescheduled - start),
    successful: results.filter(({ result }) => result === 'Successful').length,
    moved: bindings.filter(({ metadata }) => (metadata.generation ?? 0) > 3).length,
    cpuSeconds: Number((after.cpuSeconds - before.cpuSeconds).toFixed(2)),
    writesPerWorkload: Number(((reached - revision) / names.length).toFixed(2)),
    residentMiB: after.residentMiB,
    longestDelayMilliseconds: after.longestDelayMilliseconds,
    delays: delaysIn(product.output().slice(said)),
    limitedBy: limitOf(
      after.cpuSeconds - before.cpuSeconds,
      rescheduled - start,
      'waiting for the disk, and for the other programs of the bench',
    ),
  }
}

/** The topic of the page with all rebalances, as browsers read it. */
async function openPages({ url }: Product, count: number): Promise<{ shown(targets: number): Promise<object> }> {
  const began = performance.now()
  const figures = { frames: 0, bytes: 0 }
  const rows = new Map<string, RebalancerRowView>()
  const stops = await Promise.all(
    Array.from({ length: count }, () =>
      followTopic<RebalancerRowView>(
        url,
        'rebalancers',
        (row) => void rows.set(row.id, row),
        (bytes) => {
          figures.frames += 1
          figures.bytes += bytes
        },
      ),
    ),
  )
  return {
    shown: async (targets) => {
      const isShown = (): boolean =>
        [...rows.values()].reduce((sum, { counts }) => sum + counts.healthy + counts.failed, 0) === targets
      if (count > 0) await until(() => Promise.resolve(isShown()))
      for (const stop of stops) stop()
      return {
        ...(count > 0 && { secondsUntilAllShownHealthy: seconds(performance.now() - began) }),
        frames: figures.frames,
        megabytes: Number((figures.bytes / 1e6).toFixed(2)),
      }
    },
  }
}

/** From the create request until the watch reports the new `lastScheduledTime`. */
async function rebalanceOneByOne(client: KubeClient, names: readonly string[]): Promise<{ p50: number; p90: number }> {
  const times: number[] = []
  for (const [index, name] of names.entries()) {
    let start = 0
    await servedSince(client, new Set([bindingOf(name)]), async () => {
      start = performance.now()
      await create(client, `single-${index}`, [name])
    })
    times.push(performance.now() - start)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1))
  return { p50: at(0.5), p90: at(0.9) }
}

/** The results are written when all workloads of a rebalancer are triggered. */
async function resultsOf(client: KubeClient): Promise<{ result?: string }[]> {
  let all: WorkloadRebalancer[] = []
  await until(async () => {
    all = (await client.list(workloadRebalancer)).items
    return all.every(({ status }) => status?.finishTime !== undefined)
  })
  return all.flatMap(({ status }) => status?.observedWorkloads ?? [])
}

async function create(client: KubeClient, name: string, workloads: readonly string[]): Promise<void> {
  await client.create(workloadRebalancer, {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: { workloads: workloads.map(workloadOf) },
  })
}

const bindingOf = (name: string): string => `${name}-deployment`
const workloadOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name })

/** Resolves when every one of these bindings has been scheduled anew since `act` began. */
async function servedSince(client: KubeClient, names: Set<string>, act: () => Promise<void>): Promise<void> {
  const { items, metadata } = await client.list(resourceBinding, { namespace })
  const before = new Map(items.map((binding) => [binding.metadata.name, binding.status?.lastScheduledTime]))
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new Error('the product did not settle in time')), TIMEOUT_MS)
  const watching = (async () => {
    for await (const event of client.watch(
      resourceBinding,
      { namespace, resourceVersion: metadata.resourceVersion ?? '' },
      stop.signal,
    )) {
      if (event.type !== 'MODIFIED') continue
      const {
        metadata: { name },
        status,
        spec,
      } = event.object
      if (spec.rescheduleTriggeredAt && status?.lastScheduledTime !== before.get(name)) names.delete(name)
      if (names.size === 0) return
    }
  })()
  try {
    await act()
    await watching
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
  if (names.size > 0) throw new Error(`${names.size} bindings were not rescheduled`)
}

async function populate(client: KubeClient, names: readonly string[], { members, weights }: Shape): Promise<void> {
  await createMembers(client, {
    names: Array.from({ length: members }, (_, index) => `member${index + 1}`),
    // Static weights give the odd replicas of all workloads to the same members, and new pods start before old ones end.
    nodes: nodesFor(2 * names.length * Math.ceil(REPLICAS / members)),
  })
  await client.create(propagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          ...(weights === 'dynamic' && { weightPreference: { dynamicWeight: 'AvailableReplicas' as const } }),
        },
      },
    },
  })
  const queue = [...names]
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let name = queue.pop(); name; name = queue.pop()) await client.create(deployment, deploymentOf(name))
    }),
  )
}

function deploymentOf(name: string) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: REPLICAS,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [{ name: 'app', image: 'nginx:1.27', resources: { requests: { cpu: '10m', memory: '16Mi' } } }],
        },
      },
    },
  }
}

/** Healthy in all of its clusters: what members still start would be measured as well. */
function settled({ status, spec }: ResourceBinding): boolean {
  const parts = status?.aggregatedStatus ?? []
  return (
    (spec.clusters?.length ?? 0) > 0
    && isConditionTrue(status?.conditions, 'FullyApplied')
    && parts.length === spec.clusters?.length
    && parts.every(({ health }) => health === 'Healthy')
  )
}

/** Uses a watch: lists of ten thousand bindings, five times a second, would cost the product more than the rest. */
async function untilSettled(client: KubeClient, expected: number): Promise<void> {
  const informers = createInformers({ client, clock: systemClock, random: Math.random, onError: fail })
  const done = new Set<string>()
  informers.of(resourceBinding).onChange((change) => {
    if (change.type !== 'deleted' && settled(change.object)) done.add(change.object.metadata.name)
  })
  try {
    await until(() => Promise.resolve(done.size === expected))
  } finally {
    await informers.stop()
  }
}

function fail(error: unknown): never {
  throw error
}

/** Waits until nothing was written for three seconds, so that earlier work is not measured. */
async function calm(client: KubeClient): Promise<void> {
  let [last, since] = [await revisionOf(client), performance.now()]
  await until(async () => {
    const revision = await revisionOf(client)
    // Clusters report now and then.
    if (revision > last + 60) since = performance.now()
    if (revision > last + 60) last = revision
    return performance.now() - since > 3000
  })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the product did not settle in time')
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
  }
}
