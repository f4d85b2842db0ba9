/** The heat matrix: numbers beside kubectl, an outage, the keyboard alone, phones, forced colours, views and exports. */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { member, workload } from './scenarios/members'
import { equally } from './scenarios/pools'
import { expectPlaced, waitForCluster } from './support/binding'
import { findings } from './support/axe'
import { expect, test } from './support/fixtures'
import { say } from './support/say'

const WAIT = { timeout: 60_000 }
const MEMBERS = Array.from({ length: 9 }, (_, at) => `member${at + 1}`)
const LONG = `n${'a'.repeat(62)}`

const grid = (page: Page): Locator => page.getByTestId('heat-grid')
/** The cell that the keyboard is in. */
const focused = (page: Page): Locator => grid(page).locator('[tabindex="0"]')

const countsOf = (cell: Locator) =>
  cell.evaluate((element) => {
    const { desired, ready, unknown } = (element as HTMLElement).dataset
    return { desired: Number(desired), ready: Number(ready), unknown: Number(unknown) }
  })

/** Moves the focus to a cluster of the row that has it. */
async function goTo(page: Page, cluster: string): Promise<Locator> {
  await page.keyboard.press('Home')
  const cell = focused(page)
  for (let step = 0; step < 40; step += 1) {
    if ((await cell.getAttribute('data-cluster')) === cluster) return cell
    await page.keyboard.press('ArrowRight')
  }
  throw new Error(`no column of ${cluster}`)
}

const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('a fleet of nine clusters is drawn with the figures of kubectl', async ({ page, product, kubectl, fleet }) => {
  test.slow()
  await kubectl.apply(MEMBERS.map((name) => member(name, { nodes: 1, cpu: 4 })).join(''))
  for (const name of MEMBERS) await waitForCluster(kubectl, name, true)
  await kubectl.apply(workload({ name: 'web', replicas: 4, placement: equally('member1', 'member2') }))
  await kubectl.apply(workload({ name: LONG, replicas: 2, placement: equally('member3', 'member9') }))
  await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })
  await expectPlaced(kubectl, LONG, { member3: 1, member9: 1 })

  await test.step('it is chosen by itself, and the switch leads to the table and back', async () => {
    await fleet.open()
    await expect(grid(page)).toBeAttached(WAIT)
    const view = page.getByRole('navigation', { name: say()('shell.view.label') })
    await view.getByRole('link', { name: say()('shell.view.matrix') }).click()
    await expect(page).toHaveURL(/view=table/)
    await fleet.expectDistribution('web', { member1: 2, member2: 2 })
    await view.getByRole('link', { name: say()('shell.view.heat') }).click()
    await expect(page).toHaveURL(/view=heat/)
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '4')
  })

  await test.step('the keyboard reads every cell and opens its workload and cluster', async () => {
    await focused(page).focus()
    await page.keyboard.press('Control+End')
    await expect(focused(page)).toHaveAttribute('aria-colindex', (await grid(page).getAttribute('aria-colcount'))!)
    const cell = await goTo(page, 'member2')
    await expect(grid(page).locator(`[data-row$="/web"]`)).toBeAttached()
    const pods = (await kubectl.memberPods('member2', 'default', 'web')).length
    await expect.poll(() => countsOf(cell)).toEqual({ desired: pods, ready: pods, unknown: 0 })
    await expect(cell).toContainText(`default/web`)
    await expect(cell).toBeFocused()
    await page.keyboard.press('Space')
    await expect(page.getByTestId('fleet-bar')).toContainText(say()('fleet.selected', { n: 1 }))
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Home')
    await expect(focused(page)).toContainText(LONG)
    await page.keyboard.press('ArrowUp')
    await expect(focused(page)).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('Enter')
    await expect(focused(page)).toHaveAttribute('aria-expanded', 'false')
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '2')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: say()('fleetHeat.density.comfortable') })).toBeFocused()
  })

  await test.step('a pointer that rests gets a card, a click opens the workload', async () => {
    const { x, y } = (await page.getByTestId('heat-scroller').boundingBox())!
    await page.mouse.move(x + 60, y + 98)
    await expect(page.getByTestId('heat-card')).toBeVisible()
    await page.mouse.click(x + 60, y + 98)
    await expect(page).toHaveURL(/\/workloads\/detail/)
    await page.goBack()
  })

  await test.step('replicas of a failed cluster are unknown, and the exceptions keep their order', async () => {
    await kubectl.takeDown('member2')
    await waitForCluster(kubectl, 'member2', false)
    await page.goto(`${product.url}/fleet?view=heat&only=exceptions`)
    await focused(page).focus()
    await page.keyboard.press('Control+End')
    await goTo(page, 'member2')
    await expect.poll(() => countsOf(focused(page)), WAIT).toMatchObject({ ready: 0 })
    await page.keyboard.press('Control+ArrowUp')
    await expect(focused(page)).toContainText('member2')
  })

  await test.step('a view is kept under its name, and exports are true and harmless', async () => {
    await page.goto(`${product.url}/fleet?view=heat&density=dense`)
    await page.getByRole('button', { name: say()('fleetHeat.views'), exact: true }).click()
    await page.getByLabel(say()('fleetHeat.views.name')).fill('Night')
    await page.getByRole('button', { name: say()('fleetHeat.views.save') }).click()
    await page.keyboard.press('Escape')
    await fleet.open()
    await page.getByRole('button', { name: say()('fleetHeat.views'), exact: true }).click()
    await page.getByRole('link', { name: 'Night' }).click()
    await expect(page).toHaveURL(/density=dense/)
    const lines = readFileSync(await download(page, 'csv'), 'utf8').split('\r\n')
    expect(lines.filter((line) => line.startsWith(`default,Deployment,${LONG},`))).toHaveLength(2)
    expect(
      readFileSync(await download(page, 'png'))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })

  await test.step('on a phone the regions are bars', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByTestId('region-bars')).toBeVisible()
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await sidewaysScroll(page), `${width} px`).toBe(0)
    }
    expect(await findings(page, { serious: true })).toEqual([])
  })
})

async function download(page: Page, format: 'csv' | 'png'): Promise<string> {
  const arrives = page.waitForEvent('download')
  await page.getByRole('button', { name: say()('fleetHeat.export'), exact: true }).click()
  await page.getByRole('button', { name: say()(`fleetHeat.export.${format}`) }).click()
  return (await arrives).path()
}

test('without a canvas the table is shown with the reason', async ({ page, product, kubectl, fleet }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await kubectl.apply(member('member1'))
  await waitForCluster(kubectl, 'member1', true)
  await kubectl.apply(workload({ name: 'web', replicas: 2, placement: equally('member1') }))
  await page.goto(`${product.url}/fleet?view=heat`)
  await fleet.expectDistribution('web', { member1: 2 })
  await expect(page.getByText(say()('fleetHeat.noCanvas'))).toBeVisible()
})
