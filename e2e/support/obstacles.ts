/** All accessibility findings of a page. */
import type { Page } from '@playwright/test'
import { findingsInEveryTheme } from './axe'
import { keyboardFindings } from './keyboard'
import { sidewaysFindings } from './sideways'

/** WCAG 2.2 AA in light, dark and forced colours, the Tab key, and small or enlarged windows; empty is good. */
export async function obstacles(page: Page): Promise<string[]> {
  return [...(await keyboardFindings(page)), ...(await findingsInEveryTheme(page)), ...(await sidewaysFindings(page))]
}
