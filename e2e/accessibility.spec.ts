import { SpreadPages } from './pages/spread'
import { queue, queued } from './scenarios/queues'
import { findingsInBoth } from './support/axe'
import { expect, test } from './support/fixtures'
import { say } from './support/say'

test.use({ flags: [] })

const WEB = '/workloads/detail?id=apps~v1%2FDeployment%2Fshop%2Fweb'
const LINE = '/queues/detail?queue=shop/line'
const pages = [
  '/overview',
  '/overview?as=table',
  '/overview?drill=1',
  '/fleet',
  '/fleet?view=heat',
  '/workloads',
  WEB,
  `${WEB}&tab=evictions`,
  '/rebalancers',
  '/rebalancers/new?left=member1',
  '/rebalancers/plan?name=look',
  '/clusters',
  '/clusters?cluster=member1',
  '/clusters/what-if?cluster=member1',
  '/control-plane',
  '/activity',
  '/spread',
  '/spread?id=shop/delivery-pools',
  '/queues',
  '/queues?do=new',
  LINE,
  `${LINE}&do=hold`,
  `${LINE}&do=resume`,
  `${LINE}&do=edit`,
  '/failover',
  '/failover?show=history',
  '/failover?action=drain&in=member1',
]

test('every page is free of serious accessibility findings, light and dark', async ({
  page,
  product,
  fleet,
  kubectl,
}) => {
  // Some seconds a page, and there are many.
  test.slow()
  await fleet.open()
  await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })
  await kubectl.apply(
    'apiVersion: evenkeel.io/v1alpha1\nkind: RebalancePlan\nmetadata: { name: look }\nspec: { selection: { namespaces: [shop] } }\n',
  )
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
  for (const path of pages) {
    await test.step(path, async () => {
      await page.goto(`${product.url}${path}`)
      await expect(page.locator('[data-freshness=Live]')).toBeVisible()
      await expect(page.getByTestId('skeleton')).toHaveCount(0)
      expect(await findingsInBoth(page, { serious: true }), path).toEqual([])
    })
  }
})

test('a rebalance can be planned with the keyboard alone', async ({ page, fleet }) => {
  await fleet.open()
  await fleet.expectDistribution('ledger', { member1: 3 })
  await fleet.row('ledger').getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await expect(fleet.row('ledger').getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('p')
  await expect(page.getByRole('dialog', { name: say()('plan.drawer.titleOne', { workload: 'ledger' }) })).toContainText(
    say()('rebalance.stays.AlreadyBest'),
  )
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})
