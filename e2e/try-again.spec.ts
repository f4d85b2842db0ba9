/** "Try again" is shown only where a retry can help. */
import type { Page, Route } from '@playwright/test'
import { dynamicWeight, workload } from './scenarios/members'
import { expectPlaced } from './support/binding'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'

/** Responses of a server or a proxy before it; `0`: none. */
const PASSING = [0, 408, 409, 425, 429, 500, 502, 503, 504] as const
const LASTING = [400, 403, 404, 413, 422] as const

const answer = (status: number) => (route: Route) =>
  status === 0
    ? route.abort('connectionrefused')
    : route.fulfill({
        status,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Problem',
          status,
          reason: 'Test',
          detail: `Code ${status}`,
        }),
      })

const tryAgain = (page: Page) => page.getByRole('main').getByRole('button', { name: say()('common.tryAgain') })

test('a list and a preview that failed offer another try after 0, 408, 409, 425, 429 and 5xx only', async ({
  product,
  kubectl,
  page,
}) => {
  await startMembers(kubectl, 'member1')
  await kubectl.apply(workload({ name: 'web', replicas: 1, placement: dynamicWeight }))
  await expectPlaced(kubectl, 'web', { member1: 1 })

  for (const status of [...PASSING, ...LASTING]) {
    await test.step(`activity, ${status}`, async () => {
      await page.route('**/api/v1/activity*', answer(status))
      await page.goto(`${product.url}/activity`)
      await expect(page.getByText(say()('activity.unavailable'))).toBeVisible()
      if (LASTING.some((one) => one === status)) await expect(tryAgain(page)).toHaveCount(0)
      else await expect(tryAgain(page)).toBeVisible()
      await page.unroute('**/api/v1/activity*')
    })
  }

  await test.step('another try brings the list', async () => {
    await page.route('**/api/v1/activity*', answer(503))
    await page.goto(`${product.url}/activity`)
    await expect(tryAgain(page)).toBeVisible()
    await page.unroute('**/api/v1/activity*')
    await tryAgain(page).click()
    await expect(page.getByText(say()('activity.none'))).toBeVisible()
  })

  await test.step('the preview of a rebalance', async () => {
    const drawer = page.getByRole('dialog')
    for (const [status, count] of [
      [503, 1],
      [422, 0],
    ] as const) {
      await page.route('**/api/v1/rebalance-previews*', answer(status))
      await page.goto(`${product.url}/fleet?plan=rebalance&sel=apps~v1/Deployment/default/web`)
      await expect(drawer.getByRole('alert')).toContainText(`Code ${status}`)
      await expect(drawer.getByRole('button', { name: say()('common.tryAgain') })).toHaveCount(count)
      await page.unroute('**/api/v1/rebalance-previews*')
    }
  })
})
