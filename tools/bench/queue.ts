/**
 * Queues with N pending bindings in Q queues without free quota: duration of a whole pass, delay from freed quota to
 * admission in the API, throughput when all quotas are raised, and cost. The product runs as its own process with its
 * persistent store and only the controller `queue`; without a scheduler, admitted bindings stay in flight.
 */
import { parseArgs } from 'node:util'
import type { Product } from '@/e2e/support/product'
import { benchQueues } from '@/tools/bench/plan-queues'
import { KubeError } from '@/lib/kube/errors'
import {
  cluster as clusterKind,
  namespace as namespaceKind,
  queue,
  type QueueObject,
  resourceBinding,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import { aBinding, aCluster, aggregated } from '@/lib/testing/builders'
import type { KubeClient } from '@/server/kube/client'
import type { Informer } from '@/server/kube/informer'
import { createInformers } from '@/server/kube/informers'
import { connectionOf } from '@/server/kube/kubeconfig'
import { createRestClient } from '@/server/kube/rest-client'
import { mapBounded } from '@/server/runtime/bounded'
import { systemClock } from '@/server/runtime/system-clock'
import { withProduct } from './product'
import { countOf, limitOf, seconds, usageOf } from './usage'

/** Requests of the bench in flight. */
const WRITERS = 32
const DEADLINE_MS = 900_000
/** Quotas freed one after the other. */
const SINGLES = 40
const BETWEEN_SINGLES_MS = 500

interface Shape {
  bindings: number
  queues: number
}

/** Flags: `--bindings N` (default 10000), `--queues Q` (default 50). */
export async function benchQueue(argv: string[]): Promise<object> {
  const options = { bindings: { type: 'string', default: '10000' }, queues: { type: 'string', default: '50' } } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = { bindings: countOf('bindings', values.bindings), queues: countOf('queues', values.queues) }
  return withProduct(['--reconcilers=queue'], (product) => measure(product, shape))
}

async function measure(product: Product, shape: Shape): Promise<object> {
  const client = createRestClient(await connectionOf({ kubeconfig: product.kubeconfig }))
  const informers = createInformers({ client, clock: systemClock, random: Math.random, onError: fail })
  const seen = informers.of(resourceBinding)
  const queues = informers.of(queue)
  try {
    await informers.whenSynced()
    const onboarding = performance.now()
    const writes = new PatientWrites()
    await populate(client, writes, shape)
    await untilLinesAreReported(queues, shape)
    const onboarded = performance.now()
    const suspended = seen.list().filter(isWaiting).length
    const resting = await usageOf(product)
    const singles = await freeOneByOne(client, seen, shape)
    const before = await usageOf(product)
    const start = performance.now()
    const waiting = seen.list().filter(isWaiting).length
    await raiseAll(client, writes, queues.list())
    await untilNobodyWaits(seen)
    const released = performance.now()
    const after = await usageOf(product)
    return {
      shape: {
        ...shape,
        suspendedByTheWebhook: suspended,
        strategies: 'half StrictFIFO, half BestEffortFIFO',
        store: 'node:sqlite, synchronous=FULL',
        loops: 'queue',
      },
      writesTriedAgain: writes.triedAgain,
      decisions: benchQueues({ queues: shape.queues, pending: shape.bindings, quota: 2 }, () =>
        Number(process.hrtime.bigint()),
      ),
      millisecondsFromFreedQuotaToRelease: singles,
      releasedPerSecondWhenAllQuotasAreRaised: Math.round(waiting / ((released - start) / 1000)),
      secondsUntilAllReleased: seconds(released - start),
      cpuSecondsToReleaseAll: Number((after.cpuSeconds - before.cpuSeconds).toFixed(2)),
      residentMiBAtRest: resting.residentMiB,
      residentMiBAfterReleases: after.residentMiB,
      limitedBy: limitOf(
        after.cpuSeconds - before.cpuSeconds,
        released - start,
        'waiting for the disk, and for the other programs of the bench',
      ),
      secondsToOnboardAll: seconds(onboarded - onboarding),
    }
  } finally {
    await informers.stop()
    await client.close()
  }
}

function fail(error: unknown): never {
  throw error
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const tenant = (index: number): string => `tenant-${String(index).padStart(3, '0')}`
const isWaiting = ({ spec }: ResourceBinding): boolean => spec.suspension?.scheduling === true

/** Every queue has capacity for one binding, which is placed; all others pass the webhook and are pending. */
async function populate(client: KubeClient, writes: PatientWrites, { bindings, queues }: Shape): Promise<void> {
  const { status, ...draft } = aCluster('member1', { cpu: '1000000', memory: '1000Ti', pods: '1000000' })
  const created = await client.create(clusterKind, draft)
  await client.update(clusterKind, { ...created, status }, { subresource: 'status' })
  await mapBounded(numbers(queues), WRITERS, async (index) => {
    const namespace = tenant(index)
    await client.create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    await writes.send(() =>
      client.create(queue, {
        apiVersion: 'evenkeel.io/v1alpha1',
        kind: 'Queue',
        metadata: { name: 'line', namespace },
        spec: {
          quota: { hard: { replicas: '1' } },
          strategy: index % 2 === 0 ? 'StrictFIFO' : 'BestEffortFIFO',
          weight: 1 + (index % 5),
        },
      }),
    )
    await writes.send(() =>
      client.create(
        resourceBinding,
        aBinding('placed', { namespace, placement: aggregated(), clusters: [{ name: 'member1', replicas: 1 }] }),
      ),
    )
  })
  await until(async () => {
    const { body } = await client.raw(
      'GET',
      '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/evenkeel-queues',
    )
    return JSON.stringify(body).includes(tenant(queues - 1))
  })
  await mapBounded(numbers(bindings), WRITERS, (index) =>
    writes.send(() =>
      client.create(
        resourceBinding,
        aBinding(`app-${index}`, { namespace: tenant(index % queues), placement: aggregated() }),
      ),
    ),
  )
}

/** Writes fail when the webhook does not respond in time; the writer retries. */
class PatientWrites {
  triedAgain = 0

  async send<T>(write: () => Promise<T>, triesLeft = 10): Promise<T> {
    try {
      return await write()
    } catch (error) {
      if (triesLeft === 0 || !(error instanceof KubeError) || error.code < 500) throw error
      this.triedAgain += 1
      return this.send(write, triesLeft - 1)
    }
  }
}

/** Deletes a placed binding, which admits the next one of its queue: one at a time, observed by another client. */
async function freeOneByOne(client: KubeClient, seen: Informer<ResourceBinding>, { queues }: Shape): Promise<object> {
  const times: number[] = []
  for (const index of numbers(Math.min(SINGLES, queues))) {
    const namespace = tenant(index)
    const released = new Promise<number>((resolve) => {
      const stop = seen.onChange((change) => {
        if (change.type !== 'updated' || change.object.metadata.namespace !== namespace) return
        if (!isWaiting(change.old) || isWaiting(change.object)) return
        queueMicrotask(() => stop())
        resolve(performance.now())
      })
    })
    const start = performance.now()
    await client.delete(resourceBinding, { namespace, name: 'placed-deployment' })
    times.push((await released) - start)
    // Effects of an admission are complete by then.
    await new Promise((resolve) => {
      setTimeout(resolve, BETWEEN_SINGLES_MS)
    })
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!)
  return { times: sorted.length, p50: at(0.5), p99: at(0.99), worst: at(1) }
}

async function raiseAll(client: KubeClient, writes: PatientWrites, queues: readonly QueueObject[]): Promise<void> {
  await mapBounded(queues, WRITERS, ({ metadata: { namespace = '', name } }) =>
    writes.send(() =>
      client.patch(
        queue,
        { namespace, name },
        { type: 'merge', value: { spec: { quota: { hard: { replicas: '1000000' } } } } },
      ),
    ),
  )
}

/** The statuses of all queues together count every binding. */
async function untilLinesAreReported(queues: Informer<QueueObject>, { bindings }: Shape): Promise<void> {
  await until(() => queues.list().reduce((sum, { status }) => sum + (status?.pending ?? 0), 0) >= bindings)
}

async function untilNobodyWaits(seen: Informer<ResourceBinding>): Promise<void> {
  let waiting = seen.list().filter(isWaiting).length
  if (waiting === 0) return
  await new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error('the lines did not empty within fifteen minutes')), DEADLINE_MS)
    const stop = seen.onChange((change) => {
      if (change.type !== 'updated') return
      waiting += Number(isWaiting(change.object)) - Number(isWaiting(change.old))
      if (waiting > 0) return
      clearTimeout(deadline)
      queueMicrotask(() => stop())
      resolve()
    })
  })
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + DEADLINE_MS
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not settle within fifteen minutes')
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
}
