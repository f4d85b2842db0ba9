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
    const [first, { metrics }] = [scripts.kilobytes(), await cdp.send('Performance.getMetrics')]
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

/** Scripts as they are sent. */
async function countScripts(cdp: CDPSession): Promise<{ kilobytes: () => { bodies: number; headers: number } }> {
  const headersOf = new Map<string, number>()
  let [all, headers] = [0, 0]
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') headersOf.set(requestId, response.encodedDataLength)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const ofHeaders = headersOf.get(requestId)
    if (ofHeaders === undefined) return
    all += encodedDataLength
    headers += ofHeaders
  })
  await cdp.send('Network.enable')
  return { kilobytes: () => ({ bodies: rounded((all - headers) / 1000), headers: rounded(headers / 1000) }) }
}
