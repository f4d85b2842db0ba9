/** An outage is reported to receivers and in the browser, once each, and so is its end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { NoticePayload } from '@/lib/view/schemas/notices'
import { type ReceiverServer, startReceiver } from '@/server/notify/testing/receiver-server'
import { member } from './scenarios/members'
import { findingsInBoth } from './support/axe'
import { waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import { kubectlFor } from './support/kubectl'
import { startProduct } from './support/product'
import { say } from './support/say'

const WAIT = { timeout: 60_000 }

/** Notifications shown by the page. */
type DeliveredNotices = { body: string; tag: string }[]

/** The browser of the journeys shows no notifications; the page gets a constructor that notes them. */
const noteNotifications = () => {
  const told: DeliveredNotices = []
  class Noted extends EventTarget {
    static readonly permission = 'granted'
    static requestPermission = async () => 'granted'
    constructor(_title: string, { body = '', tag = '' }: NotificationOptions = {}) {
      super()
      told.push({ body, tag })
    }
    close() {
      return undefined
    }
  }
  Object.assign(globalThis, { Notification: Noted, toldOutside: told })
}

const toldOutside = async (page: Page): Promise<string[]> =>
  (await page.evaluate(() => (globalThis as unknown as { toldOutside: DeliveredNotices }).toldOutside)).map(
    ({ body }) => body,
  )

const eventsAt = ({ received }: ReceiverServer): string[] =>
  received.map(({ json }) => {
    const { event, incident } = json as NoticePayload
    return incident === undefined ? event : `${event} ${incident.kind} ${incident.cluster ?? ''}`
  })

const icon = (page: Page) => page.locator('link[rel~="icon"]').first()

test('an outage is reported by webhook, notification, icon and title, once, also after a crash', async ({
  page,
  context,
}) => {
  test.setTimeout(240_000)
  const folder = mkdtempSync(join(tmpdir(), 'notices-'))
  const receiver = await startReceiver()
  const file = join(folder, 'notify.yaml')
  writeFileSync(
    file,
    `receivers: [{ name: pager, type: webhook, url: "${receiver.url}/in", headers: { X-Team: t0p } }]`,
  )
  const flags = ['--no-demo', `--notify-config=${file}`, '--cluster-failure-threshold=1s']
  const product = await startProduct({ flags })
  const kubectl = kubectlFor(product.kubeconfig)
  await context.grantPermissions(['notifications'], { origin: product.url })
  await context.addInitScript(noteNotifications)
  await kubectl.apply(member('member1') + member('member2'))
  await waitForCluster(kubectl, 'member1', true)

  await test.step('notices are off until the reader chooses them, and the choice is kept', async () => {
    await page.goto(`${product.url}/control-plane`)
    // The menu is rendered before the scripts of the page run, and would ignore the click.
    await expect(page.locator('[data-freshness=Live]')).toBeVisible(WAIT)
    await page.getByTestId('user').click()
    await page.getByRole('button', { name: say()('notices.settings.open') }).click()
    const drawer = page.getByRole('dialog', { name: say()('notices.settings.title') })
    const choice = drawer.getByRole('checkbox', { name: say()('notices.settings.notifications') })
    await expect(choice).not.toBeChecked()
    await choice.click()
    await expect(choice).toBeChecked()
    await drawer.getByRole('combobox', { name: say()('notices.settings.sound') }).selectOption('chime')
    await drawer.getByRole('slider').fill('20')
    await drawer.getByRole('button', { name: say()('notices.settings.testSound') }).click()
    await drawer.getByRole('button', { name: say()('notices.settings.testNotification') }).click()
    await expect.poll(() => toldOutside(page)).toEqual([say()('notices.test')])
    expect(await findingsInBoth(page, { within: '[role=dialog]' })).toEqual([])
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('evenkeel.notices')))
      .toBe('{"notifications":true,"sound":"chime","volume":20}')
    await page.keyboard.press('Escape')
  })

  await test.step('a receiver is tested on the page of the control plane', async () => {
    const row = page.locator('[data-receiver=pager]')
    await row.getByRole('button').click()
    await expect(row).toHaveAttribute('data-result', 'sent')
    expect(eventsAt(receiver)).toEqual(['Test'])
    expect(await page.content()).not.toContain('t0p')
  })

  const other = await context.newPage()
  await test.step('an outage is reported once in all tabs together', async () => {
    await other.goto(`${product.url}/clusters`)
    await expect(icon(page)).toHaveAttribute('href', '/favicon.svg')
    await kubectl.takeDown('member1')
    await expect.poll(() => eventsAt(receiver), WAIT).toEqual(['Test', 'IncidentBegan cluster member1'])
    for (const each of [page, other]) {
      await expect(icon(each)).toHaveAttribute('href', '/favicon-incident.svg')
      await expect(each).toHaveTitle(new RegExp(`^${say()('notices.title.incident', { title: '' }).trim()}`))
    }
    await expect.poll(async () => (await toldOutside(page)).length, WAIT).toBe(2)
    expect((await toldOutside(page))[1]).toContain('member1')
    expect(await toldOutside(other)).toEqual([])
  })

  await test.step('a reopened page reports nothing again', async () => {
    await page.reload()
    await expect(icon(page)).toHaveAttribute('href', '/favicon-incident.svg')
    await expect(page.getByTestId('failover-banner').or(page.getByTestId('about')).first()).toBeVisible()
    expect(await toldOutside(page)).toEqual([])
    expect(await toldOutside(other)).toEqual([])
  })

  await test.step('a crash repeats nothing, and the end is reported', async () => {
    await product.kill()
    const again = await startProduct({ dataDir: product.dataDir, flags })
    const after = kubectlFor(again.kubeconfig)
    await after.bringBack('member1')
    await expect
      .poll(() => eventsAt(receiver).slice(1), WAIT)
      .toEqual(['IncidentBegan cluster member1', 'IncidentEnded cluster member1'])
    expect(again.output() + product.output()).not.toContain('t0p')
    await page.goto(`${again.url}/overview`)
    await expect(icon(page)).toHaveAttribute('href', '/favicon.svg')
    await again.stop()
  })
  await receiver.close()
  rmSync(folder, { recursive: true })
})
