/**
 * N new Deployments under one policy on the whole product with simulated members: time from the first creation until
 * all are scheduled, applied and healthy, and the writes. The product runs as its own process with its persistent
 * store.
 */
import { parseArgs } from 'node:util'
import { removeDataDir, startProduct, type Product } from '@/e2e/support/product'
import { isConditionTrue } from '@/lib/kube/conditions'
import {
  deployment,
  pod,
  propagationPolicy,
  replicaSet,
  resourceBinding,
  type ResourceBinding,
  work,
} from '@/lib/kube/kinds'
import type { Kind } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
import { seededRng } from '@/lib/std/rng'
import type { KubeClient } from '@/server/kube/client'
import { createInformers } from '@/server/kube/informers'
import { connectionOf } from '@/server/kube/kubeconfig'
import { createRestClient } from '@/server/kube/rest-client'
import { systemClock } from '@/server/runtime/system-clock'
import { ensureBuild } from '@/server/cli/build'
import { createMembers, nodesFor, revisionOf } from './members'
import { countOf, limitOf, seconds, usageOf } from './usage'

const namespace = 'default'
/** How many are created at the same time: enough to keep a server busy. */
const CREATORS = 16
/** Enough to count the writes of each. */
const COUNTED = 60
const PROGRESS_MS = 10_000

/** Flags: `--workloads N` (default 1500), `--members N` (default 3). */
export async function benchPropagate(argv: string[]): Promise<object> {
  const { values } = parseArgs({
    args: argv,
    options: { workloads: { type: 'string', default: '1500' }, members: { type: 'string', default: '3' } },
  })
  const workloads = countOf('workloads', values.workloads)
  const members = Array.from({ length: countOf('members', values.members) }, (_, index) => `member${index + 1}`)
  await ensureBuild()
  const product = await startProduct({ flags: ['--no-demo', '--log-level=warn'] })
  const client = createRestClient(await connectionOf({ kubeconfig: product.kubeconfig }))
  try {
    // While thousands are placed, the scheduler follows reports that are seconds old: one member gets up to half of all.
    await createMembers(client, { names: members, nodes: nodesFor(workloads) })
    await createPolicy(client)
    return {
      ...(await onboard({ client, product, members, workloads })),
      writesPerWorkload: await countWrites(client, members),
    }
  } finally {
    await client.close()
    await product.stop()
    removeDataDir(product.dataDir)
  }
}

async function createPolicy(client: KubeClient): Promise<void> {
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
          weightPreference: { dynamicWeight: 'AvailableReplicas' },
        },
      },
    },
  })
}

interface Onboarding {
  client: KubeClient
  product: Product
  members: readonly string[]
  workloads: number
}

async function onboard({ client, product, members, workloads }: Onboarding): Promise<object> {
  const names = Array.from({ length: workloads }, (_, index) => `app-${String(index).padStart(5, '0')}`)
  const [before, revision] = [await usageOf(product), await revisionOf(client)]
  const start = performance.now()
  const progress = followBindings(client, workloads, isOf('app-'), (counts) => reportProgress(product, start, counts))
  await createAll(client, names)
  const created = performance.now()
  const reached = await progress
  const [after, written] = [await usageOf(product), (await revisionOf(client)) - revision]
  return {
    shape: {
      workloads,
      members: members.length,
      replicasEach: 3,
      strategy: 'dynamic weight',
      readyAfterSeconds: 2,
      store: 'node:sqlite, synchronous=FULL',
    },
    secondsUntilAllHealthy: seconds(reached.healthy - start),
    secondsUntilAllApplied: seconds(reached.applied - start),
    secondsUntilAllScheduled: seconds(reached.scheduled - start),
    secondsUntilAllCreated: seconds(created - start),
    cpuSeconds: Number((after.cpuSeconds - before.cpuSeconds).toFixed(2)),
    residentMiB: after.residentMiB,
    writesPerWorkloadOfAllKinds: Number((written / workloads).toFixed(2)),
    limitedBy: limitOf(
      after.cpuSeconds - before.cpuSeconds,
      reached.healthy - start,
      'waiting for the disk, the 2 s until pods are ready, and other programs',
    ),
  }
}

const isOf =
  (prefix: string) =>
  ({ metadata }: ResourceBinding): boolean =>
    metadata.name.startsWith(prefix)

type Stage = 'scheduled' | 'applied' | 'healthy'

const stages: Readonly<Record<Stage, (binding: ResourceBinding) => boolean>> = {
  scheduled: ({ status }) => isConditionTrue(status?.conditions, 'Scheduled'),
  applied: ({ status }) => isConditionTrue(status?.conditions, 'FullyApplied'),
  healthy: ({ status }) =>
    isConditionTrue(status?.conditions, 'FullyApplied')
    && status?.aggregatedStatus?.every(({ health }) => health === 'Healthy') === true,
}

/** When the last binding reached each stage. Uses a watch, to cost the product little. */
async function followBindings(
  client: KubeClient,
  expected: number,
  counts: (binding: ResourceBinding) => boolean,
  onProgress: (counts: Record<Stage, number>) => void = () => undefined,
): Promise<Record<Stage, number>> {
  const informers = createInformers({ client, clock: systemClock, random: seededRng(1).next, onError: fail })
  const reached: Partial<Record<Stage, number>> = {}
  const done = Promise.withResolvers<void>()
  const seen: Record<Stage, Set<string>> = { scheduled: new Set(), applied: new Set(), healthy: new Set() }
  informers.of(resourceBinding).onChange((change) => {
    if (change.type === 'deleted' || !counts(change.object)) return
    for (const stage of ['scheduled', 'applied', 'healthy'] as const) {
      if (!stages[stage](change.object)) continue
      seen[stage].add(change.object.metadata.name)
      if (seen[stage].size === expected) reached[stage] ??= performance.now()
    }
    if (reached.healthy !== undefined) done.resolve()
  })
  const reports = setInterval(
    () => onProgress({ scheduled: seen.scheduled.size, applied: seen.applied.size, healthy: seen.healthy.size }),
    PROGRESS_MS,
  )
  const timer = setTimeout(() => done.reject(new Error('the product did not settle within fifteen minutes')), 900_000)
  try {
    await done.promise
    return reached as Record<Stage, number>
  } finally {
    clearTimeout(timer)
    clearInterval(reports)
    await informers.stop()
  }
}

/** Writes one line to stderr, so that a long run shows how far it is and when it slows down. */
function reportProgress(product: Product, start: number, counts: Record<Stage, number>): void {
  const at = seconds(performance.now() - start)
  usageOf(product).then(
    (usage) => console.error(JSON.stringify({ at, ...counts, ...usage })),
    (error: unknown) => console.error(`${at} s: no usage: ${String(error)}`),
  )
}

function fail(error: unknown): void {
  throw error
}

async function createAll(client: KubeClient, names: readonly string[]): Promise<void> {
  const queue = [...names].reverse()
  await Promise.all(
    Array.from({ length: CREATORS }, async () => {
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
      replicas: 3,
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

/** Writes of one workload, by kind; counted outside the measurement, because watches take time, too. */
async function countWrites(client: KubeClient, members: readonly string[]): Promise<Record<string, number>> {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  const watching = [
    await watchWrites(client, planeKinds, (kind) => count(`plane ${kind}`)),
    ...(await Promise.all(
      members.map((name) => watchWrites(client.member(name), memberKinds, (kind) => count(`member ${kind}`))),
    )),
  ]
  const names = Array.from({ length: COUNTED }, (_, index) => `${COUNTED_PREFIX}${index}`)
  const settled = followBindings(client, COUNTED, isOf(COUNTED_PREFIX))
  await createAll(client, names)
  await settled
  await Promise.all(watching.map((informers) => informers.stop()))
  return Object.fromEntries([...counts].map(([name, total]) => [name, Number((total / COUNTED).toFixed(2))]))
}

const COUNTED_PREFIX = 'counted-'
const planeKinds = [deployment, resourceBinding, work] as readonly unknown[] as readonly Kind<UnknownObject>[]
const memberKinds = [deployment, replicaSet, pod] as readonly unknown[] as readonly Kind<UnknownObject>[]

/** Reports every write of a counted object from now on. */
async function watchWrites(
  client: KubeClient,
  kinds: readonly Kind<UnknownObject>[],
  onWrite: (kind: string) => void,
): Promise<{ stop(): Promise<void> }> {
  const informers = createInformers({ client, clock: systemClock, random: seededRng(1).next, onError: fail })
  for (const kind of kinds) {
    await informers.of(kind).whenSynced()
    informers.of(kind).onChange((change) => {
      const { metadata } = change.type === 'deleted' ? change.old : change.object
      if (metadata.name.startsWith(COUNTED_PREFIX)) onWrite(kind.kind)
    })
  }
  return informers
}
