/**
 * How long after the API told of an eviction the failover monitor tells it: to a client of the live protocol for every
 * workload, and in a browser for the rows that are on screen, down to the changed page.
 */
import { chromium, type Page } from '@playwright/test'
import { io } from 'socket.io-client'
import { resourceBinding } from '@/lib/kube/kinds'
import { type DeltaMessage, LIVE_PATH } from '@/lib/view/live'
import type { FailoverEntryView } from '@/lib/view/model'
import type { Informers } from '@/server/kube/informer'
import { ensureBrowser } from '../browser'

type Times = Map<string, number>

export interface MonitorFollower {
  /** Ends it. Milliseconds; `rows` is how many evictions were seen. */
  stop(): Promise<{ clientDelayMs: object; screenDelayMs: object }>
}

/** Begins to follow; `cluster` is the one that will be lost. */
export async function followMonitor(url: string, informers: Informers, cluster: string): Promise<MonitorFollower> {
  const told = followApi(informers, cluster)
  const client = await followProtocol(url, cluster)
  const screen = await followScreen(url, cluster)
  return {
    stop: async () => {
      told.stop()
      client.stop()
      const drawn = await screen.stop()
      return { clientDelayMs: delays(told.times, client.times), screenDelayMs: delays(told.times, drawn) }
    },
  }
}

/** When a watch of the API first told of each eviction. */
function followApi(informers: Informers, cluster: string): { times: Times; stop: () => void } {
  const times: Times = new Map()
  const stop = informers.of(resourceBinding).onChange((change) => {
    if (change.type === 'deleted') return
    const { resource, gracefulEvictionTasks = [] } = change.object.spec
    if (gracefulEvictionTasks.some(({ fromCluster }) => fromCluster === cluster)) noteFirst(times, resource.name)
  })
  return { times, stop }
}

async function followProtocol(url: string, cluster: string): Promise<{ times: Times; stop: () => void }> {
  const times: Times = new Map()
  const socket = io(url, { path: LIVE_PATH, transports: ['websocket'], extraHeaders: { origin: url } })
  const first = Promise.withResolvers<void>()
  socket.on('connect_error', first.reject)
  socket.on('snapshot', () => first.resolve())
  socket.on('delta', ({ changed }: DeltaMessage) => {
    for (const { stories } of changed as FailoverEntryView[]) {
      for (const story of stories) if (story.ref && story.producer !== undefined && story.cluster === cluster) noteFirst(times, story.ref.name)
    }
  })
  socket.on('connect', () => socket.emit('subscribe', { topic: 'failover' }))
  await first.promise
  return { times, stop: () => socket.close() }
}

/** Opens the monitor with the rows of the cluster shown, and notes when each row first shows its eviction. */
async function followScreen(url: string, cluster: string): Promise<{ stop: () => Promise<Times> }> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/failover?groups=${cluster}`)
  await page.getByText(/^Live/).first().waitFor()
  await watchRows(page)
  return {
    stop: async () => {
      const drawn = await page.evaluate(() => (globalThis as unknown as { drawn: Record<string, number> }).drawn)
      await browser.close()
      return new Map(Object.entries(drawn))
    },
  }
}

/** After the frame in which a row changed: then it is on screen. */
function watchRows(page: Page): Promise<void> {
  return page.evaluate(() => {
    const drawn: Record<string, number> = {}
    Object.assign(globalThis, { drawn })
    const note = (): void => {
      const rows = document.querySelectorAll<HTMLElement>('[data-testid=story-row][data-kind=workload]')
      const evicted = [...rows].filter(({ dataset }) => dataset.stage === 'evicting' || dataset.stage === 'replaced')
      const at = Date.now()
      for (const row of evicted) drawn[row.dataset.story?.split(' ')[1]?.split('/').at(-1) ?? ''] ??= at
    }
    new MutationObserver(() => requestAnimationFrame(note)).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
}

function noteFirst(times: Times, name: string): void {
  if (!times.has(name)) times.set(name, Date.now())
}

/** Rows that came into view only later, because others left, tell nothing of delays: they count from when the rest was drawn. */
function delays(told: Times, seen: Times): object {
  const sorted = [...seen].flatMap(([name, at]) => { const from = told.get(name); return from === undefined ? [] : [Math.max(0, at - from)] }).sort((a, b) => a - b)
  const quantile = (share: number): number | undefined => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { rows: sorted.length, p50: quantile(0.5), p99: quantile(0.99), max: sorted.at(-1) }
}
