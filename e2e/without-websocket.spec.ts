/** A proxy on the way that lets no websocket through. */
import { member } from './scenarios/members'
import { waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'

test('the page is live over polling where no websocket gets through', async ({ product, kubectl, page }) => {
  await page.routeWebSocket(/\/live\//, (socket) => socket.close({ code: 1011, reason: 'no websockets here' }))
  const polls: string[] = []
  page.on('request', (request) => { if (request.url().includes('transport=polling')) polls.push(request.url()) })
  await page.goto(`${product.url}/clusters`)
  await expect(page.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'Live')
  await kubectl.apply(member('member1'))
  await waitForCluster(kubectl, 'member1', true)
  await expect(page.getByRole('link', { name: 'member1' }).first()).toBeVisible()
  expect(polls.length).toBeGreaterThan(0)
})
