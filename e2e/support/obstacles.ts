/** All accessibility findings of a page. */
import type { Page } from '@playwright/test'
import { findingsInEveryTheme } from './axe'
import { keyboardFindings } from './keyboard'
import { sidewaysFindings } from './sideways'

/** WCAG 2.2 AA in light, dark and forced colours, the Tab key, and small or enlarged windows; empty is good. */
export async function obstacles(page: Page): Promise<string[]> {
  const ofKeys = await keyboardFindings(page)
  // The Tab key scrolls. A target that is halfway under the head of its list is not too small.
  await page.evaluate(scrollToTop)
  return [...ofKeys, ...(await findingsInEveryTheme(page)), ...(await sidewaysFindings(page))]
}

/** In the page. */
function scrollToTop(): void {
  for (const element of document.querySelectorAll('*')) element.scrollTop = 0
}
