import { english } from '@/lib/messages/english'
import { findings } from './support/axe'
import { CORE, expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'

const json = { 'content-type': 'application/json' }

test(
  'an action of a script is recorded, shown on the object, and live on the Activity page',
  { tag: CORE },
  async ({ kubectl, page, product }) => {
    await startMembers(kubectl, 'member1')
    const post = (path: string, data: object, headers: Record<string, string> = {}) =>
      page.request.post(`${product.url}/api/v1/${path}`, { data, headers: { ...json, ...headers } })
    await page.goto(`${product.url}/activity`)
    await expect(page.getByText(say()('activity.none'))).toBeVisible()

    const order = { action: 'drain', cluster: 'member1' }
    await test.step('an action under one key is done once', async () => {
      const { base } = (await (await post('failover-previews', order)).json()) as { base: string }
      const first = await post(
        'failover-actions',
        { order, base },
        { 'idempotency-key': 'drain-once', 'x-request-id': 'request-of-a-script' },
      )
      const again = await post('failover-actions', { order, base }, { 'idempotency-key': 'drain-once' })
      expect([first.status(), again.status(), again.headers()['idempotency-replayed']]).toEqual([200, 200, 'true'])
      const other = await post(
        'failover-actions',
        { order: { action: 'undrain', cluster: 'member1' }, base },
        { 'idempotency-key': 'drain-once' },
      )
      expect([other.status(), await other.json()]).toEqual([
        422,
        expect.objectContaining({ reason: 'IdempotencyKeyReused' }),
      ])
      expect(other.headers()['content-type']).toBe('application/problem+json')
    })

    await test.step('it appears on the page automatically, with its changes', async () => {
      const row = page
        .getByTestId('activity-row')
        .filter({ hasText: say()('failover.action.drain', { cluster: 'member1' }) })
      await expect(row).toBeVisible()
      await expect(page.getByTestId('activity-row')).toHaveCount(2)
      await expect(
        page.getByTestId('activity-row').filter({ hasText: say()('activity.result.refused') }),
      ).toContainText(english('api.refused.keyReused'))
      await row.getByRole('link', { name: say()('failover.action.drain', { cluster: 'member1' }) }).click()
      await expect(page).toHaveURL(/entry=/)
      const drawer = page.getByRole('dialog', { name: say()('failover.action.drain', { cluster: 'member1' }) })
      await expect(drawer).toContainText('request-of-a-script')
      await expect(drawer.getByTestId('change-row')).toContainText('evenkeel.io/drained')
      await drawer.getByRole('link', { name: 'Cluster/member1' }).click()
      await expect(page).toHaveURL(/\/clusters\?cluster=member1/)
      await page.goBack()
    })

    await test.step('the filter is in the address and applied by the server', async () => {
      await page.goto(`${product.url}/activity?result=refused&q=since%3D1h`)
      await expect(page.getByTestId('activity-row')).toHaveCount(1)
      await page
        .getByRole('navigation', { name: say()('activity.byResult') })
        .getByRole('link', { name: say()('activity.result.refused') })
        .click()
      await expect(page.getByTestId('activity-row')).toHaveCount(2)
      await page.goto(`${product.url}/activity?q=user%3Dnobody-else`)
      await expect(page.getByText(say()('activity.noMatch'))).toBeVisible()
    })

    await test.step('the object has an Event, too', async () => {
      await expect
        .poll(() =>
          kubectl.run([
            'get',
            'events',
            '-n',
            'default',
            '-o',
            'jsonpath={range .items[*]}{.reason} {.involvedObject.name} {.message}{"\\n"}{end}',
          ]),
        )
        .toContain('FailoverByUser member1 Drain member1, requested by admin')
    })
  },
)

test('the API page describes every operation, and how to call it', async ({ page, product }) => {
  await page.goto(`${product.url}/fleet`)
  await page.getByRole('link', { name: 'API' }).click()
  await expect(page.getByRole('heading', { name: 'API', level: 1 })).toBeVisible()
  const document = (await (await page.request.get(`${product.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, object>
  }
  const count = Object.values(document.paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0)
  await expect(page.getByTestId('operation')).toHaveCount(count)

  await page.getByRole('textbox', { name: 'Filter' }).fill('post rebalancers')
  const operation = page.getByTestId('operation')
  await expect(operation).toHaveCount(1)
  await expect(operation).toContainText('curl -X POST')
  await expect(operation).toContainText('Authorization: Bearer $TOKEN')
  expect(await findings(page, { serious: true })).toEqual([])

  await page.goto(`${product.url}/api-reference#problem-planoutdated`)
  await expect(page.locator('[data-reason="PlanOutdated"]')).toBeInViewport()
})
