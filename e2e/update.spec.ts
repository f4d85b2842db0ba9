/** A page that stays open while the server is updated. */
import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'

/** Opens the page as an earlier build had it: the browser reads another name of its build. */
async function openEarlierBuild(page: Page, address: string): Promise<void> {
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      const build = /data-build="([^"]+)"/.exec(text)?.[1]
      if (build === undefined) throw new Error('the page does not name its build')
      await route.fulfill({ response, body: text.replaceAll(build, 'earlier') })
    },
    { times: 1 },
  )
  await page.goto(address)
  await expect(root(page)).toHaveAttribute('data-build', 'earlier')
}

const banner = (page: Page) => page.getByTestId('update-banner')
const root = (page: Page) => page.locator('html')

test('an open page says that the server was updated, and is current after a reload', async ({ page, product }) => {
  const address = `${product.url}/overview`
  await page.goto(address)
  await expect(page.locator('[data-freshness=Live]')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
  const present = (await root(page).getAttribute('data-build')) ?? 'none'

  await openEarlierBuild(page, address)
  await expect(banner(page)).toContainText(say()('shell.update'))
  await banner(page)
    .getByRole('button', { name: say()('shell.update.reload') })
    .click()
  await expect(root(page)).toHaveAttribute('data-build', present)
  await expect(page.locator('[data-freshness=Live]')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
})

test('an outdated page reloads where it needs code that is gone, and shows what was asked for', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1')
  const order = { action: 'drain', cluster: 'member1' }
  const preview = await page.request.post(`${product.url}/api/v1/failover-previews`, { data: order })
  const { base } = (await preview.json()) as { base: string }
  await page.request.post(`${product.url}/api/v1/failover-actions`, { data: { order, base } })

  await openEarlierBuild(page, `${product.url}/activity`)
  await expect(banner(page)).toBeVisible()
  let documents = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1
  })
  await page.route('**/_next/static/chunks/**', (route) =>
    documents === 0 ? route.fulfill({ status: 404, body: 'not found' }) : route.continue(),
  )
  // The drain is refused if the cluster has changed since its preview; it is recorded either way.
  const entry = page.getByTestId('activity-row').locator('a[href*="entry="]')
  const name = await entry.innerText()
  await entry.click()
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  await expect(root(page)).not.toHaveAttribute('data-build', 'earlier')
  expect(documents).toBe(1)
  await expect(banner(page)).toHaveCount(0)
})
