import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures'

test.use({ flags: [] })

const LONG = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(56)).join('-')

const long = `
apiVersion: v1
kind: Namespace
metadata: { name: long }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${LONG}, namespace: long }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
  placement: { clusterAffinity: {} }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${LONG}, namespace: long, labels: { app: long } }
spec:
  replicas: 1
  selector: { matchLabels: { app: long } }
  template:
    metadata: { labels: { app: long } }
    spec: { containers: [{ name: app, image: "nginx:1.27" }] }
---
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: { name: rebalance }
spec: { workloads: [{ apiVersion: apps/v1, kind: Deployment, name: ${LONG}, namespace: long }] }
`

/** How far the page is wider than its window, in pixels. */
const excess = (page: Page) => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)

test('a name of more than 200 characters leaves the other columns on the page', async ({ page, product, kubectl }) => {
  await kubectl.apply(long)
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const path of ['/workloads', '/rebalancers/detail?name=rebalance', '/clusters/what-if?cluster=member1']) {
    await page.goto(`${product.url}${path}`)
    const name = page.locator('main').getByText(LONG, { exact: true }).first()
    await expect(name).toBeVisible()
    await expect.poll(() => excess(page), { message: path }).toBe(0)
    const cell = page.locator('td', { has: page.getByText(LONG, { exact: true }) }).first()
    const width = () => cell.evaluate((element) => element.getBoundingClientRect().width)
    await expect.poll(width, { message: path }).toBeLessThan(500)
  }
})

test('Back and a reload lead to the rows that one left', async ({ page, product, fleet }) => {
  await fleet.open()
  await page.setViewportSize({ width: 1280, height: 320 })
  await page.goto(`${product.url}/workloads`)
  await expect(page.getByTestId('workload-row').first()).toBeVisible()
  const main = page.locator('main')
  const top = () => main.evaluate((element) => element.scrollTop)
  await main.evaluate((element) => element.scrollTo(0, 60))
  await expect.poll(top).toBe(60)
  const link = page.locator('[data-testid=workload-row][data-workload$="/search"]').getByRole('link').first()
  await link.scrollIntoViewIfNeeded()
  const left = await top()
  expect(left).toBeGreaterThan(0)
  await link.click()
  await expect(page.getByTestId('distribution-row').first()).toBeVisible()
  await page.goBack()
  await expect(page.getByTestId('workload-row').first()).toBeVisible()
  await expect.poll(top).toBe(left)
  await page.reload()
  await expect(page.getByTestId('workload-row').first()).toBeVisible()
  await expect.poll(top).toBe(left)
})
