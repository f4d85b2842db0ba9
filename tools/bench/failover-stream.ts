/**
 * Measures the delay from an eviction in the API to the failover monitor: for a client of the live protocol with all
 * workloads, and in a browser for the visible rows, until the page has changed.
 */
import { chromium } from '@playwright/test'
import { resourceBinding } from '@/lib/kube/kinds'
import type { FailoverEntryView } from '@/lib/view/failover-model'
import type { Informers } from '@/server/kube/informer'
import { ensureBrowser } from '../test/programs'
import { followTopic } from './live-topic'
import { quantileOf } from './quantile'

type Times = Map<string, number>

/** Rows inside the window, and rows outside of it. */
interface Drawn {
  seen: Times
  beside: Times
}

export interface MonitorFollower {
  /**
   * Stops. Milliseconds; `rows` is the number of observed evictions. `screenDelayMs` is of rows that a reader sees,
   * `besideDelayMs` of those that the page keeps above and below the window.
   */
  stop(): Promise<{ clientDelayMs: object; screenDelayMs: object; besideDelayMs: object }>
}

/** Starts; `cluster` is the one that will fail. */
export async function followMonitor(url: string, informers: Informers, cluster: string): Promise<MonitorFollower> {
  const told = followApi(informers, cluster)
  const client = await followProtocol(url, cluster)
  const screen = await followScreen(url, cluster)
  return {
    stop: async () => {
      told.stop()
      client.stop()
      const drawn = await screen.stop()
      return {
        clientDelayMs: delays(told.times, client.times),
        screenDelayMs: delays(told.times, drawn.seen),
        besideDelayMs: delays(told.times, drawn.beside),
      }
    },
  }
}

/** When a watch of the API first reported each eviction. */
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
  const stop = await followTopic<FailoverEntryView>(url, 'failover', ({ failovers }) => {
    for (const failover of failovers)
      if (failover.ref && failover.producer !== undefined && failover.cluster === cluster)
        noteFirst(times, failover.ref.name)
  })
  return { times, stop }
}

/** Opens the monitor with the rows of the cluster shown, and notes when each row first shows its eviction. */
async function followScreen(url: string, cluster: string): Promise<{ stop: () => Promise<Drawn> }> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/failover?groups=${cluster}`)
  await page.getByText(/^Live/).first().waitFor()
  await page.evaluate(NOTE_ROWS)
  return {
    stop: async () => {
      const drawn = await page.evaluate<Record<keyof Drawn, Record<string, number>>>('globalThis.drawn')
      await browser.close()
      return { seen: new Map(Object.entries(drawn.seen)), beside: new Map(Object.entries(drawn.beside)) }
    },
  }
}

/**
 * Runs in the page: after a frame in which rows changed, records which rows show their eviction. A row
 * counts if it was there without it in the frame before: one that comes into view later was not late. Passed as text,
 * because a compiled function refers to helpers that the page lacks.
 */
const NOTE_ROWS = `
  globalThis.drawn = { seen: {}, beside: {} }
  let waiting = new Set()
  const note = () => {
    const at = Date.now()
    const before = waiting
    waiting = new Set()
    for (const row of document.querySelectorAll('[data-testid=failover-row][data-kind=workload]')) {
      const { failover, stage } = row.dataset
      const name = failover.split(' ')[1].split('/').at(-1)
      if (stage !== 'evicting' && stage !== 'replaced') waiting.add(name)
      else if (before.has(name)) {
        const { top, bottom } = row.getBoundingClientRect()
        const among = bottom > 0 && top < innerHeight ? 'seen' : 'beside'
        if (!(name in drawn.seen) && !(name in drawn.beside)) drawn[among][name] = at
      }
    }
  }
  new MutationObserver(() => requestAnimationFrame(note)).observe(document.body, { subtree: true, childList: true, attributes: true })
`

function noteFirst(times: Times, name: string): void {
  if (!times.has(name)) times.set(name, Date.now())
}

/** Quantiles of the time from the one to the other, of what both have. */
function delays(told: Times, seen: Times): object {
  const sorted = [...seen]
    .flatMap(([name, at]) => {
      const from = told.get(name)
      return from === undefined ? [] : [Math.max(0, at - from)]
    })
    .sort((a, b) => a - b)
  return { rows: sorted.length, p50: quantileOf(sorted, 0.5), p99: quantileOf(sorted, 0.99), max: sorted.at(-1) }
}
