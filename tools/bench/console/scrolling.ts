/** Scrolling by the wheel, one notch a frame, down and up again. */
import type { Page } from '@playwright/test'
import type { Opened } from './browser'
import { duringFrames, type FrameFigures } from './figures'

const NOTCH = 120
const EVERY_MS = 16
/** Notches in one direction. */
const RUN = 120

/** Scrolls the element in the middle of the page. */
export function measureScrolling({ page, cdp }: Opened, seconds: number): Promise<FrameFigures> {
  return duringFrames(page, cdp, () => scroll(page, seconds * 1000))
}

async function scroll(page: Page, forMs: number): Promise<void> {
  await page.mouse.move(720, 560)
  const began = performance.now()
  for (let at = 0; performance.now() - began < forMs; at += 1) {
    const due = began + at * EVERY_MS
    const isDown = Math.floor(at / RUN) % 2 === 0
    // A late browser gets fewer wheel events, as with a real user.
    await page.mouse.wheel(0, isDown ? NOTCH : -NOTCH)
    const wait = due + EVERY_MS - performance.now()
    if (wait > 0) await page.waitForTimeout(wait)
  }
}
