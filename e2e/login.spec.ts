/** Logging in and out, as people and as what becomes of their sessions. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startIdentityProvider } from '@/server/bff/auth/testing/identity-provider'
import { freePort } from '@/server/testing/free-port'
import { LoginPage } from './pages/login'
import { findings } from './support/axe'
import { CORE, expect, test } from './support/fixtures'
import { newDataDir, type Product, removeDataDir, startProduct } from './support/product'
import { obstacles } from './support/obstacles'
import { say } from './support/say'

const tokenOf = ({ dataDir }: Product, user: string): string =>
  readFileSync(join(dataDir, user === 'admin' ? 'admin-token' : `${user}-token`), 'utf8').trim()

async function expectLive(page: Page): Promise<void> {
  await expect(page.locator('[data-freshness=Live]')).toBeVisible()
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await findings(page)).toEqual([])
}

test.describe('where login is required', () => {
  test.use({ flags: ['--login=required'] })

  test('a tenant logs in with a token, and returns to the requested page', { tag: CORE }, async ({ page, product }) => {
    const login = new LoginPage(page)
    await page.goto(`${product.url}/workloads?q=web`)
    await login.expectOpen()
    expect(await obstacles(page)).toEqual([])
    await login.logIn('not-a-token')
    await expect(page.getByRole('alert').filter({ hasText: say()('api.auth.tokenInvalid') })).toBeVisible()
    await expectAccessible(page)
    await login.token.fill(tokenOf(product, 'shop-admin'))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${product.url}/workloads?q=web`)
    await expectLive(page)
    await page.getByTestId('user').focus()
    await page.keyboard.press('Enter')
    const person = page.getByRole('dialog', { name: say()('login.user.label') })
    await expect(person).toContainText('shop-admin')
    await expect(person).toContainText(say()('login.user.via.token'))
    await expect(person).toContainText(say().locale === 'en' ? 'of inactivity' : '无操作')
    await expectAccessible(page)
    const cookies = await page.context().cookies()
    expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([[true, 'Strict']])
    expect(
      await page.evaluate(() => `${document.cookie}${JSON.stringify(localStorage)}${JSON.stringify(sessionStorage)}`),
    ).not.toContain(tokenOf(product, 'shop-admin'))
  })

  test('a logout ends every page of the session, and a copy of its cookie', async ({ page, product, context }) => {
    const login = new LoginPage(page)
    await page.goto(`${product.url}/fleet`)
    await login.logIn(tokenOf(product, 'admin'))
    await expectLive(page)
    const copy = await context.cookies()
    const other = await context.newPage()
    await other.goto(`${product.url}/clusters`)
    await expectLive(other)
    await login.logOut()
    await login.expectOpen()
    await new LoginPage(other).expectOpen()
    await expect(other).toHaveURL(`${product.url}/login?returnTo=%2Fclusters`)
    await context.addCookies(copy)
    await page.goto(`${product.url}/fleet`)
    await expect(login.notice).toHaveText(say()('api.auth.loggedOut'))
  })

  test('an administrator ends the sessions of a tenant, whose page shows it automatically', async ({
    page,
    product,
  }) => {
    const login = new LoginPage(page)
    await page.goto(`${product.url}/workloads`)
    await login.logIn(tokenOf(product, 'shop-admin'))
    await expectLive(page)
    const answer = await fetch(`${product.url}/api/v1/sessions/shop-admin`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tokenOf(product, 'admin')}` },
    })
    expect(answer.status).toBe(200)
    await login.expectOpen()
    await expect(login.notice).toHaveText(say()('api.auth.revokedBy', { user: 'admin' }))
    const refused = await fetch(`${product.url}/api/v1/sessions/admin`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tokenOf(product, 'shop-admin')}` },
    })
    expect(refused.status).toBe(403)
  })
})

test('a session that reaches its end leads to the login page, and the next login back', async ({ page }) => {
  const product = await startProduct({ flags: ['--no-demo', '--login=required', '--session-timeout=8s'] })
  try {
    const login = new LoginPage(page)
    await page.goto(`${product.url}/clusters`)
    await login.logIn(tokenOf(product, 'admin'))
    await page.waitForURL(`${product.url}/clusters`)
    await login.expectOpen()
    await expect(login.notice).toHaveText(say()('api.auth.expired'))
    await login.logIn(tokenOf(product, 'admin'))
    await page.waitForURL(`${product.url}/clusters`)
  } finally {
    await product.stop()
    removeDataDir(product.dataDir)
  }
})

test('a session outlives a restart, and ends with the secret that sealed it', async ({ page }) => {
  const dataDir = newDataDir()
  const port = await freePort()
  const start = (secret: string) =>
    startProduct({
      dataDir,
      flags: ['--no-demo', '--login=required', `--port=${port}`],
      env: { EVENKEEL_SESSION_SECRET: secret.repeat(32) },
    })
  let product = await start('a')
  try {
    const login = new LoginPage(page)
    await page.goto(`${product.url}/clusters`)
    await login.logIn(tokenOf(product, 'admin'))
    await expectLive(page)
    await product.stop()
    product = await start('a')
    await page.reload()
    await expectLive(page)
    await product.stop()
    product = await start('b')
    await page.reload()
    await expect(login.notice).toHaveText(say()('api.auth.unreadable'))
  } finally {
    await product.stop()
    removeDataDir(dataDir)
  }
})

test('an identity provider lets people in, and ends its session with ours', async ({ page }) => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const provider = await startIdentityProvider({ clientId: 'evenkeel', clientSecret: 'of-the-trial', publicUrl })
  provider.accounts.set('jane', { groups: ['shop'] })
  const product = await startProduct({
    flags: [
      `--port=${port}`,
      `--public-url=${publicUrl}`,
      `--oidc-issuer-url=${provider.issuer}`,
      '--oidc-client-id=evenkeel',
      '--oidc-username-claim=email',
    ],
    env: { EVENKEEL_OIDC_CLIENT_SECRET: 'of-the-trial' },
  })
  try {
    const byProvider = page.getByRole('link', { name: '127.0.0.1' })
    await page.goto(`${product.url}/workloads`)
    provider.goAway(true)
    await byProvider.click()
    await expect(page.getByTestId('login-problem')).toHaveText(say()('login.problem.unavailable'))
    await expectAccessible(page)
    provider.goAway(false)
    await byProvider.click()
    await page.getByPlaceholder('Enter any login').fill('jane')
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${product.url}/workloads`)
    await expectLive(page)
    await page.getByTestId('user').click()
    const person = page.getByRole('dialog', { name: say()('login.user.label') })
    await expect(person).toContainText('jane@shop.example')
    await expect(person).toContainText('shop')
    await expect(person).toContainText(say()('login.user.via.oidc'))
    await page.getByRole('button', { name: say()('login.user.logOut') }).click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await new LoginPage(page).expectOpen()
  } finally {
    await product.stop()
    await provider.close()
    removeDataDir(product.dataDir)
  }
})

test.describe('where users do not log in', () => {
  test.use({ flags: ['--no-demo', '--read-only'] })

  test('the console shows its user, and that it is read-only', async ({ page, product }) => {
    await page.goto(`${product.url}/login?returnTo=/clusters`)
    await page.waitForURL(`${product.url}/clusters`)
    await expect(page.getByTestId('read-only')).toHaveText(say()('login.user.readOnly'))
    await page.getByTestId('user').click()
    const person = page.getByRole('dialog', { name: say()('login.user.label') })
    await expect(person).toContainText(say()('login.user.actsAs'))
    await expect(person).toContainText('admin')
    await expect(person.getByRole('button', { name: say()('login.user.logOut') })).toBeHidden()
    await expectAccessible(page)
  })
})
