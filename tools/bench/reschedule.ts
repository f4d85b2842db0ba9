/**
 * The scheduler end to end: N bindings over M clusters are triggered at once, until the last one is rescheduled. The
 * product runs as its own process with its persistent store and no other controller; the bench writes the reports of
 * clusters. All capacities change before the triggers, so that replicas move.
 */
import { parseArgs } from 'node:util'
import type { Product } from '@/e2e/support/product'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds'
import { formatTime } from '@/lib/std/clock'
import { aBinding, aCluster, byAvailableReplicas } from '@/lib/testing/builders'
import type { KubeClient } from '@/server/kube/client'
import type { Informer } from '@/server/kube/informer'
import { createInformers } from '@/server/kube/informers'
import { connectionOf } from '@/server/kube/kubeconfig'
import { createRestClient } from '@/server/kube/rest-client'
import { mapBounded } from '@/server/runtime/bounded'
import { systemClock } from '@/server/runtime/system-clock'
import { clusterKind } from './members'
import { withProduct } from './product'
import { countOf, limitOf, seconds, usageOf } from './usage'

const REPLICAS = 20
/** Requests of the bench in flight. */
const WRITERS = 32
const DEADLINE_MS = 600_000

interface Shape {
  bindings: number
  clusters: number
}

/** Flags: `--bindings N` (default 5000), `--clusters M` (default 100). */
export async function benchReschedule(argv: string[]): Promise<object> {
  const options = {
    bindings: { type: 'string', default: '5000' },
    clusters: { type: 'string', default: '100' },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = { bindings: countOf('bindings', values.bindings), clusters: countOf('clusters', values.clusters) }
  return withProduct(['--reconcilers=scheduler'], (product) => measure(product, shape))
}

async function measure(product: Product, shape: Shape): Promise<object> {
  const client = createRestClient(await connectionOf({ kubeconfig: product.kubeconfig }))
  const informers = createInformers({ client, clock: systemClock, random: Math.random, onError: fail })
  const seen = informers.of(resourceBinding)
  try {
    await informers.whenSynced()
    const onboarding = performance.now()
    await populate(client, shape)
    await untilAll(seen, shape.bindings, isScheduled)
    const onboarded = performance.now()
    await changeCapacities(client, shape.clusters)
    const placements = new Map(seen.list().map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec.clusters)]))
    const before = await usageOf(product)
    const start = performance.now()
    await triggerAll(client, seen.list())
    const triggered = performance.now()
    await untilAll(seen, shape.bindings, isRescheduled)
    const rescheduled = performance.now()
    const after = await usageOf(product)
    const moved = seen
      .list()
      .filter(({ metadata, spec }) => placements.get(metadata.name) !== JSON.stringify(spec.clusters))
    return {
      shape: { ...shape, replicasEach: REPLICAS, strategy: 'dynamic weight', store: 'node:sqlite, synchronous=FULL' },
      rescheduledPerSecond: Math.round(shape.bindings / ((rescheduled - start) / 1000)),
      secondsUntilAllRescheduled: seconds(rescheduled - start),
      secondsToTriggerAll: seconds(triggered - start),
      bindingsMoved: moved.length,
      cpuSeconds: Number((after.cpuSeconds - before.cpuSeconds).toFixed(2)),
      residentMiB: after.residentMiB,
      limitedBy: limitOf(
        after.cpuSeconds - before.cpuSeconds,
        rescheduled - start,
        'waiting for the disk, and for the other programs of the bench',
      ),
      firstScheduledPerSecond: Math.round(shape.bindings / ((onboarded - onboarding) / 1000)),
    }
  } finally {
    await informers.stop()
    await client.close()
  }
}

function fail(error: unknown): never {
  throw error
}

async function populate(client: KubeClient, { bindings, clusters }: Shape): Promise<void> {
  await mapBounded(numbers(clusters), WRITERS, async (index) => {
    const { status, ...draft } = aCluster(clusterName(index), { ...plenty, cpu: coresOf(index) })
    const created = await client.create(clusterKind, draft)
    await client.update(clusterKind, { ...created, status }, { subresource: 'status' })
  })
  await mapBounded(numbers(bindings), WRITERS, (index) =>
    client.create(resourceBinding, aBinding(`app-${index}`, { replicas: REPLICAS, placement: byAvailableReplicas() })),
  )
}

/** Clusters change places: who had much has little. */
async function changeCapacities(client: KubeClient, clusters: number): Promise<void> {
  await mapBounded(numbers(clusters), WRITERS, (index) => {
    const { status } = aCluster(clusterName(index), { ...plenty, cpu: coresOf(clusters - 1 - index) })
    const value = { status: { resourceSummary: status?.resourceSummary } }
    return client.patch(clusterKind, { name: clusterName(index) }, { type: 'merge', value }, { subresource: 'status' })
  })
}

async function triggerAll(client: KubeClient, bindings: readonly ResourceBinding[]): Promise<void> {
  const value = { spec: { rescheduleTriggeredAt: formatTime(systemClock.now()) } }
  await mapBounded(bindings, WRITERS, ({ metadata: { namespace, name } }) =>
    client.patch(resourceBinding, { ...(namespace && { namespace }), name }, { type: 'merge', value }),
  )
}

function isScheduled({ spec, status }: ResourceBinding): boolean {
  return (spec.clusters?.length ?? 0) > 0 && status?.lastScheduledTime !== undefined
}

/** The last success covers the current spec, including trigger and result. */
function isRescheduled({ metadata, spec, status }: ResourceBinding): boolean {
  const { rescheduleTriggeredAt: trigger } = spec
  return (
    trigger !== undefined
    && (status?.lastScheduledTime ?? '') >= trigger
    && status?.schedulerObservedGeneration === metadata.generation
  )
}

/** Uses a watch, because polling would cost the server more than the measured work. */
async function untilAll(
  seen: Informer<ResourceBinding>,
  expected: number,
  holds: (binding: ResourceBinding) => boolean,
): Promise<void> {
  const missing = new Set<string>()
  let known = 0
  await new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error('the scheduler did not settle within ten minutes')), DEADLINE_MS)
    const stop = seen.onChange((change) => {
      if (change.type === 'deleted') return
      known += change.type === 'added' ? 1 : 0
      const { name } = change.object.metadata
      if (holds(change.object)) missing.delete(name)
      else missing.add(name)
      if (known < expected || missing.size > 0) return
      clearTimeout(deadline)
      queueMicrotask(() => stop())
      resolve()
    })
  })
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const clusterName = (index: number): string => `member-${String(index).padStart(4, '0')}`
/** Only CPU is scarce. */
const plenty = { memory: '64Ti', pods: '100000' }
const coresOf = (index: number): string => String(100 + 20 * (index % 50))
