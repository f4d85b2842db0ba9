/** The language of the console: the browser's until the reader chooses one, on every page and in every answer. */
import { type Locale, LOCALE_NAMES, LOCALES } from '@/lib/messages'
import { texts } from '@/lib/messages/texts'
import { CORE, expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'
import { expectNoSidewaysScroll } from './support/sideways'

/** A span as the locale writes it. */
const SPAN: Record<Locale, RegExp> = { en: /\d (?:s|m)\b/, 'zh-CN': /\d (?:秒|分)/ }

test(
  'the console uses the language of the browser, and switches without a reload',
  { tag: CORE },
  async ({ page, product, kubectl }) => {
    await startMembers(kubectl, 'member1')
    const first = say()
    const other = texts[LOCALES.find((locale) => locale !== first.locale)!]
    await page.goto(`${product.url}/clusters`)
    await expect(page.locator('html')).toHaveAttribute('lang', first.locale)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: 'member1' })
    await expect(row).toContainText(SPAN[first.locale])
    await page.evaluate(() => Object.assign(window, { marked: true }))
    await page.getByRole('button', { name: first('shell.language'), exact: true }).click()
    await page.getByRole('menuitemradio', { name: LOCALE_NAMES[other.locale] }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', other.locale)
    await expect(page.getByRole('link', { name: other('shell.section.clusters'), exact: true })).toBeVisible()
    await expect(row).toContainText(SPAN[other.locale])
    expect(await page.evaluate(() => 'marked' in window)).toBe(true)

    await test.step('it is remembered', async () => {
      await page.reload()
      await expect(page.locator('html')).toHaveAttribute('lang', other.locale)
      await expect(row).toContainText(SPAN[other.locale])
      await expect(row).toContainText(other('clusters.state.ready'))
    })

    await test.step('it is remembered, also for responses of the server', async () => {
      await page.goto(`${product.url}/no-such-page`)
      await expect(page.getByRole('heading', { name: other('shell.notFound.title') })).toBeVisible()
      const problem = await page.evaluate(
        async () => (await fetch('/api/v1/clusters/none')).json() as Promise<{ title: string; reason: string }>,
      )
      expect(problem).toMatchObject({ title: other('api.problem.NotFound.title'), reason: 'NotFound' })
    })

    await test.step('nothing is cut off or wider than a small screen', async () => {
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`${product.url}/control-plane`)
        await expect(page.locator('[data-freshness=Live]')).toBeVisible()
        await expectNoSidewaysScroll(page)
      }
    })
  },
)
