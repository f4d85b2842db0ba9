/** An incident of many workloads, played at the highest speed. */
import { say } from '@/e2e/support/say'
import { SPEEDS } from '@/components/incident/player'
import type { Opened } from './browser'
import { duringFrames, type FrameFigures } from './figures'

/** Plays it repeatedly; `workloads` is the number that the page must show. */
export async function measureReplay(
  { page, cdp }: Opened,
  address: string,
  { workloads, seconds }: { workloads: number; seconds: number },
): Promise<FrameFigures> {
  await page.goto(address)
  const stage = page.getByTestId('incident-stage')
  await stage.waitFor()
  const counts = page.getByTestId('incident-phase')
  const told = await counts.evaluateAll((phases) =>
    phases.reduce((sum, each) => sum + Number(each.getAttribute('data-count')), 0),
  )
  if (told !== workloads) throw new Error(`the incident has ${told} workloads, not ${workloads}`)
  await page.getByRole('button', { name: say()('incident.player.timesLabel', { n: SPEEDS.at(-1)! }) }).click()
  const play = page.getByTestId('incident-play')
  return duringFrames(page, cdp, async () => {
    const began = performance.now()
    while (performance.now() - began < seconds * 1000) {
      await play.click()
      await page.evaluate(whenLabelled(say()('incident.player.play')))
    }
  })
}

/** Runs in the page, which sends no requests between frames: resolves when the button has that name again. */
const whenLabelled = (label: string): string => `
  new Promise((resolve) => {
    const button = document.querySelector('[data-testid=incident-play]')
    const observer = new MutationObserver(() => {
      if (button.ariaLabel !== ${JSON.stringify(label)}) return
      observer.disconnect()
      resolve()
    })
    observer.observe(button, { attributeFilter: ['aria-label'] })
  })
`
