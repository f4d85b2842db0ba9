/** Delay from an input to the next frame, as reported by the browser. */
import type { Page } from '@playwright/test'
import { quantilesOf, type Quantiles } from './figures'

export interface InputFigures {
  interactions: number
  /** Of each interaction; those below 16 ms count as 16. */
  durationMs: Quantiles
  /** The slowest one of each kind. */
  slowest: Record<string, number>
}

/** The browser does not report events below this duration. */
const MIN_MS = 16

/** Runs in the page. */
const FOLLOW_EVENTS = `
  globalThis.inputs = new Map()
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0) inputs.set(interactionId, Math.max(inputs.get(interactionId) ?? 0, duration))
  }).observe({ type: 'event', durationThreshold: ${MIN_MS} })
`
const INTERACTIONS = 'performance.interactionCount'
/** Until the frame after an input is drawn and reported. */
const REST_MS = 120

type Act = readonly [name: string, act: (page: Page) => Promise<unknown>]

/** Does each act `rounds` times. */
export async function measureInputs(page: Page, acts: readonly Act[], rounds: number): Promise<InputFigures> {
  await page.evaluate(FOLLOW_EVENTS)
  const before = await page.evaluate<number>(INTERACTIONS)
  const slowest: Record<string, number> = {}
  const all: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, act] of acts) {
      await act(page)
      await page.waitForTimeout(REST_MS)
      const durations = await page.evaluate<number[]>(
        '(() => { const all = [...inputs.values()]; inputs.clear(); return all })()',
      )
      all.push(...durations)
      slowest[name] = Math.max(slowest[name] ?? MIN_MS, ...durations)
    }
  }
  const interactions = (await page.evaluate<number>(INTERACTIONS)) - before
  const quick = Array.from({ length: Math.max(0, interactions - all.length) }, () => MIN_MS)
  return { interactions, durationMs: quantilesOf([...all, ...quick]), slowest }
}

const key = (name: string, text: string): Act => [name, (page) => page.keyboard.press(text)]

/** What an operator does in the table of the fleet. */
export const FLEET_ACTS: readonly Act[] = [
  ['select a workload', (page) => page.getByTestId('workload-row').nth(3).getByRole('checkbox').click()],
  key('move down', 'ArrowDown'),
  key('move right', 'ArrowRight'),
  key('a page down', 'PageDown'),
  key('to the top', 'Control+Home'),
  ['fold a group', (page) => page.getByTestId('group-row').first().getByRole('button').click()],
  ['open a group', (page) => page.getByTestId('group-row').first().getByRole('button').click()],
  key('focus the filter', '/'),
  ...[...'app-0001'].map((letter) => key('type into the filter', letter)),
  ...[...'app-0001'].map(() => key('empty the filter', 'Backspace')),
  ['sort by name', (page) => page.getByRole('columnheader').nth(1).getByRole('button').click()],
  key('leave the filter', 'Escape'),
  [
    'into the table',
    (page) =>
      page
        .getByTestId('workload-row')
        .nth(2)
        .getByRole('rowheader')
        .click({ position: { x: 200, y: 10 } }),
  ],
  key('only exceptions', 'e'),
  key('all again', 'e'),
]

/** What an operator does on the overview. */
export const OVERVIEW_ACTS: readonly Act[] = [
  ['point at clusters', async (page) => hover(page, '[data-testid=cluster-tile]')],
  key('next element', 'Tab'),
  key('next element', 'Tab'),
  key('open help', '?'),
  key('close help', 'Escape'),
]

async function hover(page: Page, selector: string): Promise<void> {
  const tiles = page.locator(selector)
  for (let at = 0; at < Math.min(5, await tiles.count()); at += 1) await tiles.nth(at).hover({ force: true })
}
