/** Tables at the width of a laptop, a small window and a phone: names and row ends stay visible, cut text opens. */
import type { Locator, Page } from '@playwright/test'
import { dynamicWeight, workload } from './scenarios/members'
import { queue, queued } from './scenarios/queues'
import { expectPlaced } from './support/binding'
import { findings } from './support/axe'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'

/** More rows than a table draws completely. */
const MANY = Array.from({ length: 230 }, (_, at) => `many-${String(at).padStart(3, '0')}`)

const WAIT = { timeout: 60_000 }
const LONG = 'a-workload-whose-name-is-longer-than-any-column-of-a-list'
const REBALANCER = 'a-rebalancer-whose-name-is-longer-than-any-column-of-a-list'
const MEMBERS = Array.from({ length: 9 }, (_, at) => `member${at + 1}`)

/** Pages with a row of each; `last`: its last cell is pinned, too. */
const TABLES = [
  { path: '/fleet?view=table', row: 'workload-row', cells: '[role=rowheader], [role=gridcell]', last: false },
  { path: '/rebalancers', row: 'rebalancer-row', cells: 'td', last: true },
  { path: '/queues/detail?queue=default/line', row: 'pending-row', cells: 'td', last: true },
  { path: '/activity', row: 'activity-row', cells: 'td', last: true },
] as const

/** Scrolls everything around a cell sideways, as far as possible. */
const scrollAround = (cell: Locator, end: 'left' | 'right') =>
  cell.evaluate((element, to) => {
    for (let each = element.parentElement; each; each = each.parentElement)
      each.scrollLeft = to === 'left' ? 0 : each.scrollWidth
  }, end)

/** A cell is completely inside the window, and nothing covers it. */
async function expectInSight(page: Page, cell: Locator, about: string): Promise<void> {
  const { width } = page.viewportSize()!
  await expect(async () => {
    const { x, width: own } = (await cell.boundingBox())!
    expect(x, about).toBeGreaterThanOrEqual(-1)
    expect(x + own, about).toBeLessThanOrEqual(width + 1)
    const isOnTop = await cell.evaluate((element) => {
      const { left, top, width: wide, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + Math.min(wide / 2, 30), top + height / 2))
    })
    expect(isOnTop, `${about} is on top`).toBe(true)
  }).toPass(WAIT)
}

/** Waits until a text is cut, or not: new rows change the widths of columns. */
const expectCut = (text: Locator, cut: boolean) =>
  expect.poll(() => text.evaluate((element) => element.scrollWidth > element.clientWidth), WAIT).toBe(cut)

test('names and last columns stay in sight at every width, cut texts open, and cells open their workload', async ({
  product,
  kubectl,
  page,
  fleet,
}) => {
  const text = say()
  await test.step('a fleet with long names, a queue on hold, a rebalancer and an action on record', async () => {
    await startMembers(kubectl, ...MEMBERS.map((name) => [name, { nodes: 1, cpu: 4 }] as const))
    const placement = dynamicWeight.replace('{', '{ clusterAffinity: { clusterNames: [member1, member2] },')
    await kubectl.apply(workload({ name: LONG, replicas: 2, placement }))
    await expectPlaced(kubectl, LONG, { member1: 1, member2: 1 })
    await kubectl.apply(
      `apiVersion: apps.karmada.io/v1alpha1\nkind: WorkloadRebalancer\nmetadata: { name: ${REBALANCER} }\n`
        + `spec: { workloads: [{ apiVersion: apps/v1, kind: Deployment, namespace: default, name: ${LONG} }] }\n---`
        + queue('default', 'line', '{ quota: { hard: { cpu: "1" } } }'),
    )
    await kubectl.apply(queued({ namespace: 'default', name: `${LONG}-2`, cpu: '2' }))
    const order = { action: 'drain', cluster: 'member9' }
    const preview = await page.request.post(`${product.url}/api/v1/failover-previews`, { data: order })
    const { base } = (await preview.json()) as { base: string }
    const done = await page.request.post(`${product.url}/api/v1/failover-actions`, { data: { order, base } })
    expect(done.status(), await done.text()).toBe(200)
  })

  for (const width of [1440, 1024, 390]) {
    await test.step(`at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 })
      for (const { path, row, cells, last } of TABLES) {
        await page.goto(`${product.url}${path}`)
        const all = page.getByTestId(row).first().locator(cells)
        const named = row === 'workload-row' ? page.getByTestId(row).first().locator('[role=rowheader]') : all.first()
        await expect(named).toBeVisible(WAIT)
        for (const end of ['left', 'right'] as const) {
          await scrollAround(named, end)
          await expectInSight(page, named, `first column of ${path} at ${width} px, scrolled ${end}`)
          if (last || end === 'right')
            await expectInSight(page, all.last(), `last column of ${path} at ${width} px, scrolled ${end}`)
        }
      }
    })
  }

  await test.step('a cut text opens by a click and by Enter, and is cut again', async () => {
    await page.setViewportSize({ width: 1024, height: 800 })
    await page.goto(`${product.url}/workloads`)
    const row = page.getByTestId('workload-row').filter({ hasText: `${LONG}-2` })
    const policy = `${LONG}-2`
    const link = row.getByRole('link', { name: policy, exact: true }).last()
    const opener = row.getByRole('button', { name: text('common.fullName', { name: policy }) })
    const reason = row.getByTestId('held').getByRole('button')
    for (const [cut, button] of [
      [link, opener],
      [reason, reason],
    ] as const) {
      await expect(button).toHaveAttribute('aria-expanded', 'false', WAIT)
      await expectCut(cut, true)
      await button.click()
      await expect(button).toHaveAttribute('aria-expanded', 'true')
      await expectCut(cut, false)
      await button.press('Enter')
      await expect(button).toHaveAttribute('aria-expanded', 'false')
      await expectCut(cut, true)
    }
    expect(await findings(page, { serious: true })).toEqual([])
  })

  await test.step('a cell that looks like a button opens the workload in that cluster; an empty one does not', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${product.url}/fleet?view=table`)
    const cell = (cluster: string, workload = LONG) => fleet.row(workload).locator(`[data-cluster=${cluster}]`)
    await expect(cell('member2')).toHaveAttribute('data-ready', '1', WAIT)
    const empty = cell('member2', `${LONG}-2`)
    await expect(cell('member2')).toHaveCSS('cursor', 'pointer')
    await expect(empty).toHaveCSS('cursor', 'auto')
    await empty.click()
    await expect(page).toHaveURL(/\/fleet/)
    await cell('member2').click()
    await expect(page).toHaveURL(/cluster=member2/)
    await expect(page.locator('[data-testid=distribution-row][aria-current=true]')).toHaveAttribute(
      'data-cluster',
      'member2',
    )
    await page.goto(`${product.url}/fleet?view=table`)
    await expect(cell('member1')).toHaveAttribute('data-ready', '1', WAIT)
    await cell('member1').focus()
    await cell('member1').press('Enter')
    await expect(page).toHaveURL(/cluster=member1/)
  })
})

test('a long table draws only the rows on screen, also when a filter leaves fewer', async ({
  product,
  kubectl,
  page,
}) => {
  const text = say()
  const manifests = MANY.map((name) => workload({ name, replicas: 1, placement: '{}' }))
  const suspended = 'suspension: { scheduling: true }'
  await kubectl.apply(manifests.join('').replaceAll('placement: {}', `placement: {}\n  ${suspended}`))
  const rows = page.getByTestId('workload-row')
  const expectInPart = async (named: string) => {
    await expect(rows.filter({ hasText: named })).not.toHaveCount(0, WAIT)
    expect(await rows.count()).toBeLessThan(90)
  }
  await page.goto(`${product.url}/workloads`)
  await expect(async () => {
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
    await expect(rows.last()).toContainText(MANY.at(-1)!)
  }).toPass(WAIT)
  await expectInPart(MANY.at(-1)!)
  await page.getByLabel(text('shell.filter')).fill('many-1')
  await expect(rows.filter({ hasText: MANY.at(-1)! })).toHaveCount(0, WAIT)
  await expectInPart(MANY[199]!)
})
