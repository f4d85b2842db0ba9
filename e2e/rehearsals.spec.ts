/** The page of rehearsals: a loss is composed, run on a copy and judged, and the fleet itself stays as it is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { LoginPage } from './pages/login'
import { CORE, expect, test } from './support/fixtures'
import { obstacles } from './support/obstacles'
import { say } from './support/say'
import { sidewaysFindings, SMALLEST } from './support/sideways'

/** The thread starts, copies and computes; on a busy machine that takes a while. */
const WAIT = { timeout: 120_000 }

const headline = (page: Page) => page.getByTestId('rehearsal-headline')
const editor = (page: Page) => page.getByTestId('scenario-yaml').getByRole('textbox')
const run = (page: Page) => page.getByRole('button', { name: say()('rehearsals.new.run') })

async function write(page: Page, yaml: string): Promise<void> {
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(yaml)
}

const scenario = (share: string): string => `apiVersion: evenkeel.io/v1alpha1
kind: Scenario
metadata: { name: strict }
spec:
  duration: 5m
  steps: [{ at: 10s, lose: { clusters: [member1] } }, { at: 2m, recover: { clusters: [member1] } }, { at: 3m, rebalance: { namespaces: [shop] } }]
  assertions: [{ keepReady: { share: ${share}, namespaces: [shop] } }]
`

test.describe('on the demonstration', () => {
  test.use({ flags: [] })

  test('a loss is composed, run, judged and removed', { tag: CORE }, async ({ page, product, fleet, kubectl }) => {
    test.slow()
    await fleet.open()
    await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })

    await test.step('from the page of the cluster', async () => {
      await page.goto(`${product.url}/clusters/detail?name=member1`)
      await page.getByRole('link', { name: say()('clusterPage.rehearse') }).click()
      await expect(page.getByTestId('composer')).toHaveAttribute('data-valid', 'true', WAIT)
      await expect(page.getByTestId('rehearsal-banner')).toBeVisible()
      await expect(page.getByTestId('step-row')).toHaveAttribute('data-kind', 'lose')
      await expect(editor(page)).toContainText('- member1')
    })

    await test.step('the form and the text are one', async () => {
      await page.getByLabel(say()('rehearsals.new.name'), { exact: true }).fill('loss-of-one')
      await expect(editor(page)).toContainText('name: loss-of-one')
      await page.getByRole('button', { name: say()('rehearsals.new.addStep') }).click()
      await expect(page.getByTestId('step-row')).toHaveCount(2)
      await page.getByRole('button', { name: say()('rehearsals.new.removeStep', { n: 2 }) }).click()
      await expect(page.getByTestId('step-row')).toHaveCount(1)
    })

    await test.step('its result, lanes, load and moves are shown', async () => {
      await run(page).click()
      await expect(headline(page)).toHaveAttribute('data-state', 'done', WAIT)
      // The demonstration has no budgets, so one of the four has nothing to check.
      await expect(headline(page)).toHaveAttribute('data-holding', '3')
      await expect(headline(page)).toHaveAttribute('data-failing', '0')
      await expect(page.getByTestId('rehearsal-banner')).toContainText(say()('rehearsals.mark'))
      await expect(page.getByTestId('lane-cluster')).toHaveCount(3)
      const lost = page.locator('[data-testid=lane-cluster][data-cluster=member1] [data-first]')
      await expect(lost).toHaveAttribute('data-last', '0')
      await expect(lost).not.toHaveAttribute('data-first', '0')
      const load = page.getByTestId('loads').locator('[data-cluster=member1]')
      await expect(load).toContainText(say()('rehearsals.load.away'))
      await expect(page.getByTestId('moves').locator('[data-workload="shop/ledger"]')).toContainText('member2')
      expect(await obstacles(page)).toEqual([])
      expect(await sidewaysFindings(page, SMALLEST)).toEqual([])
    })

    await test.step('its incident is shown as one of the fleet, and marked', async () => {
      const result = page.url()
      await page.getByTestId('recorded').getByRole('link', { name: 'member1' }).click()
      await expect(page.getByTestId('rehearsal-banner')).toContainText(say()('rehearsals.mark'))
      await expect(page.getByTestId('incident-headline')).toBeVisible(WAIT)
      await expect(page.getByTestId('incident-summary')).toContainText('member1')
      await expect(page.getByTestId('incident-stage')).toHaveAttribute('data-following', 'true')
      expect(await obstacles(page)).toEqual([])
      expect(await sidewaysFindings(page, SMALLEST)).toEqual([])
      await page.getByTestId('rehearsal-banner').getByRole('link').click()
      await expect(headline(page)).toHaveAttribute('data-state', 'done')
      expect(page.url()).toBe(result)
    })

    await test.step('the fleet is as it was', async () => {
      const bindings = await kubectl.run(['get', 'resourcebindings', '-A', '-o', 'yaml'])
      expect(bindings).toContain('name: member1')
      await fleet.open()
      await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })
    })

    await test.step('an error is shown with its line, and nothing runs', async () => {
      await page.goto(`${product.url}/rehearsals`)
      await expect(page.getByTestId('composer')).toBeVisible(WAIT)
      await write(page, scenario('100%').replace('lose:', 'explode:'))
      await expect(page.getByTestId('scenario-problems')).toContainText('6')
      await expect(page.getByTestId('scenario-problems')).toContainText('explode')
      await expect(page.locator('.cm-lintRange-error').first()).toBeVisible()
      await expect(run(page)).toBeDisabled()
      expect(await obstacles(page)).toEqual([])
    })

    await test.step('an assertion that fails has its evidence', async () => {
      await write(page, scenario('100%'))
      await run(page).click()
      await expect(headline(page)).toHaveAttribute('data-state', 'done', WAIT)
      await expect(headline(page)).toHaveAttribute('data-failing', '1')
      await expect(page.getByTestId('assertions').locator('[data-kind=keepReady]')).toHaveAttribute(
        'data-passed',
        'false',
      )
      await expect(page.getByTestId('evidence').first()).toContainText('shop/')
      await expect(page.getByTestId('lane-breaches').locator('rect').first()).toBeAttached()
    })

    await test.step('its plan is shown as one of the fleet, and marked', async () => {
      await page
        .getByTestId('recorded')
        .getByRole('link', { name: /rehears|step/ })
        .click()
      await expect(page.getByTestId('rehearsal-banner')).toContainText(say()('rehearsals.mark'))
      await expect(page.getByTestId('plan-state')).toHaveAttribute('data-phase', 'Completed', WAIT)
      await expect(page.getByTestId('plan-counts')).toBeVisible()
      expect(await obstacles(page)).toEqual([])
      await page.goto(`${product.url}/rehearsals/plan?id=nothing&name=nothing`)
      await expect(page.getByText(say()('rehearsals.recorded.gone'))).toBeVisible(WAIT)
      await page.goto(`${product.url}/rebalancers`)
      await expect(page.getByTestId('plan-row')).toHaveCount(0)
    })

    await test.step('it is removed from the list', async () => {
      await page.goto(`${product.url}/rehearsals`)
      await expect(page.getByTestId('rehearsal')).toHaveCount(2, WAIT)
      await page.getByRole('button', { name: say()('rehearsals.removeNamed', { name: 'strict' }) }).click()
      await expect(page.getByTestId('rehearsal')).toHaveCount(1)
      await expect(page.getByTestId('rehearsal')).toContainText('loss-of-one')
    })

    await test.step('a running one shows its progress, here and in the list, and is cancelled', async () => {
      await page.goto(`${product.url}/rehearsals`)
      await expect(page.getByTestId('composer')).toBeVisible(WAIT)
      await write(page, scenario('100%').replace('duration: 5m', 'duration: 24h').replace('strict', 'long'))
      await run(page).click()
      await expect(headline(page)).toHaveAttribute('data-state', 'running', WAIT)
      const progress = page.getByRole('progressbar', { name: say()('rehearsals.progress') })
      await expect.poll(async () => Number(await progress.getAttribute('value')), WAIT).toBeGreaterThan(60_000)
      expect(await obstacles(page)).toEqual([])
      const address = page.url()
      await page.goto(`${product.url}/rehearsals`)
      const row = page.getByTestId('rehearsal').filter({ hasText: 'long' })
      await expect(row).toHaveAttribute('data-state', 'running', WAIT)
      await row.getByRole('button', { name: say()('rehearsals.cancelNamed', { name: 'long' }) }).click()
      await expect(row).toHaveAttribute('data-state', 'cancelled', WAIT)
      await page.goto(address)
      await expect(headline(page)).toHaveAttribute('data-state', 'cancelled', WAIT)
      await expect(progress).toHaveCount(0)
      await expect(page.getByRole('button', { name: say()('rehearsals.cancel'), exact: true })).toHaveCount(0)
    })
  })
})

test.describe('of a tenant', () => {
  test.use({ flags: ['--login=required'] })

  test('uses the objects that the tenant may read, and names no other workload', async ({ page, product }) => {
    test.slow()
    await page.goto(`${product.url}/rehearsals?lose=member1`)
    await new LoginPage(page).logIn(readFileSync(join(product.dataDir, 'shop-admin-token'), 'utf8').trim())
    await expect(page.getByTestId('composer')).toHaveAttribute('data-valid', 'true', WAIT)
    await run(page).click()
    await expect(headline(page)).toHaveAttribute('data-state', 'done', WAIT)
    await expect(page.getByTestId('omissions')).not.toBeEmpty()
    await expect(page.locator('main')).toContainText('shop/checkout')
    await expect(page.locator('main')).not.toContainText('lab/')
  })

  test('is refused to a user who may list no clusters, with the right that is missing', async ({
    page,
    product,
    kubectl,
  }) => {
    await kubectl.run(['create', 'serviceaccount', 'reader', '-n', 'shop'])
    const token = await kubectl.run(['create', 'token', 'reader', '-n', 'shop'])
    await page.goto(`${product.url}/rehearsals`)
    await new LoginPage(page).logIn(token.trim())
    await expect(page.getByRole('main')).toContainText('clusters.cluster.karmada.io', WAIT)
    await expect(page.getByTestId('rehearsal-banner')).toBeVisible()
    await expect(page.getByTestId('composer')).toHaveCount(0)
    await expect(page.getByTestId('rehearsals')).toHaveCount(0)
    expect(await obstacles(page)).toEqual([])
  })
})
