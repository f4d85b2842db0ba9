/** Two tenants and an operator, each at a browser of their own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { LoginPage } from './pages/login'
import { QueuePages } from './pages/queues'
import { queue, queued } from './scenarios/queues'
import { scheduledTo } from './support/binding'
import { expect, test } from './support/fixtures'
import type { Kubectl } from './support/kubectl'
import { say } from './support/say'
import { overhear } from './support/overheard'
import type { Product } from './support/product'

const WAIT = { timeout: 60_000 }

interface Person {
  page: Page
  queues: QueuePages
  /** All data sent to this user's browser. */
  heard: () => Promise<string>
}

async function seat(
  browser: Browser,
  { url, dataDir }: Product,
  user: 'admin' | 'lab-admin' | 'shop-admin',
): Promise<Person> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const heard = overhear(page)
  await page.goto(`${url}/queues`)
  await new LoginPage(page).logIn(readFileSync(join(dataDir, `${user}-token`), 'utf8').trim())
  await expect(page.locator('[data-freshness=Live]')).toBeVisible(WAIT)
  return { page, queues: new QueuePages(page, url), heard }
}

const as = (kubectl: Kubectl, user: string, manifest: string) =>
  kubectl.run(['--context', user, 'apply', '-f', '-'], manifest)

async function hold({ page, queues }: Person, id: string, reason: string): Promise<void> {
  await queues.open(id)
  await queues.hold(id, reason)
  await queues.expectHoldState('effective')
  await expect(page.getByTestId('hold-panel')).toContainText(reason)
}

test.use({ flags: ['--login=required'] })

test('two tenant admins hold and resume their own queues without data of each other; the operator sees both', async ({
  browser,
  kubectl,
  product,
}) => {
  // While the fleet starts on a busy machine, admission may exceed its timeout of three seconds.
  await expect(() => kubectl.apply(queue('shop', 'shop-secret-line', '{ quota: { hard: { cpu: "64" } } }'))).toPass(
    WAIT,
  )
  const lab = await seat(browser, product, 'lab-admin')
  const shop = await seat(browser, product, 'shop-admin')
  const operator = await seat(browser, product, 'admin')

  await test.step('each tenant sees one queue, the operator all', async () => {
    await expect(lab.page.getByTestId('queue-row')).toHaveCount(1, WAIT)
    await expect(lab.queues.row('lab/lab')).toBeVisible()
    await expect(shop.page.getByTestId('queue-row')).toHaveCount(1, WAIT)
    await expect(shop.queues.row('shop/shop-secret-line')).toBeVisible()
    await expect(operator.page.getByTestId('queue-row')).toHaveCount(2, WAIT)
  })

  await test.step('each holds the own one, with a reason', async () => {
    await hold(lab, 'lab/lab', 'lab-secret-reason')
    await hold(shop, 'shop/shop-secret-line', 'shop-secret-reason')
  })

  await test.step('refused actions are disabled, with the reason', async () => {
    const remove = lab.page.getByRole('button', { name: say()('queues.delete.openShort') })
    await expect(remove).toHaveAttribute('aria-disabled', 'true', WAIT)
    await expect(remove).toHaveAccessibleDescription(/delete/)
  })

  await test.step('a new workload is pending, with the reason', async () => {
    await as(kubectl, 'lab-admin', queued({ namespace: 'lab', name: 'lab-secret-job', cpu: '100m' }))
    await as(kubectl, 'shop-admin', queued({ namespace: 'shop', name: 'shop-secret-job', cpu: '100m' }))
    await expect(lab.queues.pending('lab', 'lab-secret-job')).toContainText('lab-secret-reason', WAIT)
    await expect(shop.queues.pending('shop', 'shop-secret-job')).toContainText('shop-secret-reason', WAIT)
  })

  await test.step('the operator resumes one, and the other one stays', async () => {
    await operator.queues.open('lab/lab')
    await operator.queues.resume('lab/lab')
    await expect(lab.page.getByTestId('last-hold')).toContainText('lab-secret-reason', WAIT)
    await expect(lab.queues.pending('lab', 'lab-secret-job')).toBeHidden(WAIT)
    await expect.poll(() => scheduledTo(kubectl, 'lab-secret-job-deployment', 'lab'), WAIT).not.toEqual({})
    await shop.queues.expectHoldState('effective')
    await expect(shop.queues.pending('shop', 'shop-secret-job')).toBeVisible()
  })

  await test.step('no response and no frame has ever named the other tenant', async () => {
    for (const person of [lab, shop]) {
      for (const path of ['/fleet', '/workloads', '/queues', '/failover', '/activity']) {
        await person.page.goto(`${product.url}${path}`)
        await expect(person.page.locator('[data-freshness=Live]')).toBeVisible(WAIT)
      }
    }
    const [atLab, atShop, atOperator] = await Promise.all([lab.heard(), shop.heard(), operator.heard()])
    expect(atLab).toContain('lab-secret-job')
    expect(atShop).toContain('shop-secret-job')
    expect(atOperator).toContain('lab-secret-reason')
    expect(atOperator).toContain('shop-secret-reason')
    expect(atLab.match(/.{0,80}shop-secret.{0,40}|.{0,80}"shop".{0,40}/)?.[0]).toBeUndefined()
    expect(atShop.match(/.{0,80}lab-secret.{0,40}|.{0,80}"lab".{0,40}/)?.[0]).toBeUndefined()
  })

  await test.step('a user who knows the name of the other queue is refused, too', async () => {
    for (const [person, other] of [
      [lab, 'shop/shop-secret-line'],
      [shop, 'lab/lab'],
    ] as const) {
      const [namespace, name] = other.split('/')
      const answer = await person.page
        .context()
        .request.post(`${product.url}/api/v1/queues/${namespace}/${name}/resume`, {
          data: {},
          headers: {
            origin: product.url,
            'content-type': 'application/json',
            'idempotency-key': `not-mine-${namespace}`,
          },
        })
      expect(answer.status()).toBe(403)
    }
    await shop.queues.open('shop/shop-secret-line')
    await shop.queues.expectHoldState('effective')
  })
})
