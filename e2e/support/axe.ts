/** Accessibility findings of axe. */
import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { lasting } from './lasting'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']
/** Rules about colours; the others have the same findings in dark and light. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Not visible, so their colours are not checked: the browser would lay them out again for each check. */
const CLOSED_PARTS = 'details:not([open]) > :not(summary)'

/** Half as long as the source that AxeBuilder has a browser read. Findings name elements, so their HTML is not needed. */
const AXE = `${readFileSync('node_modules/axe-core/axe.min.js', 'utf8')};axe.configure({ noHtml: true })`
const NOTHING_TO_READ = ';'

interface FindingsOptions {
  /** Looks only there; default: the whole page. */
  within?: string
  /** Ignores findings of minor or moderate impact. */
  serious?: boolean
}

/** Findings by WCAG 2.2 AA, one line each; empty is good. */
export function findings(page: Page, options: FindingsOptions = {}): Promise<string[]> {
  return look(page, (axe) => axe.withTags(WCAG), options)
}

/** The same in the light and in the dark. Leaves the page in the light. */
export async function findingsInBoth(page: Page, options: FindingsOptions = {}): Promise<string[]> {
  return [...(await findings(page, options)), ...(await findingsInTheDark(page, options))]
}

/**
 * The same in light, dark and forced colours. Rules that are not about colours are checked in forced colours only, whose
 * style blocks change nothing but colours and outlines; contrast there is the user's own.
 */
export async function findingsInEveryTheme(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const all = await look(page, (axe) => axe.withTags(WCAG).disableRules(OF_COLOURS), {})
  await page.emulateMedia({ forcedColors: 'none' })
  const light = await look(page, ofColours, {})
  return [...all, ...light, ...(await findingsInTheDark(page, {}))]
}

async function findingsInTheDark(page: Page, options: FindingsOptions): Promise<string[]> {
  await showIn(page, 'dark')
  const dark = await look(page, ofColours, options)
  await showIn(page, 'light')
  return dark.map((finding) => `in the dark: ${finding}`)
}

const ofColours = (axe: AxeBuilder): AxeBuilder => axe.withRules(OF_COLOURS).exclude(CLOSED_PARTS)

async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  // Not `expect`, which describes the whole page in words each time that it is not yet so.
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: 'attached' })
}

/** A check takes a while, in which a live page may change: what axe read of an element and of its place no longer fit. */
function look(page: Page, choose: (axe: AxeBuilder) => AxeBuilder, options: FindingsOptions): Promise<string[]> {
  return lasting(() => lookOnce(page, choose, options))
}

async function lookOnce(
  page: Page,
  choose: (axe: AxeBuilder) => AxeBuilder,
  { within, serious = false }: FindingsOptions,
): Promise<string[]> {
  // Once a document: to read axe takes a browser longer than to run it, and each check would have it read twice.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  // There are no foreign frames, for which the other mode would open a page each time. Passed rules are not described,
  // because that takes as long as the check.
  const axe = choose(
    new AxeBuilder({ page, axeSource: NOTHING_TO_READ }).setLegacyMode(true).options({ resultTypes: ['violations'] }),
  )
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
  return violations
    .filter(({ impact }) => !serious || impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
}
