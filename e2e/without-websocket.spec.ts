/** A proxy on the way that lets no websocket through. */
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'

test('the page is live by polling if websockets are blocked', async ({ product, kubectl, page }) => {
  // Every websocket of the page goes to a closed port and fails as behind such a proxy.
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      constructor() {
        super('ws://127.0.0.1:9/')
      }
    }
  })
  const polls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('transport=polling')) polls.push(request.url())
  })
  await page.goto(`${product.url}/clusters`)
  await expect(page.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'Live')
  await startMembers(kubectl, 'member1')
  await expect(page.getByRole('link', { name: 'member1' }).first()).toBeVisible()
  expect(polls.length).toBeGreaterThan(0)
})
