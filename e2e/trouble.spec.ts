/** Pages during faults: the last known data, its age, the cause, and that no action is needed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { type Message, message } from '@/lib/messages'
import { FaultyProxy } from '@/server/testing/faulty-proxy'
import { LoginPage } from './pages/login'
import { member } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { type Product, startProduct } from './support/product'
import { say } from './support/say'

const WAIT = { timeout: 60_000 }

interface Config {
  clusters: { cluster: { server: string; 'certificate-authority-data'?: string } }[]
}

/** The API server of the product behind a faulty proxy, and a console that connects through it. */
async function behindProxy(
  { kubeconfig, dataDir }: Product,
  config: Config,
): Promise<{ proxy: FaultyProxy; url: string }> {
  const { server, 'certificate-authority-data': ca = '' } = config.clusters[0]!.cluster
  const proxy = await new FaultyProxy(server, Buffer.from(ca, 'base64').toString()).start()
  const through = join(dataDir, 'kubeconfig-through-proxy')
  writeFileSync(through, readFileSync(kubeconfig, 'utf8').replaceAll(server, proxy.url))
  return { proxy, url: (await startProduct({ flags: [`--kubeconfig=${through}`] })).url }
}

const says = (page: Page, word: string) =>
  expect(page.locator('[data-freshness]')).toHaveAttribute('data-freshness', word, WAIT)
const line = (page: Page) => page.getByTestId('stale-banner')
const nameOf = (page: Page, cluster: string) => page.getByRole('link', { name: cluster }).first()

test.describe('an API server that', () => {
  test.use({ flags: ['--no-demo', '--only=apiserver'] })

  const words = 'User "console" at 10.1.2.3 is not welcome'
  const TROUBLES: [name: string, begin: (proxy: FaultyProxy) => void, reason: Message][] = [
    [
      '401',
      (proxy) => proxy.refuse({ code: 401, reason: 'Unauthorized', message: words }),
      message('api.stale.credentials'),
    ],
    [
      '403',
      (proxy) => proxy.refuse({ code: 403, reason: 'Forbidden', message: words }),
      message('api.stale.permissions'),
    ],
    ['410', (proxy) => proxy.refuse({ code: 410, reason: 'Expired', message: words }), message('api.stale.expired')],
    [
      '429',
      (proxy) => proxy.refuse({ code: 429, reason: 'TooManyRequests', message: words, retryAfterSeconds: 1 }),
      message('api.stale.busy'),
    ],
    [
      '500',
      (proxy) => proxy.refuse({ code: 500, reason: 'InternalError', message: words }),
      message('api.stale.failed', { code: '500' }),
    ],
    ['the page of a proxy', (proxy) => proxy.sendGarbage(`<html>${words}</html>`), message('api.stale.nonsense')],
  ]

  test('answers 401, 403, 410, 429, 500 or nonsense leaves the page as it was, with the reason at its foot', async ({
    product,
    kubectl,
    page,
  }) => {
    test.slow()
    const { proxy, url } = await behindProxy(product, await kubectl.json<Config>(['config', 'view', '--raw']))
    await kubectl.apply(member('member1'))
    await page.goto(`${url}/clusters`)
    await expect(nameOf(page, 'member1')).toBeVisible()
    for (const [name, begin, reason] of TROUBLES) {
      await test.step(name, async () => {
        await says(page, 'Live')
        begin(proxy)
        await says(page, 'Stale')
        await expect(line(page)).toContainText(say().of(reason), WAIT)
        await expect(line(page)).toContainText(/\d\d:\d\d:\d\d UTC/)
        await expect(line(page)).toContainText(say()('shell.freshness.retrying'))
        await expect(page.locator('body')).not.toContainText('10.1.2.3')
        await expect(nameOf(page, 'member1')).toBeVisible()
        proxy.behave()
        await says(page, 'Live')
        await expect(line(page)).toHaveCount(0)
      })
    }
    await test.step('and a new visitor sees the same', async () => {
      proxy.refuse({ code: 403, reason: 'Forbidden', message: words })
      await says(page, 'Stale')
      await page.reload()
      await expect(nameOf(page, 'member1')).toBeVisible()
      await expect(line(page)).toContainText(say()('api.stale.permissions'), WAIT)
      proxy.behave()
    })
    await kubectl.apply(member('member2'))
    await expect(nameOf(page, 'member2')).toBeVisible(WAIT)
    await says(page, 'Live')
    await proxy.stop()
  })
})

test('a console that hangs is called offline soon, and the page continues where it was', async ({
  product,
  kubectl,
  page,
}) => {
  await kubectl.apply(member('member1'))
  await page.goto(`${product.url}/clusters`)
  await expect(nameOf(page, 'member1')).toBeVisible()
  await says(page, 'Live')
  try {
    process.kill(product.pid, 'SIGSTOP')
    await expect(page.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'Offline', { timeout: 25_000 })
    await expect(line(page)).toContainText(/\d\d:\d\d:\d\d UTC/)
    await expect(nameOf(page, 'member1')).toBeVisible()
  } finally {
    process.kill(product.pid, 'SIGCONT')
  }
  await says(page, 'Live')
  await kubectl.apply(member('member2'))
  await expect(nameOf(page, 'member2')).toBeVisible()
})

const PROXY_FOR_SHOP = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: proxies }
rules: [{ apiGroups: [cluster.karmada.io], resources: [clusters/proxy], verbs: [get] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: proxies }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: proxies }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: shop }]
`

test.describe('rights that are taken away in the middle', () => {
  test.use({ flags: ['--login=required'] })

  test('empty the open page with a sentence, and fill it again when they return', async ({
    product,
    kubectl,
    page,
  }) => {
    await page.goto(`${product.url}/workloads`)
    await new LoginPage(page).logIn(readFileSync(join(product.dataDir, 'shop-admin-token'), 'utf8').trim())
    await says(page, 'Live')
    const row = page.getByText('checkout', { exact: true }).first()
    await expect(row).toBeVisible(WAIT)
    await test.step('pods are read in a member where they have rights, through the proxy', async () => {
      await kubectl.apply(PROXY_FOR_SHOP)
      await kubectl.inMember('member2', [
        'create',
        'rolebinding',
        'shop',
        '--clusterrole=view',
        '--group=shop',
        '-n',
        'shop',
      ])
      await page.goto(`${product.url}/workloads/detail?id=apps~v1%2FDeployment%2Fshop%2Fcheckout&view=pods`)
      await expect(page.getByTestId('pod-row')).toHaveCount(2, WAIT)
      await expect(page.getByTestId('member-problem')).toHaveCount(2)
      await page.goto(`${product.url}/workloads`)
      await says(page, 'Live')
    })
    const binding = await kubectl.run(['get', 'rolebinding', 'shop-admins', '-n', 'shop', '-o', 'yaml'])
    await kubectl.run(['delete', 'rolebinding', 'shop-admins', '-n', 'shop'])
    await expect(row).toHaveCount(0, WAIT)
    await expect(page.locator('main')).toContainText(/may not list resourcebindings/, WAIT)
    await test.step('a new policy is offered for a namespace of their own that has none yet', async () => {
      const bind = (namespace: string, role: string) =>
        kubectl.run(['create', 'rolebinding', 'of-shop', `--clusterrole=${role}`, '--group=shop', '-n', namespace])
      const open = { name: say()('policies.new.open') }
      await bind('lab', 'view')
      await page.goto(`${product.url}/policies`)
      await expect(page.locator('[data-policy="lab/everything"]')).toBeVisible(WAIT)
      await expect(page.getByRole('button', open)).toHaveAttribute('aria-disabled', 'true', WAIT)
      await kubectl.run(['create', 'namespace', 'fresh'])
      await bind('fresh', 'admin')
      // Also enabled while the state is unknown: only the request matters.
      const isAsked = (asked: Request) =>
        asked.url().endsWith('/access') && (asked.postData() ?? '').includes('"fresh"')
      await expect(() =>
        Promise.all([page.waitForResponse((it) => isAsked(it.request()), { timeout: 5_000 }), page.reload()]),
      ).toPass(WAIT)
      await expect(page.getByRole('link', open)).toBeVisible(WAIT)
      await page.goto(`${product.url}/workloads`)
      await says(page, 'Live')
    })
    await kubectl.apply(binding.replaceAll(/^ {2}(resourceVersion|uid|creationTimestamp): .*\n/gm, ''))
    await expect(row).toBeVisible(WAIT)
    await says(page, 'Live')
  })
})
