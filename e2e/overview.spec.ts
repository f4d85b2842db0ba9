/** The landing page: its sentence and numbers beside kubectl, an outage as a picture, the guided drill, phone, wall and keyboard. */
import type { Locator, Page } from '@playwright/test'
import { PlanPage } from './pages/plan'
import { findings, findingsInBoth } from './support/axe'
import { expect, test } from './support/fixtures'
import type { Kubectl } from './support/kubectl'
import { say } from './support/say'
import { expectNoSidewaysScroll } from './support/sideways'

const WAIT = { timeout: 60_000 }
const MEMBERS = ['member1', 'member2', 'member3']

/** Running pods of the demonstration in a member, as kubectl lists them. */
async function podsIn(kubectl: Kubectl, cluster: string): Promise<number> {
  const counts = await Promise.all(['shop', 'lab'].map((namespace) => kubectl.runningPods(cluster, namespace)))
  return counts.flatMap((apps) => Object.values(apps)).reduce((sum, n) => sum + n, 0)
}

const podsByMember = async (kubectl: Kubectl, clusters: readonly string[]) =>
  Object.fromEntries(await Promise.all(clusters.map(async (name) => [name, await podsIn(kubectl, name)] as const)))

const readyByTile = (page: Page) =>
  page
    .getByTestId('cluster-tile')
    .evaluateAll((tiles) =>
      Object.fromEntries(
        tiles.map((tile) => [tile.getAttribute('data-cluster'), Number(tile.getAttribute('data-ready'))]),
      ),
    )

/** Waits until the tiles count what kubectl lists, which may still be starting; of a cluster that is down, none. */
async function expectTiles(page: Page, kubectl: Kubectl, down: readonly string[] = []): Promise<void> {
  await expect(async () => {
    const pods = await podsByMember(
      kubectl,
      MEMBERS.filter((name) => !down.includes(name)),
    )
    expect(await readyByTile(page)).toEqual({ ...Object.fromEntries(down.map((name) => [name, 0])), ...pods })
  }).toPass(WAIT)
}

test.describe('on the demonstration', () => {
  test.use({ flags: [] })

  test('shows the current state, follows an outage with the numbers of kubectl, and offers the drill', async ({
    page,
    product,
    kubectl,
    fleet,
  }) => {
    test.slow()
    const headline = page.getByTestId('overview-headline')
    const tile = (cluster: string) => page.locator(`[data-testid=cluster-tile][data-cluster=${cluster}]`)
    const drill = page.getByTestId('drill')
    await fleet.open()
    await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })

    await test.step('it is the landing page, without problems, and its numbers are those of kubectl', async () => {
      await page.goto(product.url)
      await expect(page).toHaveURL(`${product.url}/overview`)
      await expectTiles(page, kubectl)
      await expect(headline).toHaveAttribute('data-state', 'ok')
      const pods = Object.values(await podsByMember(kubectl, MEMBERS)).reduce((sum, n) => sum + n, 0)
      await expect(page.locator('[data-figure=ready]')).toHaveText(new RegExp(`^${pods}\\D`))
      // One of two workloads is pending: which one depends on which was created first.
      const { items } = await kubectl.json<{ items: { spec: { replicas: number } }[] }>(['get', 'deployments', '-A'])
      const waiting = items.reduce((sum, { spec }) => sum + spec.replicas, 0) - pods
      await expect(page.getByTestId('overview-totals')).toContainText(
        say()('overview.figure.ready', { unknown: 0, waiting }),
      )
      await expect(page.getByTestId('resilience-verdict')).toBeVisible(WAIT)
      await expect(page.getByTestId('day-chart')).toBeVisible()
    })

    await test.step('nodes are columns with the pods that kubectl lists on them; pointing at one names its workload', async () => {
      const blocks = page.locator('[data-block]')
      await expect(page.getByTestId('federation')).toHaveAttribute('data-nodes', 'linear', WAIT)
      const pods = Object.values(await podsByMember(kubectl, MEMBERS)).reduce((sum, n) => sum + n, 0)
      await expect(blocks).toHaveCount(pods, WAIT)
      const checkout = page.locator('[data-workload$="/checkout"]')
      await checkout.first().hover()
      await expect(page.getByTestId('lit')).toContainText('shop/checkout')
      await expect(page.locator('[data-lit=true]')).toHaveCount(8)
      await page.mouse.move(0, 0)
      await expect(page.locator('[data-lit]')).toHaveCount(0)
      await blocks.first().focus()
      await page.keyboard.press('ArrowRight')
      await expect(page.locator('[data-block]:focus')).toHaveAttribute('data-lit', 'true')
      await expect(page.getByTestId('lit')).not.toBeEmpty()
    })

    await test.step('a region is enlarged by its address, and Escape leaves it', async () => {
      await page.getByTestId('region').first().focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/region=ap/)
      await expect(page.getByTestId('cluster-tile')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(page.getByTestId('cluster-tile')).toHaveCount(3)
      // A key counts from the moment at which its region is drawn.
      await page.evaluate(() => {
        const escape = (_: unknown, observer: MutationObserver): void => {
          if (document.querySelectorAll('[data-testid=cluster-tile]').length !== 1) return
          observer.disconnect()
          document.body.dataset.enlarged = 'true'
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
        }
        new MutationObserver(escape).observe(document.body, { childList: true, subtree: true })
      })
      await page.getByTestId('region').first().focus()
      await page.keyboard.press('Enter')
      await expect(page.locator('body')).toHaveAttribute('data-enlarged', 'true')
      await expect(page.getByTestId('cluster-tile')).toHaveCount(3)
      await expect(page).not.toHaveURL(/region=/)
    })

    await test.step('the time before the first record is not observed: nothing is drawn there', async () => {
      const chart = page.getByTestId('day-chart')
      await expect(async () => {
        const lineStarts = await chart
          .locator('[data-ready-line]')
          .evaluateAll((lines) => lines.map((line) => Number(/^M([\d.]+)/.exec(line.getAttribute('d') ?? '')?.[1])))
        const [gap] = await chart
          .locator('[data-gap]')
          .evaluateAll((gaps) => gaps.map((each) => Number(each.getAttribute('width'))))
        expect(gap).toBeGreaterThan(400)
        expect(Math.min(...lineStarts)).toBeGreaterThanOrEqual(Math.floor(gap!))
      }).toPass(WAIT)
    })

    await test.step('the keyboard reaches every cluster with the arrows, and Enter opens one', async () => {
      await tile('member3').focus()
      await page.keyboard.press('ArrowRight')
      await expect(tile('member1')).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/clusters\?cluster=member1/)
      await page.goBack()
      await page.getByRole('link', { name: say()('overview.federation.table') }).click()
      await expect(page.getByTestId('cluster-row')).toHaveCount(3)
      await page.goBack()
    })

    await test.step('the drill fails a cluster: the headline, the tiles and the badges show it', async () => {
      await page.getByRole('link', { name: say()('overview.drill.start') }).click()
      await expect(drill).toHaveAttribute('data-done', '0')
      await drill.getByRole('button', { name: say()('drill.takeDown', { cluster: 'member1' }) }).click()
      await expect(headline).toHaveAttribute('data-state', 'fail', WAIT)
      await expect(headline).toContainText('member1')
      await expect(tile('member1')).toHaveAttribute('data-state', 'fail')
      await expect(page.getByTestId('badge-incidents').first()).toHaveAttribute('data-count', '1')
      await expect(page.getByTestId('attention-item').first()).toContainText(
        say()('overview.attention.cluster', { cluster: 'member1' }),
      )
      await page.setViewportSize({ width: 390, height: 844 })
      const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Infinity
      expect(await topOf(page.getByTestId('attention'))).toBeLessThan(await topOf(page.getByTestId('federation')))
      await expectNoSidewaysScroll(page)
      await page.setViewportSize({ width: 1440, height: 900 })
      await expect(page.locator('[data-block=lost]').first()).toBeAttached(WAIT)
      await expect(drill).toHaveAttribute('data-done', '2', WAIT)
      await expectTiles(page, kubectl, ['member1'])
      expect(await findings(page, { serious: true })).toEqual([])
    })

    await test.step('on other pages a bar has the next step; the plan that it makes is the one kubectl shows', async () => {
      await fleet.open()
      const bar = page.getByTestId('drill-bar')
      await expect(bar).toHaveAttribute('data-done', '2')
      await bar.getByRole('button', { name: say()('drill.bringBack', { cluster: 'member1' }) }).click()
      await kubectl.run(['wait', 'cluster/member1', '--for=condition=Ready=True', '--timeout=60s'])
      await bar.getByRole('button', { name: say()('drill.preview') }).click(WAIT)
      await expect(page).toHaveURL(/\/rebalancers\/plan\?name=/)
      await expect(bar).toHaveAttribute('data-done', '3', WAIT)
      const name = new URL(page.url()).searchParams.get('name')!
      await new PlanPage(page).act('approve')
      await expect(bar).toHaveAttribute('data-done', '4', { timeout: 120_000 })
      const plan = await kubectl.json<{ status: { phase: string } }>(['get', 'rebalanceplan', name])
      expect(plan.status.phase).toBe('Completed')
    })

    await test.step('afterwards the day chart shows it, and all replicas are back', async () => {
      await page.goto(`${product.url}/overview`)
      await expectTiles(page, kubectl)
      const counts = page.getByTestId('day').locator('[data-incidents]')
      await expect(counts).toHaveAttribute('data-incidents', '1')
      await expect(counts).toHaveAttribute('data-rebalances', '1')
    })

    await test.step('phones and walls show it, too', async () => {
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        await expect(tile('member1')).toBeVisible()
        await expectNoSidewaysScroll(page)
      }
      const navigation = page.getByRole('navigation', { name: say()('shell.navigation') })
      await expect(navigation.getByRole('link', { name: say()('shell.section.incidents') })).toBeVisible()
      await navigation.getByRole('button', { name: say()('shell.more') }).click()
      await navigation.getByRole('link', { name: say()('shell.section.activity') }).click()
      await expect(page).toHaveURL(/\/activity/)
      await page.setViewportSize({ width: 1920, height: 1080 })
      await page.goto(`${product.url}/overview?display=wall`)
      await expect(headline).toBeVisible()
      await expect(navigation).toBeHidden()
    })
  })
})

test('an empty control plane explains the product and the first step', async ({ page, product }) => {
  await page.goto(product.url)
  await expect(page.getByTestId('first-run')).toBeVisible()
  await expect(page.getByTestId('first-run')).toContainText('apply -f')
  expect(await findingsInBoth(page, { serious: true })).toEqual([])
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoSidewaysScroll(page)
})
