import type { Locator, Page } from '@playwright/test'
import { CommandList } from './pages/commands'
import { FailoverPage } from './pages/failover'
import { PlanPage } from './pages/plan'
import { dynamicWeight, workload } from './scenarios/members'
import { findings } from './support/axe'
import { expectPlaced, waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'

const WAIT = { timeout: 60_000 }
const headline = (page: Page, about: string) => page.getByTestId('fleet-headline').locator(`[data-about=${about}]`)

test('Fleet shows an outage and its remaining effects, until both are over', async ({
  kubectl,
  page,
  product,
  fleet,
}) => {
  test.slow()
  await startMembers(kubectl, 'member1', 'member2')
  for (const name of ['api', 'web']) await kubectl.apply(workload({ name, replicas: 6, placement: dynamicWeight }))
  for (const name of ['api', 'web']) await expectPlaced(kubectl, name, { member1: 3, member2: 3 })
  await fleet.open()
  await expect(headline(page, 'calm')).toHaveText(say()('fleet.headline.calm', { n: 2 }), WAIT)

  await test.step('the outage, begun by a button, is on the first page with its cost', async () => {
    await page.goto(`${product.url}/clusters?cluster=member1`)
    const simulation = page.getByTestId('simulation')
    const command = simulation.getByRole('region', {
      name: say()('clusters.kubectl.label', { title: say()('clusters.kubectl.down') }),
    })
    await expect(command).toContainText(`kubectl --kubeconfig ${product.kubeconfig} annotate cluster member1`, WAIT)
    await simulation.getByRole('button', { name: say()('clusters.simulate.down') }).click()
    await waitForCluster(kubectl, 'member1', false)
    await fleet.open()
    await expect(headline(page, 'down')).toHaveAttribute('data-about', 'down', WAIT)
    for (const name of ['api', 'web']) await expectPlaced(kubectl, name, { member2: 6 })
    await expect(headline(page, 'down')).toHaveText(
      say()('fleet.headline.downUnused', { n: 1, clusters: ['member1'] }),
      WAIT,
    )
    expect(await findings(page, { serious: true })).toEqual([])
  })

  await test.step('Failover keeps the incident, during the outage and after it', async () => {
    const failover = new FailoverPage(page, product.url)
    await failover.open()
    await expect(failover.cluster('member1')).toContainText('2 of 2 workloads recovered', WAIT)
    await page.goto(`${product.url}/clusters?cluster=member1`)
    await page
      .getByTestId('simulation')
      .getByRole('button', { name: say()('clusters.simulate.up') })
      .click()
    await waitForCluster(kubectl, 'member1', true)
    await failover.open()
    await expect(failover.cluster('member1')).toHaveAttribute('data-stage', 'done', WAIT)
    await expect(failover.cluster('member1')).toContainText('2 of 2 workloads recovered', WAIT)
  })

  await test.step('drift has a number, a filter and one button', async () => {
    await page.goto(`${product.url}/workloads`)
    await expect(headline(page, 'drift')).toHaveText(say()('fleet.headline.drift', { replicas: 6, workloads: 2 }), WAIT)
    await headline(page, 'drift').getByRole('link').click()
    await expect(page).toHaveURL(/\/fleet\?q=drift=yes/)
    await expect(page.getByTestId('workload-row').locator('[data-drift="3"]')).toHaveCount(2)
    await page.getByRole('button', { name: say()('fleet.rebalanceDrift', { n: 6 }) }).click()
    const plan = page.getByRole('dialog')
    await expect(plan.getByTestId('plan-target')).toHaveCount(2, WAIT)
    for (const each of await plan.getByTestId('plan-target').all())
      await expect(each).toHaveAttribute('data-moved', '3')
    const name = plan.getByLabel(say()('plan.form.name'))
    await name.fill('Not a Name')
    await expect(plan.getByRole('alert')).toContainText(say()('common.name.invalid'))
    await expect(plan.getByTestId('apply-plan')).toBeDisabled()
    await name.fill('after-the-outage')
    await fleet.apply()
    const run = new PlanPage(page)
    await run.expectCalmRun('api', 'web')
    expect(await kubectl.find(['rebalanceplan', 'after-the-outage'])).toBeDefined()
    for (const each of ['api', 'web']) await expectPlaced(kubectl, each, { member1: 3, member2: 3 })
    await fleet.open()
    await expect(headline(page, 'calm')).toBeVisible(WAIT)
  })

  await test.step('an undo has its own name', async () => {
    await page.goto(`${product.url}/rebalancers/plan?name=after-the-outage`)
    await new PlanPage(page).act('undo')
    await new PlanPage(page).expectPhase('AwaitingApproval')
    await page.goto(`${product.url}/rebalancers`)
    await expect(
      page.getByTestId('plan-row').getByRole('link', { name: 'Undo of after-the-outage', exact: true }),
    ).toBeVisible()
  })
})

test.describe('lists', () => {
  test.use({ flags: [] })

  const WIDTHS = [1440, 1024, 390]
  const LISTS = [
    ['/workloads', 'workload-row'],
    ['/clusters', 'cluster-row'],
    ['/rebalancers', 'plan-row'],
    ['/activity', 'activity-row'],
    ['/rebalancers/plan?name=look', 'plan-run-target'],
    ['/fleet?plan=rebalance&sel=apps~v1/Deployment/shop/checkout', 'plan-target'],
  ] as const

  /** Both edges of a row are inside of the window, whichever way what scrolls was scrolled. */
  async function expectEdgesInSight(page: Page, cells: Locator, about: string): Promise<void> {
    const [first, last] = [cells.first(), cells.last()]
    await expect(first).toBeVisible()
    const { width } = page.viewportSize()!
    for (const end of ['left', 'right'] as const) {
      await scrollAround(first, end)
      for (const [name, cell] of [
        ['first', first],
        ['last', last],
      ] as const) {
        await expect(async () => {
          const box = (await cell.boundingBox())!
          expect(box.x, `${about}: ${name} at ${width}, scrolled ${end}`).toBeGreaterThanOrEqual(-1)
          expect(box.x + box.width, `${about}: ${name} at ${width}, scrolled ${end}`).toBeLessThanOrEqual(width + 1)
        }).toPass(WAIT)
      }
    }
  }

  /** Scrolls everything around a cell sideways. */
  const scrollAround = (cell: Locator, end: 'left' | 'right') =>
    cell.evaluate((element, to) => {
      for (let each = element.parentElement; each; each = each.parentElement)
        each.scrollLeft = to === 'left' ? 0 : each.scrollWidth
    }, end)

  test('keep names in sight at every width, sort, and are walked by keyboard from the first key on', async ({
    page,
    product,
    fleet,
    kubectl,
  }) => {
    test.slow()
    await fleet.open()
    await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })
    await kubectl.apply(
      'apiVersion: evenkeel.io/v1alpha1\nkind: RebalancePlan\nmetadata: { name: look }\nspec: { selection: { namespaces: [shop] } }\n',
    )
    await page.goto(`${product.url}/queues`)

    await test.step('names and the last column stay visible while the rest scrolls', async () => {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        for (const [path, row] of LISTS) {
          await page.goto(`${product.url}${path}`)
          if (row === 'activity-row') continue
          const rows = page.getByTestId(row).first()
          // A workload of the drawer has several rows.
          const cells = row === 'plan-target' ? rows.locator('tr').first().locator('th, td') : rows.locator('td')
          await expectEdgesInSight(page, cells, path)
          if (row !== 'workload-row') continue
          // Columns have fixed widths, which their content must fit into.
          const cut = () => cells.last().evaluate((cell) => cell.scrollWidth - cell.clientWidth)
          await expect.poll(cut, { message: `${path} at ${width}` }).toBeLessThanOrEqual(0)
        }
      }
    })

    await test.step('every head sorts, and the address keeps it', async () => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`${product.url}/workloads`)
      const head = page.getByRole('columnheader', { name: 'Desired' })
      await head.getByRole('button').click()
      await expect(head).toHaveAttribute('aria-sort', 'ascending')
      await head.getByRole('button').click()
      await expect(head).toHaveAttribute('aria-sort', 'descending')
      await expect(page).toHaveURL(/sort=-desired/)
      const heads = page.getByRole('columnheader')
      await expect(heads.filter({ hasNot: page.getByRole('button') })).toHaveCount(0)
    })

    await test.step('so do the clusters and the figures of Fleet, and the plan drawer', async () => {
      await fleet.open()
      const cluster = page.locator('[data-cluster-header=member2]')
      await expect(cluster).toHaveAttribute('aria-sort', 'none')
      await page.getByRole('button', { name: say()('fleet.sortByReady', { cluster: 'member2' }) }).click()
      await expect(cluster).toHaveAttribute('aria-sort', 'ascending')
      await expect(page).toHaveURL(/sort=cluster(\/|%2F)member2/)
      for (const key of ['current', 'desired'] as const) {
        await page
          .getByRole('columnheader')
          .getByRole('button', { name: say()(`fleet.${key}`), exact: true })
          .click()
        await expect(page.getByRole('columnheader', { name: say()('fleet.ready') }).first()).toHaveAttribute(
          'aria-sort',
          'ascending',
        )
        await expect(page).toHaveURL(new RegExp(`sort=${key}`))
      }
      await expect(cluster).toHaveAttribute('aria-sort', 'none')
      expect(await findings(page, { serious: true })).toEqual([])
      await page.goto(`${product.url}/rebalancers/plan?name=look`)
      const head = page.getByRole('columnheader', { name: 'Before → after' })
      await head.getByRole('button').click()
      await expect(head).toHaveAttribute('aria-sort', 'ascending')
      await page.goto(`${product.url}/fleet?plan=rebalance&sel=apps~v1/Deployment/shop/checkout`)
      const drawn = page.getByTestId('plan-table').getByRole('columnheader')
      await expect(drawn.first()).toBeVisible()
      await expect(drawn.filter({ hasNot: page.getByRole('button') })).toHaveCount(0)
    })

    await test.step('j and k need no click first', async () => {
      await page.goto(`${product.url}/workloads`)
      const rows = page.getByTestId('workload-row')
      await expect(rows.first()).toBeVisible()
      await page.keyboard.press('j')
      await expect(rows.nth(0).getByRole('link').first()).toBeFocused()
      await page.keyboard.press('j')
      await expect(rows.nth(1).getByRole('link').first()).toBeFocused()
      await page.keyboard.press('k')
      await expect(rows.nth(0).getByRole('link').first()).toBeFocused()
      await fleet.open()
      await expect(fleet.row('checkout')).toBeVisible()
      await page.keyboard.press('j')
      await expect(page.locator('[role=row][aria-rowindex="2"] [role=rowheader]')).toBeFocused()
    })

    await test.step('a cell opens the workload in that cluster', async () => {
      await fleet.row('checkout').locator('[data-cluster=member2]').click()
      await expect(page).toHaveURL(/id=apps~v1\/Deployment\/shop\/checkout&cluster=member2/)
      await expect(page.locator('[data-testid=distribution-row][data-cluster=member2]')).toHaveAttribute(
        'aria-current',
        'true',
      )
    })

    await test.step('the command list shows when nothing matches', async () => {
      const commands = new CommandList(page)
      await commands.open()
      await commands.field.fill('no such thing anywhere')
      await expect(commands.dialog).toContainText('No match for “no such thing anywhere”')
      expect(await findings(page, { within: '[role=dialog]' })).toEqual([])
    })
  })
})
