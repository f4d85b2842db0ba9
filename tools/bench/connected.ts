/**
 * The console connected to a real control plane: time until its caches are synced, memory, requests to the API server,
 * and accuracy of rebalance previews. Starts the product of the last build with `KARMADA_KUBECONFIG`.
 */
import { parseArgs } from 'node:util'
import type { Product } from '@/e2e/support/product'
import { ensureBuild } from '@/server/cli/build'
import { comparePreviews, type Predictions } from './connected-predictions'
import { followTopic, TopicRefused } from './live-topic'
import { withProduct } from './product'
import { countOf, seconds, usageOf } from './usage'
import { request } from 'undici'

/** Limits of the figures. In a batch, a workload may also end otherwise if the preview marked it as uncertain. */
const LIMITS = { idleRequestsPerSecond: 1, requestsPerSecondAndViewer: 0.1, oneByOne: 1, inBatch: 0.98 }
const TOPICS = ['workloads', 'clusters', 'failover-now', 'queues', 'plans'] as const

/**
 * Flags: `--seconds N` (default 30) for each count of requests, `--viewers N` (default 10). With `--namespace NAME` also
 * rebalances workloads there, which moves replicas: `--single N` (default 20) one by one, then `--batch N` (default 20) at once.
 */
export async function benchConnected(argv: string[]): Promise<object> {
  const options = {
    seconds: { type: 'string', default: '30' },
    viewers: { type: 'string', default: '10' },
    namespace: { type: 'string' },
    single: { type: 'string', default: '20' },
    batch: { type: 'string', default: '20' },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const kubeconfig = process.env.KARMADA_KUBECONFIG
  if (!kubeconfig) throw new Error('KARMADA_KUBECONFIG must name the kubeconfig of a control plane')
  const [span, viewers] = [countOf('seconds', values.seconds), countOf('viewers', values.viewers)]
  const counts = { single: countOf('single', values.single), batch: countOf('batch', values.batch) }
  // The build is not part of the start.
  await ensureBuild()
  const began = performance.now()
  const flags = [`--kubeconfig=${kubeconfig}`, '--login=none', '--journal-dir=none']
  return withProduct(flags, async (product) => {
    const syncedSeconds = await untilSynced(product, began)
    const { residentMiB } = await usageOf(product)
    const idle = await requestsPerSecond(product, span)
    const viewed = await whileViewed(product, { viewers, span })
    const figures = {
      shape: { seconds: span, viewers, workloads: await workloadsOf(product) },
      syncedSeconds,
      residentMiB,
      residentMiBWhileViewed: (await usageOf(product)).residentMiB,
      idleRequestsPerSecond: idle,
      requestsPerSecondAndViewer: Number((Math.max(0, viewed - idle) / viewers).toFixed(3)),
    }
    const { namespace } = values
    const predictions = namespace === undefined ? undefined : await comparePreviews(product, { namespace, ...counts })
    return { ...figures, ...predictions, limits: LIMITS, missed: missedIn({ ...figures, ...predictions }) }
  })
}

async function untilSynced({ url }: Product, began: number): Promise<number> {
  for (;;) {
    const { statusCode, body } = await request(`${url}/readyz`)
    await body.dump()
    if (statusCode === 200) return seconds(performance.now() - began)
    await pause(100)
  }
}

/** Requests to the API server, without the open watches. */
async function requestsPerSecond(product: Product, span: number): Promise<number> {
  const before = await requestsOf(product)
  await pause(span * 1000)
  return Number((((await requestsOf(product)) - before) / span).toFixed(3))
}

async function requestsOf({ url }: Product): Promise<number> {
  const text = await (await request(`${url}/metrics`)).body.text()
  const counts = text.matchAll(/^evenkeel_apiserver_request_duration_seconds_count\S* (\S+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

async function whileViewed(product: Product, { viewers, span }: { viewers: number; span: number }): Promise<number> {
  const pages = Array.from({ length: viewers }, () => TOPICS.map((topic) => follow(product, topic)))
  const stops = await Promise.all(pages.flat())
  const rate = await requestsPerSecond(product, span)
  for (const stop of stops) stop()
  return rate
}

/** A control plane need not serve the kinds of all pages. */
async function follow({ url }: Product, topic: string): Promise<() => void> {
  try {
    return await followTopic(url, topic, () => {})
  } catch (error) {
    if (error instanceof TopicRefused) return () => {}
    throw error
  }
}

async function workloadsOf({ url }: Product): Promise<number> {
  const { body } = await request(`${url}/api/v1/workloads?limit=1`)
  const { items, remaining } = (await body.json()) as { items: unknown[]; remaining: number }
  return items.length + remaining
}

type Figures = Partial<Predictions> & { idleRequestsPerSecond: number; requestsPerSecondAndViewer: number }

/** Names of the limits that do not hold. */
function missedIn({ idleRequestsPerSecond, requestsPerSecondAndViewer, oneByOne, inBatch }: Figures): string[] {
  const holds: Record<keyof typeof LIMITS, boolean> = {
    idleRequestsPerSecond: idleRequestsPerSecond <= LIMITS.idleRequestsPerSecond,
    requestsPerSecondAndViewer: requestsPerSecondAndViewer <= LIMITS.requestsPerSecondAndViewer,
    oneByOne: !oneByOne || oneByOne.exact >= oneByOne.workloads * LIMITS.oneByOne,
    inBatch: !inBatch || inBatch.exact + inBatch.announced >= inBatch.workloads * LIMITS.inBatch,
  }
  return Object.entries(holds).flatMap(([name, held]) => (held ? [] : [name]))
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
