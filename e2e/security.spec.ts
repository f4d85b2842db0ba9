import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import type { Page } from '@playwright/test'
import { LoginPage } from './pages/login'
import { say } from './support/say'
import { expect, test } from './support/fixtures'

test.use({ flags: ['--log-level=debug'] })

/** Every page that there is, and what shows other things by its address. */
const PAGES = [
  ...readdirSync('app', { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'page.tsx')
    .map(({ parentPath }) => `/${relative('app', parentPath).replace(/\(\w+\)\/?/g, '')}`)
    .filter((path) => path !== '/'),
  '/workloads/detail?id=apps~v1%2FDeployment%2Fshop%2Fweb',
  '/workloads/detail?id=apps~v1%2FDeployment%2Fshop%2Fweb&tab=evictions',
  '/fleet?q=web',
  '/rebalancers/new?left=member1',
  '/rebalancers/plan?name=none',
  '/rebalancers/detail?name=none',
  '/clusters?cluster=member1',
  '/clusters/what-if?cluster=member1',
  '/failover?show=history',
  '/failover?action=drain&in=member1',
  '/no/such/page',
]

/** Violations of the policy, on any page of this tab from now on. */
async function watchPolicy(page: Page): Promise<string[]> {
  const broken: string[] = []
  await page.exposeFunction('policyBroken', (text: string) => void broken.push(text))
  await page.addInitScript(() => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sourceFile, lineNumber, sample }) => {
        const told = (window as unknown as { policyBroken: (text: string) => Promise<void> }).policyBroken
        void told(`${location.pathname}: ${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber} ${sample}`)
      },
    )
  })
  page.on('console', (message) => {
    if (/Content[ -]Security[ -]Policy|Refused to/i.test(message.text())) broken.push(message.text())
  })
  return broken
}

test('no page breaks its policy, light and dark', async ({ page, product, fleet }) => {
  // Some seconds a page, and there are many.
  test.slow()
  const broken = await watchPolicy(page)
  await fleet.open()
  await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })
  let colorScheme: 'light' | 'dark' = 'light'
  for (const path of PAGES) {
    await page.goto(`${product.url}${path}`)
    await expect(page.locator('main').first()).toBeVisible()
    await expect(page.getByTestId('skeleton')).toHaveCount(0)
    // One page begins in the light and turns dark, the next one the other way.
    colorScheme = colorScheme === 'light' ? 'dark' : 'light'
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
  }
  expect(broken).toEqual([])
})

test('no dialog violates the policy of its page, and injected code does', async ({ page, fleet }) => {
  const broken = await watchPolicy(page)
  await fleet.open()
  await fleet.expectDistribution('ledger', { member1: 3 })
  await fleet.row('ledger').getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await expect(fleet.row('ledger').getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('p')
  const plan = page.getByRole('dialog', { name: say()('plan.drawer.titleOne', { workload: 'ledger' }) })
  await expect(plan).toBeVisible()
  // Dialogs stop the page behind from scrolling by a style sheet of their own: it was applied.
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).overflow)).toBe('hidden')
  await page.keyboard.press('Escape')
  await expect(plan).toBeHidden()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  for (const theme of ['dark', 'light'] as const) {
    await page.getByRole('button', { name: say()('shell.theme') }).click()
    await page.getByRole('menuitemradio', { name: say()(`shell.themes.${theme}`) }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
  }
  expect(broken).toEqual([])

  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<p id="styled" style="color: rgb(1, 2, 3)">x</p><img src="data:," onerror="window.ran = true">',
    )
    const sheet = document.createElement('style')
    sheet.textContent = 'body { outline: 1px solid }'
    document.head.append(sheet)
  })
  await expect.poll(() => broken.filter((text) => text.startsWith('/fleet')).length).toBeGreaterThanOrEqual(3)
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(await page.evaluate(() => getComputedStyle(document.querySelector('#styled') as Element).color)).not.toBe(
    'rgb(1, 2, 3)',
  )
})

test('responses of the server need no exception: every script has the nonce, nothing has a style attribute', async ({
  product,
}) => {
  for (const path of PAGES) {
    const answer = await fetch(`${product.url}${path}`)
    const html = await answer.text()
    const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
    const scripts = html.match(/<script\b[^>]*>/g) ?? []
    expect(scripts.length, path).toBeGreaterThan(3)
    expect(
      scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`)),
      path,
    ).toEqual([])
    expect(html.match(/<[a-z][^>]*\s(style|on[a-z]+)="[^>]*>/g) ?? [], path).toEqual([])
    expect(answer.headers.get('cache-control'), path).toMatch(/no-store/)
    expect(answer.status, path).toBe(path === '/no/such/page' ? 404 : 200)
  }
})

test('files are kept for ever, pages and data never', async ({ page, product }) => {
  const files = new Set<string>()
  page.on('response', (response) => {
    if (response.url().includes('/_next/static/')) files.add(response.url())
  })
  await page.goto(`${product.url}/fleet`)
  await expect(page.locator('[data-freshness=Live]')).toBeVisible()
  expect(files.size).toBeGreaterThan(3)
  for (const url of files) {
    const { headers } = await fetch(url, { method: 'HEAD' })
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  for (const path of ['/fleet', '/api/v1/about', '/api/nothing', '/healthz', '/_next/static/nothing.js']) {
    const { headers } = await fetch(`${product.url}${path}`)
    expect(headers.get('cache-control'), path).toMatch(/no-store/)
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
  }
})

test('another site cannot frame the console, read it, or act through it', async ({ page, product }) => {
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<h1>evil</h1><iframe name="framed" src="${product.url}/fleet"></iframe>`)
  })
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve)
  })
  try {
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    await expect.poll(() => page.frame('framed')?.url()).toMatch(/^chrome-error:/)
    await expect(page.frameLocator('[name=framed]').locator('main')).toHaveCount(0)
    const outcomes = await page.evaluate(async (url) => {
      const attempt = (act: Promise<unknown>): Promise<string> =>
        act.then(
          () => 'done',
          () => 'refused',
        )
      const socket = new Promise((resolve, reject) => {
        const opened = new WebSocket(`${url.replace('http', 'ws')}/live/?EIO=4&transport=websocket`)
        opened.addEventListener('open', resolve)
        opened.addEventListener('error', reject)
      })
      return Promise.all([
        attempt(fetch(`${url}/api/v1/about`)),
        attempt(
          fetch(`${url}/api/v1/rebalancers`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{}',
            credentials: 'include',
          }),
        ),
        attempt(socket),
      ])
    }, product.url)
    expect(outcomes).toEqual(['refused', 'refused', 'refused'])
    const form = await fetch(`${product.url}/api/v1/rebalancers`, {
      method: 'POST',
      headers: { origin: 'http://evil.example', 'content-type': 'text/plain' },
      body: '{}',
    })
    expect(form.status).toBe(403)
  } finally {
    site.closeAllConnections()
    site.close()
  }
})

test('secrets in requests are in no log line, and the browser puts none in an address', async ({ page, product }) => {
  const SECRETS = [
    'q8Zr31kLmNopQrStUv',
    'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl',
    'Fe26.2*1*aabbccddeeff',
  ]
  const [opaque, token, seal] = SECRETS as [string, string, string]
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  page.on('websocket', (socket) => addresses.push(socket.url()))
  await page.goto(`${product.url}/fleet`)
  await expect(page.locator('[data-freshness=Live]')).toBeVisible()
  await page.goto(`${product.url}/clusters?cluster=member1`)
  await expect(page.locator('[data-freshness=Live]')).toBeVisible()
  for (const path of [
    '/api/v1/about',
    '/api/nothing',
    '/fleet',
    '/api/v1/rebalancers',
    '/api/v1/about',
    '/live/?EIO=4&transport=polling',
    '/healthz',
    '/no/such/page',
  ]) {
    for (const method of ['GET', 'POST']) {
      await fetch(`${product.url}${path}${path.includes('?') ? '&' : '?'}token=${opaque}&code=${opaque}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          cookie: `evenkeel=${seal}; other=${opaque}`,
          'content-type': 'application/json',
        },
        ...(method === 'POST' && { body: JSON.stringify({ token: opaque, password: opaque }) }),
      })
    }
  }
  await expect.poll(() => product.output()).toContain('"path":"/no/such/page"')
  for (const secret of SECRETS) expect(product.output()).not.toContain(secret)
  expect(addresses.length).toBeGreaterThan(5)
  expect(addresses.filter((url) => /token|bearer|eyJ|password|authorization|cookie/i.test(url))).toEqual([])
})

test.describe('with login', () => {
  test.use({ flags: ['--log-level=debug', '--login=required'] })

  test('a token leaves the browser once, in a body, and is then in no address, script, storage or log line', async ({
    page,
    product,
  }) => {
    const broken = await watchPolicy(page)
    const token = readFileSync(join(product.dataDir, 'admin-token'), 'utf8').trim()
    const sent: { url: string; body: string | null; headers: Record<string, string> }[] = []
    page.on('request', (request) =>
      sent.push({ url: request.url(), body: request.postData(), headers: request.headers() }),
    )
    page.on('websocket', (socket) => sent.push({ url: socket.url(), body: null, headers: {} }))
    await page.goto(`${product.url}/clusters`)
    await new LoginPage(page).logIn(token)
    await expect(page.locator('[data-freshness=Live]')).toBeVisible()
    for (const path of ['/fleet', '/activity', '/api-reference']) await page.goto(`${product.url}${path}`)
    // Leads on, for who is logged in.
    await page.goto(`${product.url}/login`)
    await expect(page.locator('[data-freshness=Live]')).toBeVisible()
    const cookies = (await page.context().cookies()).filter(({ value }) => value.length > 100)
    expect(cookies).toEqual([
      expect.objectContaining({ httpOnly: true, sameSite: expect.stringMatching(/Strict|Lax/) }),
    ])
    expect(sent.filter(({ body }) => body?.includes(token))).toHaveLength(1)
    for (const { url, headers } of sent) expect(url + JSON.stringify(headers)).not.toContain(token)
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML]),
    )
    for (const secret of [token, cookies[0]?.value ?? '']) {
      expect(secret.length).toBeGreaterThan(20)
      expect(kept).not.toContain(secret)
      expect(product.output()).not.toContain(secret)
    }
    // Output arrives here a little later.
    await expect.poll(() => product.output()).toContain('"path":"/api/v1/session"')
    expect(broken).toEqual([])
  })

  test('a cookie that was changed, forged or belongs to no session gets no data and is not logged', async ({
    product,
  }) => {
    const forged = 'Fe26.2*1*0123456789abcdef*bWFkZSB1cA*c2VhbGVk*9999999999999*c2FsdA*bWFj'
    const { port } = new URL(product.url)
    for (const path of ['/api/v1/about', '/api/v1/activity', '/api/v1/session']) {
      const { status } = await fetch(`${product.url}${path}`, { headers: { cookie: `evenkeel-${port}=1.${forged}` } })
      expect(`${path} ${status}`).toMatch(/ 40[13]$/)
    }
    expect(product.output()).not.toContain(forged)
  })
})
