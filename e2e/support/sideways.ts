/** Whether a page fits the width of its window. */
import { expect, type Page } from '@playwright/test'

/** A small phone. */
export const SMALLEST = [{ width: 320, height: 700 }]
/** Also a larger phone, and a window of 1280 pixels at 200 % zoom. */
const SIZES = [{ width: 390, height: 844 }, ...SMALLEST, { width: 640, height: 450 }]

/** Waits until the page is no wider than its window: pictures measure their frames after the window has changed. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(excess, { message: `wider than ${page.viewportSize()?.width} px` }).toBe(0)
}

/**
 * Elements that make the page or a part of it scroll sideways at these sizes, one line each. Restores the size of the
 * window.
 */
export async function sidewaysFindings(page: Page, sizes = SIZES): Promise<string[]> {
  const before = page.viewportSize()!
  const found: string[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    // Pictures measure their frames after the window has changed.
    const settled = await expect
      .poll(() => page.evaluate(wideParts))
      .toEqual([])
      .then(
        () => [],
        () => page.evaluate(wideParts),
      )
    found.push(...settled.map((finding) => `at ${size.width} px: ${finding}`))
  }
  await page.setViewportSize(before)
  return found
}

/** In the page. Tables, grids, code and logs may be wider than their frame (WCAG 2.2, 1.4.10), but not the page for them. */
function wideParts(): string[] {
  const WIDE = 'table, [role=table], [role=grid], pre, [data-line], .cm-scroller'
  const wordsFor = (element: Element): string =>
    `${element.localName}.${element.getAttribute('class') ?? ''} "${(element.textContent ?? '').trim().slice(0, 40)}"`
  const scrolls = (element: Element): boolean => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
  const frames = [...document.querySelectorAll('*')].filter(
    (element) =>
      element.scrollWidth > element.clientWidth + 1
      && element.clientWidth > 0
      && (element === document.documentElement || (scrolls(element) && element.closest(WIDE) === null)),
  )
  return frames.flatMap((frame) => {
    const edge = frame.getBoundingClientRect().left + frame.clientLeft + frame.clientWidth
    const isBeyond = (element: Element): boolean => {
      const { right, width } = element.getBoundingClientRect()
      if (width <= 1 || right <= edge + 1 || !element.checkVisibility()) return false
      for (let each = element.parentElement; each && each !== frame; each = each.parentElement)
        if (getComputedStyle(each).overflowX !== 'visible') return false
      return frame === document.documentElement || element.closest(WIDE) === null
    }
    const beyond = [...frame.querySelectorAll('*')].filter(isBeyond)
    const inmost = beyond.filter((element) => !beyond.some((other) => other !== element && element.contains(other)))
    return inmost.slice(0, 3).map((element) => `${wordsFor(element)} is wider than ${frame.localName}`)
  })
}
