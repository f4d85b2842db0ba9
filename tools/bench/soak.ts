/**
 * The whole product under steady change for a long time: its memory, and timers that were late. A change is a new
 * annotation of a Deployment, which goes through its binding and Work to a member and back into the status. Views are
 * followed as by browsers, and the store is persistent.
 */
import { parseArgs } from 'node:util'
import { request } from 'undici'
import { isConditionTrue } from '@/lib/kube/conditions'
import { deployment, propagationPolicy, resourceBinding } from '@/lib/kube/kinds'
import { seededRng } from '@/lib/std/rng'
import { aDeployment } from '@/lib/testing/builders'
import type { Product } from '@/e2e/support/product'
import type { KubeClient } from '@/server/kube/client'
import { connectionOf } from '@/server/kube/kubeconfig'
import { createRestClient } from '@/server/kube/rest-client'
import { mapBounded } from '@/server/runtime/bounded'
import { delaysIn } from './delays'
import { INSPECTABLE, liveHeapOf } from './live-heap'
import { followTopic } from './live-topic'
import { createMembers } from './members'
import { withProduct } from './product'
import { steadily } from './steadily'
import { countOf } from './usage'

const MEMBERS = ['member1', 'member2', 'member3']
const TOPICS = ['workloads', 'clusters', 'failover', 'summary']
const namespace = 'default'
const CREATORS = 16
/** Caches, histories and compiled code fill in this share of the time. */
const WARM_UP_SHARE = 1 / 6
const SAMPLE_MS = 5_000
const TICK_MS = 10
/** As the product itself reports a blocked event loop. */
const LATE_MS = 100

interface Shape {
  minutes: number
  workloads: number
  changesPerSecond: number
  clients: number
}

/** Flags: `--minutes M` (30), `--workloads N` (1000), `--rate R` changes a second (200), `--clients C` (20). */
export async function benchSoak(argv: string[]): Promise<object> {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values } = parseArgs({
    args: argv,
    options: { minutes: text('30'), workloads: text('1000'), rate: text('200'), clients: text('20') },
  })
  const shape: Shape = {
    minutes: countOf('minutes', values.minutes),
    workloads: countOf('workloads', values.workloads),
    changesPerSecond: countOf('rate', values.rate),
    clients: countOf('clients', values.clients),
  }
  return withProduct([], (product) => soak(product, shape), INSPECTABLE)
}

async function soak(product: Product, shape: Shape): Promise<object> {
  const client = createRestClient(await connectionOf({ kubeconfig: product.kubeconfig }))
  const stops: (() => void)[] = []
  try {
    await prepare(client, shape.workloads)
    for (let index = 0; index < shape.clients; index++)
      stops.push(await followTopic(product.url, TOPICS[index % TOPICS.length]!, () => undefined))
    const writer = new SteadyWriter(client, shape)
    const writing = writer.run()
    // A full collection stops the product and leaves little garbage: what follows it is part of the warm-up.
    const half = (shape.minutes * 60_000 * WARM_UP_SHARE) / 2
    await sleep(half)
    const before = await liveHeapOf(product)
    await sleep(half)
    const start = await sample(product)
    const warmedUpAt = product.output().length
    const samples = await sampleFor(product, shape.minutes * 60_000 * (1 - WARM_UP_SHARE))
    const warnings = product.output().slice(warmedUpAt)
    const after = await liveHeapOf(product)
    writer.stop()
    await writing
    return report(shape, samples, { start, written: writer.written, liveHeap: [before, after], warnings })
  } finally {
    for (const stop of stops) stop()
    await client.close()
  }
}

async function prepare(client: KubeClient, workloads: number): Promise<void> {
  await createMembers(client, { names: MEMBERS, nodes: 40 })
  await client.create(propagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: { replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' } },
    },
  })
  await mapBounded(namesOf(workloads), CREATORS, (name) =>
    client.create(deployment, aDeployment(name, { namespace, replicas: 2 })),
  )
  const deadline = performance.now() + 300_000
  for (;;) {
    const { items } = await client.list(resourceBinding)
    const settled = items.filter(({ status }) => isConditionTrue(status?.conditions, 'FullyApplied'))
    if (settled.length === workloads) return
    if (performance.now() > deadline) throw new Error(`only ${settled.length} of ${workloads} were applied`)
    await sleep(500)
  }
}

const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `app-${index}`)

/** Writes changes at the given rate. */
class SteadyWriter {
  written = 0
  readonly #rng = seededRng(2203)
  #isStopped = false

  constructor(
    private readonly client: KubeClient,
    private readonly shape: Shape,
  ) {}

  stop(): void {
    this.#isStopped = true
  }

  async run(): Promise<void> {
    const { changesPerSecond, workloads } = this.shape
    for await (const due of steadily(changesPerSecond, TICK_MS)) {
      if (this.#isStopped) return
      const names = Array.from({ length: due }, () => `app-${this.#rng.below(workloads)}`)
      await mapBounded(names, CREATORS, (name) => this.#change(name))
    }
  }

  async #change(name: string): Promise<void> {
    this.written += 1
    const metadata = { annotations: { changed: String(this.written) } }
    await this.client.patch(deployment, { namespace, name }, { type: 'merge', value: { metadata } })
  }
}

interface Sample {
  residentMegabytes: number
  /** Pages of V8's heap, used or not. */
  heapMegabytes: number
  /** Buffers outside the heap. */
  externalMegabytes: number
  /** Since the sample before. */
  longestLagMs: number
  cpuSeconds: number
  /** Blocks of the event loop so far by what ran, as the product counts them. */
  blocked: ReadonlyMap<string, number>
}

async function sampleFor(product: Product, ms: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const end = performance.now() + ms
  while (performance.now() < end) {
    await sleep(SAMPLE_MS)
    samples.push(await sample(product))
  }
  return samples
}

async function sample({ url }: Product): Promise<Sample> {
  const { body } = await request(`${url}/metrics`)
  const metrics = await body.text()
  const values = (name: string): number[] =>
    [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
  const sum = (name: string): number => values(name).reduce((all, each) => all + each, 0)
  return {
    residentMegabytes: sum('process_resident_memory_bytes') / 1e6,
    heapMegabytes: sum('nodejs_heap_size_total_bytes') / 1e6,
    externalMegabytes: sum('nodejs_external_memory_bytes') / 1e6,
    longestLagMs: sum('nodejs_eventloop_lag_max_seconds') * 1000,
    cpuSeconds: sum('process_cpu_seconds_total'),
    blocked: new Map(
      [...metrics.matchAll(/^evenkeel_event_loop_blocked_seconds_count\{by="([^"]*)"\} (\S+)$/gm)].map(
        ([, by = '', count]) => [by, Number(count)] as const,
      ),
    ),
  }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

interface Soaked {
  /** At the end of the warm-up. */
  start: Sample
  written: number
  /** In bytes, after full collections in the middle of the warm-up and at the end. */
  liveHeap: readonly [number, number]
  /** What the product logged in the measured time. */
  warnings: string
}

function report(shape: Shape, warm: readonly Sample[], { start, written, liveHeap, warnings }: Soaked): object {
  const part = Math.ceil(warm.length / 5)
  const parts = Array.from({ length: 5 }, (_, index) => warm.slice(index * part, (index + 1) * part)).filter(
    ({ length }) => length > 0,
  )
  const means = (of: (sample: Sample) => number): number[] => parts.map((each) => Math.round(meanOf(each.map(of))))
  const resident = means(({ residentMegabytes }) => residentMegabytes)
  const growth = (values: readonly number[]): number => Number(((values.at(-1)! / values[0]! - 1) * 100).toFixed(1))
  const last = warm.at(-1)!
  const late = [...last.blocked]
    .map(([by, count]) => [by, count - (start.blocked.get(by) ?? 0)] as const)
    .filter(([, count]) => count > 0)
  const cores = (last.cpuSeconds - start.cpuSeconds) / ((warm.length * SAMPLE_MS) / 1000)
  return {
    shape: { ...shape, members: MEMBERS.length, replicasEach: 2, store: 'node:sqlite, synchronous=FULL' },
    changesPerSecondWritten: Math.round(written / (shape.minutes * 60)),
    liveHeapMegabytes: liveHeap.map((bytes) => Math.round(bytes / 1e6)),
    liveHeapGrowthPercent: growth(liveHeap),
    // Means of fifths of the time after the warm-up.
    residentMegabytes: resident,
    residentGrowthPercent: growth(resident),
    heapMegabytes: means(({ heapMegabytes }) => heapMegabytes),
    externalMegabytes: means(({ externalMegabytes }) => externalMegabytes),
    lateTimers: {
      overMilliseconds: LATE_MS,
      count: late.reduce((sum, [, count]) => sum + count, 0),
      by: Object.fromEntries(late),
      named: delaysIn(warnings),
      // By what a timer measures, whatever ran: the longest delays of the samples.
      longestMilliseconds: warm
        .map(({ longestLagMs }) => Math.round(longestLagMs))
        .toSorted((a, b) => b - a)
        .slice(0, 10),
    },
    productCores: Number(cores.toFixed(2)),
    limits: { liveHeapGrowthPercent: 5, residentGrowthPercent: 5, lateTimers: 0 },
    limitedBy: 'the main thread of the product, which does about seven writes for each change',
  }
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
