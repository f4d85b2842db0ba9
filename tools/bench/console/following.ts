/** A page that stays open while the fleet changes: CPU, memory, and age of the data it shows. */
import type { CDPSession, Page } from '@playwright/test'
import type { Opened } from './browser'
import { duringFrames, type FrameFigures, quantilesOf, type Quantiles, rounded } from './figures'

export interface FollowingFigures {
  costs: FrameFigures
  /**
   * After a garbage collection: `freshMb` of a page just opened, `startMb` once every row has changed, which is when its
   * records of changes are full. `courseMb` at equal intervals, and `growthPercentLater` over its second half.
   */
  heap: {
    freshMb: number
    startMb: number
    endMb: number
    growthPercent: number
    courseMb: number[]
    growthPercentLater: number
  }
  eventToPixelMs: Quantiles
  unseenMarks: number
}

/** Sets the replicas of a workload through the API; resolves with the time just before the write. */
export type Mark = (index: number, replicas: number) => Promise<number>

const EVERY_MS = 400
/** A mark that is not shown by then counts as missed. */
const TIMEOUT_MS = 5_000
/** How often the heap is looked at on the way: a plateau and a leak have the same first minute. */
const HEAP_LOOKS = 10
/** Replicas that no other figure of a row has. */
const [FIRST_MARK, MARKS] = [200, 700]

/**
 * Runs in the page: `seen` has the time after the frame in which an element of the row first had exactly this text.
 * It searches for a number, so that it does not depend on the markup of a row.
 */
const AWAIT_TEXT = `
  globalThis.awaited = new Map()
  const shows = (row, text) => [...row.querySelectorAll('*')].some((each) => each.childElementCount === 0 && each.textContent === text)
  const look = () => {
    for (const [text, { workload, seen }] of awaited) {
      const row = [...document.querySelectorAll('[data-testid=workload-row]')].find((each) => each.dataset.workload === workload)
      if (row === undefined || !shows(row, text)) continue
      awaited.delete(text)
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => seen(performance.timeOrigin + performance.now())
        port2.postMessage(0)
      })
    }
  }
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  globalThis.whenShown = (workload, text) => new Promise((seen) => {
    awaited.set(text, { workload, seen })
    setTimeout(() => seen(undefined), ${TIMEOUT_MS})
  })
`

/** Rows that are whole on the screen. */
const ROWS_ON_SCREEN = `
  [...document.querySelectorAll('[data-testid=workload-row]')]
    .filter((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return top > 260 && bottom < innerHeight - 80
    })
    .map((row) => row.dataset.workload)
`

export interface Followed {
  seconds: number
  /** Time in which every row changes once. */
  roundSeconds: number
  mark: Mark
}

/** Follows it for so long, and marks a workload on the screen again and again. */
export async function measureFollowing(
  { page, cdp }: Opened,
  { seconds, roundSeconds, mark }: Followed,
): Promise<FollowingFigures> {
  await page.evaluate(AWAIT_TEXT)
  const freshMb = await heapOf(cdp)
  await page.waitForTimeout(roundSeconds * 1000)
  const startMb = await heapOf(cdp)
  const ages: number[] = []
  const courseMb = [startMb]
  let unseenMarks = 0
  const costs = await duringFrames(page, cdp, async () => {
    const began = performance.now()
    for (let at = 0; performance.now() - began < seconds * 1000; at += 1) {
      const age = await ageOfMark(page, mark, at)
      if (age === undefined) unseenMarks += 1
      else ages.push(age)
      if (performance.now() - began > (courseMb.length * seconds * 1000) / HEAP_LOOKS) courseMb.push(await heapOf(cdp))
      // Not synchronized with periodic work.
      await page.waitForTimeout(EVERY_MS * (0.5 + Math.random()))
    }
  })
  const endMb = await heapOf(cdp)
  const growthOf = (from: number): number => rounded((endMb / from - 1) * 100)
  const middleMb = courseMb[Math.floor(courseMb.length / 2)] ?? startMb
  const heap = {
    freshMb,
    startMb,
    endMb,
    growthPercent: growthOf(startMb),
    courseMb,
    growthPercentLater: growthOf(middleMb),
  }
  return { costs, heap, eventToPixelMs: quantilesOf(ages), unseenMarks }
}

async function ageOfMark(page: Page, mark: Mark, at: number): Promise<number | undefined> {
  const rows = await page.evaluate<string[]>(ROWS_ON_SCREEN)
  const workload = rows[at % rows.length]
  if (workload === undefined) throw new Error('there is no row on the screen')
  const replicas = FIRST_MARK + (at % MARKS)
  const shown = page.evaluate<number | null | undefined>(
    `whenShown(${JSON.stringify(workload)}, ${JSON.stringify(String(replicas))})`,
  )
  const from = await mark(Number(/(\d+)$/.exec(workload)?.[1]), replicas)
  const seen = await shown
  return typeof seen === 'number' ? seen - from : undefined
}

/** Used heap after a garbage collection. */
export async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return rounded(usedSize / 1e6)
}
