/**
 * Accessibility of every page: WCAG 2.2 AA in light, dark and forced colours, the keyboard, a phone and 200 % zoom. Once
 * on the idle demonstration, once during a failover and a plan.
 */
import type { Page } from '@playwright/test'
import { SpreadPages } from './pages/spread'
import { queue, queued } from './scenarios/queues'
import { dynamicWeight, workload } from './scenarios/members'
import { scheduledTo, waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import { expectRoving } from './support/keyboard'
import { startMembers } from './support/members'
import { obstacles } from './support/obstacles'
import { say } from './support/say'

interface Visit {
  path: string
  /** What is opened or pressed there. */
  open?: (page: Page) => Promise<unknown>
}

const WAIT = { timeout: 60_000 }
/** Some seconds a page, and there are many. */
const WITHIN_MS = 1_200_000
/** A finding on one page must not hide those of the next. */
const each = expect.configure({ soft: true })

const WEB = '/workloads/detail?id=apps~v1%2FDeployment%2Fshop%2Fweb'
const LINE = '/queues/detail?queue=shop/line'

const openNotices = async (page: Page): Promise<void> => {
  await page.getByTestId('user').click()
  await page.getByRole('button', { name: say()('notices.settings.open') }).click()
  await expect(page.getByRole('dialog', { name: say()('notices.settings.title') })).toBeVisible()
}

const openLog = async (page: Page): Promise<void> => {
  await page.locator('[data-lane=member1] [data-pod]').first().click()
  await expect(page.getByRole('dialog').locator('[data-line]').first()).toBeVisible()
}

/** Each part is a test of its own, so that they run side by side. */
const CALM: Readonly<Record<string, readonly Visit[]>> = {
  'of the fleet and its workloads': [
    { path: '/overview' },
    { path: '/overview?as=table' },
    { path: '/overview?drill=1' },
    { path: '/fleet?view=table' },
    { path: '/fleet?view=heat' },
    { path: '/fleet?sel=apps~v1/Deployment/shop/web&plan=rebalance&way=waves' },
    { path: '/workloads' },
    { path: WEB },
    { path: `${WEB}&view=pods` },
    { path: `${WEB}&tab=evictions` },
    { path: WEB, open: openLog },
  ],
  'of clusters, plans and policies': [
    { path: '/rebalancers' },
    { path: '/rebalancers/new?left=member1' },
    { path: '/clusters' },
    { path: '/clusters?cluster=member1' },
    { path: '/clusters/detail?name=member1' },
    { path: '/clusters/what-if' },
    { path: '/clusters/what-if?cluster=member1' },
    { path: '/rehearsals' },
    { path: '/rehearsals/run?id=nothing' },
    { path: '/policies' },
    { path: '/policies/detail?id=shop/search' },
    { path: '/policies/detail?id=shop/search&view=lab' },
  ],
  'of queues, failovers and the control plane': [
    { path: '/control-plane' },
    { path: '/control-plane', open: openNotices },
    { path: '/activity' },
    { path: '/api-reference' },
    { path: '/spread' },
    { path: '/spread?id=shop/delivery-pools' },
    { path: '/queues' },
    { path: '/queues?view=lanes' },
    { path: '/queues?do=new' },
    { path: LINE },
    { path: `${LINE}&do=hold` },
    { path: `${LINE}&do=resume` },
    { path: `${LINE}&do=edit` },
    { path: '/failover' },
    { path: '/failover?action=drain&in=member1' },
    { path: '/no-such-page' },
  ],
}

const MOVING: readonly Visit[] = [
  { path: '/overview' },
  { path: '/fleet?view=table' },
  { path: '/fleet?view=heat&only=exceptions' },
  { path: '/failover' },
  { path: '/failover?show=history' },
  { path: '/failover/incident?cluster=member1' },
  { path: '/failover/incident?cluster=member1&view=table' },
  { path: '/clusters/detail?name=member1' },
  { path: '/rebalancers' },
  { path: '/rebalancers/plan?name=home' },
  { path: '/rebalancers/plan?name=home&flow=table' },
]

async function visit(page: Page, url: string, { path, open }: Visit): Promise<void> {
  await page.goto(`${url}${path}`)
  await expect(page.locator('main, h1').first()).toBeVisible()
  await expect(page.getByTestId('skeleton')).toHaveCount(0, WAIT)
  await expect(page.locator('[data-freshness=Connecting]')).toHaveCount(0, WAIT)
  await open?.(page)
}

async function expectNoObstacles(page: Page, url: string, visits: readonly Visit[]): Promise<void> {
  for (const one of visits) {
    await test.step(one.path, async () => {
      await visit(page, url, one)
      each(await obstacles(page), one.path).toEqual([])
    })
  }
}

test.describe('on the demonstration', () => {
  test.use({ flags: [] })

  for (const [pages, visits] of Object.entries(CALM))
    test(`the pages ${pages} are accessible`, async ({ page, product, fleet, kubectl }) => {
      test.setTimeout(WITHIN_MS)
      await fleet.open()
      await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })
      await kubectl.apply(
        queue(
          'shop',
          'line',
          '{ quota: { hard: { cpu: "1" } }, priorityClasses: [{ name: urgent, value: 1 }], hold: { reason: stock-taking } }',
        ),
      )
      await kubectl.apply(queued({ namespace: 'shop', name: 'waiter' }))
      const spread = new SpreadPages(page, product.url)
      await spread.follow('shop/delivery-pools')
      for (const cluster of ['member1', 'member2']) await spread.expectPods(cluster, { reserved: 2, spot: 1 })

      await expectNoObstacles(page, product.url, visits)
    })

  test('the arrows lead to every mark of the pictures', async ({ page, product, fleet }) => {
    await fleet.open()
    await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })
    await visit(page, product.url, { path: '/overview' })
    await expect(page.locator('a[data-block]').first()).toBeVisible(WAIT)
    await expectRoving(page, page.getByTestId('cluster-tile'))
    await expectRoving(page, page.locator('a[data-block]'))
    await visit(page, product.url, { path: '/clusters/detail?name=member1' })
    await expectRoving(page, page.getByTestId('node'))
  })

  test('a rebalance can be planned with the keyboard alone', async ({ page, fleet }) => {
    await fleet.open()
    await fleet.expectDistribution('ledger', { member1: 3 })
    await fleet.row('ledger').getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await expect(fleet.row('ledger').getByRole('checkbox')).toBeChecked()
    await page.keyboard.press('p')
    const drawer = page.getByRole('dialog', { name: say()('plan.drawer.titleOne', { workload: 'ledger' }) })
    await expect(drawer).toContainText(say()('rebalance.stays.AlreadyBest'))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })
})

test.describe('with a cluster down', () => {
  test.use({
    flags: [
      '--no-demo',
      '--no-execute-after=1s',
      '--cluster-status-update-frequency=1s',
      '--cluster-success-threshold=2s',
      '--cluster-failure-threshold=2s',
    ],
  })

  test('pages during a failover and a plan are accessible', async ({ page, product, kubectl }) => {
    test.setTimeout(WITHIN_MS)
    const names = ['api', 'cart', 'web']
    await startMembers(kubectl, 'member1', 'member2', 'member3')
    const tolerating = dynamicWeight.replace(
      '{',
      '{ clusterTolerations: [{ key: cluster.karmada.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 1 }],',
    )
    await kubectl.apply(names.map((name) => workload({ name, replicas: 6, placement: tolerating })).join(''))
    for (const name of names)
      await kubectl.run(['wait', `deployment/${name}`, '--for=jsonpath={.status.readyReplicas}=6', '--timeout=60s'])
    // Moves stay in progress.
    await kubectl.run(['annotate', 'clusters', 'member2', 'member3', 'sim.evenkeel.io/ready-after=60m', '--overwrite'])
    await kubectl.takeDown('member1')

    await test.step('the arrows lead to every replica in flight', async () => {
      await visit(page, product.url, { path: '/overview' })
      await expect(page.locator('a[data-arc]')).toHaveCount(2, WAIT)
      await expectRoving(page, page.locator('a[data-arc]'))
      await expect(page.getByTestId('lit')).toContainText('member1')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/failover\/incident\?cluster=member1/)
      await expect(page.getByTestId('lane-failed')).toBeVisible(WAIT)
      await expectRoving(page, page.getByTestId('swimlanes').locator('[data-cluster] a'))
    })
    await test.step('and to every ribbon of a plan', async () => {
      // It was never in member1, so that nothing prevents the move.
      await kubectl.apply(workload({ name: 'late', replicas: 6, placement: dynamicWeight }))
      await expect.poll(() => scheduledTo(kubectl, 'late-deployment'), WAIT).toEqual({ member2: 3, member3: 3 })
      await kubectl.bringBack('member1')
      await waitForCluster(kubectl, 'member1', true)
      const taints = () => kubectl.run(['get', 'cluster', 'member1', '-o', 'jsonpath={.spec.taints}'])
      await expect.poll(taints, WAIT).toBe('')
      await kubectl.apply(
        'apiVersion: evenkeel.io/v1alpha1\nkind: RebalancePlan\nmetadata: { name: home }\nspec: { selection: { namespaces: [default] } }\n',
      )
      await kubectl.run(['wait', 'rbp/home', '--for=jsonpath={.status.phase}=AwaitingApproval', '--timeout=60s'])
      await visit(page, product.url, { path: '/rebalancers/plan?name=home' })
      await expect(page.getByTestId('flow-ribbon').first()).toBeVisible(WAIT)
      await expectRoving(page, page.getByTestId('flow-ribbon'))
    })
    await expectNoObstacles(page, product.url, MOVING)
  })
})
