import { AxeBuilder } from '@axe-core/playwright'
import { queue, queued } from './scenarios/queues'
import { expect, test } from './support/fixtures'

test.use({ flags: [] })

const pages = ['/fleet', '/workloads', '/workloads/detail?id=apps~v1%2FDeployment%2Fshop%2Fweb', '/rebalancers', '/rebalancers/new?left=member1', '/rebalancers/plan?name=look', '/clusters', '/clusters?cluster=member1', '/clusters/what-if?cluster=member1', '/control-plane', '/activity', '/spread', '/spread?id=shop/pools', '/queues', '/queues?do=new', '/queues/detail?queue=shop/line', '/queues/detail?queue=shop/line&do=hold', '/queues/detail?queue=shop/line&do=resume', '/queues/detail?queue=shop/line&do=edit', '/failover', '/failover?show=history', '/failover?act=drain&in=member1', '/workloads/detail?id=apps~v1%2FDeployment%2Fshop%2Fweb&tab=evictions']

const spread = `
apiVersion: apps.kruise.io/v1beta1
kind: WorkloadSpread
metadata: { name: pools, namespace: shop }
spec:
  targetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  subsets: [{ name: spot, maxReplicas: 60% }, { name: ondemand, maxReplicas: 40% }]
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: pools, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: apps.kruise.io/v1beta1, kind: WorkloadSpread, name: pools }]
  placement: { clusterAffinity: {} }
`

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page is free of serious accessibility findings, ${colorScheme}`, async ({ page, product, fleet, kubectl }) => {
    // Some seconds a page, and there are many.
    test.slow()
    await fleet.open()
    await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })
    await kubectl.apply('apiVersion: evenkeel.io/v1alpha1\nkind: RebalancePlan\nmetadata: { name: look }\nspec: { selection: { namespaces: [shop] } }\n')
    await kubectl.apply(spread)
    await kubectl.apply(queue('shop', 'line', '{ quota: { hard: { cpu: "1" } }, priorityClasses: [{ name: urgent, value: 1 }], hold: { reason: stock-taking } }'))
    await kubectl.apply(queued({ namespace: 'shop', name: 'waiter' }))
    await page.emulateMedia({ colorScheme })
    for (const path of pages) {
      await page.goto(`${product.url}${path}`)
      await expect(page.getByText(/^Live/).first()).toBeVisible()
      const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze()
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(serious.map(({ id, nodes }) => `${path}: ${id} at ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
    }
  })
}

test('a rebalance can be planned with the keyboard alone', async ({ page, fleet }) => {
  await fleet.open()
  await fleet.expectDistribution('ledger', { member1: 3 })
  await fleet.row('ledger').getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await expect(fleet.row('ledger').getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('p')
  await expect(page.getByRole('dialog', { name: 'Plan: rebalance ledger' })).toContainText('already has')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})
