/** Opens a page without a cache: requests, and time until useful content is shown. */
import type { CDPSession, Page } from '@playwright/test'
import { type Opened, inBrowser } from './browser'
import { rounded } from './figures'

export interface LoadFigures {
  /** Until the first picture with data, compressed. */
  javascriptKb: number
  /** What the headers of these answers add. */
  javascriptHeadersKb: number
  /** Until a second later, including requests after the first picture. */
  javascriptKbLater: number
  firstPaintMs: number
  usefulPaintMs: number
  mainThreadCpuMsUntilUseful: number
}

interface LoadOptions {
  url: string
  /** The size of the document once the page shows data. */
  useful: string
  profiles: string | undefined
  name: string
}

const SETTLE_MS = 1_000

/** Runs in the page first: records the time after the first frame with the element. */
const noteUseful = (selector: string): string => `
  const useful = Promise.withResolvers()
  globalThis.usefulAt = useful.promise
  new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return
    observer.disconnect()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => useful.resolve(performance.now())
      port2.postMessage(0)
    })
  }).observe(document, { subtree: true, childList: true })
`

/** Loads it in a browser that has never been there. */
export function measureLoad({ url, useful, profiles, name }: LoadOptions): Promise<LoadFigures> {
  return inBrowser({ name, profiles }, async ({ page, cdp }: Opened) => {
    const scripts = await countScripts(cdp)
    await page.addInitScript({ content: noteUseful(useful) })
    await page.goto(url)
    const usefulPaintMs = rounded(await page.evaluate<number>('usefulAt'))
    const [first, { metrics }] = [scripts.kilobytes(usefulPaintMs), await cdp.send('Performance.getMetrics')]
    await page.waitForTimeout(SETTLE_MS)
    return {
      javascriptKb: first.bodies,
      javascriptHeadersKb: first.headers,
      javascriptKbLater: scripts.kilobytes().bodies,
      firstPaintMs: rounded(await firstPaintOf(page)),
      usefulPaintMs,
      mainThreadCpuMsUntilUseful: rounded((metrics.find((each) => each.name === 'TaskDuration')?.value ?? 0) * 1000),
    }
  })
}

async function firstPaintOf(page: Page): Promise<number> {
  return page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1`)
}

interface Script {
  /** In seconds, on the clock of the browser. */
  finishedAt: number
  bytes: number
  headers: number
}

interface Kilobytes {
  bodies: number
  headers: number
}

/** Scripts as they are sent: all, or those that were there so many milliseconds after the page was asked for. */
async function countScripts(cdp: CDPSession): Promise<{ kilobytes: (untilMs?: number) => Kilobytes }> {
  const headersOf = new Map<string, number>()
  const scripts: Script[] = []
  let beganAt: number | undefined
  cdp.on('Network.requestWillBeSent', ({ type, timestamp }) => {
    if (type === 'Document') beganAt ??= timestamp
  })
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') headersOf.set(requestId, response.encodedDataLength)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes, timestamp: finishedAt }) => {
    const headers = headersOf.get(requestId)
    if (headers !== undefined) scripts.push({ finishedAt, bytes, headers })
  })
  await cdp.send('Network.enable')
  return {
    kilobytes: (untilMs = Infinity) => {
      const until = (beganAt ?? 0) + untilMs / 1000
      const counted = scripts.filter(({ finishedAt }) => finishedAt <= until)
      const headers = counted.reduce((sum, one) => sum + one.headers, 0)
      const bodies = counted.reduce((sum, one) => sum + one.bytes, 0) - headers
      return { bodies: rounded(bodies / 1000), headers: rounded(headers / 1000) }
    },
  }
}
