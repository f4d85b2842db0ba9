import { QueuePages, workloadIdOf } from './pages/queues'
import { queue, queued } from './scenarios/queues'
import { findingsInBoth } from './support/axe'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'

const WAIT = { timeout: 60_000 }

interface QueueStatus {
  spec: { quota: { hard: { cpu: string } } }
  status?: { pending?: number }
}

test('lanes show what kubectl tells of a queue, and a block its reason and what would admit it', async ({
  kubectl,
  page,
  product,
}) => {
  const text = say()
  await startMembers(kubectl, 'member1')
  await kubectl.apply(queue('default', 'line', '{ quota: { hard: { cpu: "1" } } }'))
  for (const [name, cpu] of [
    ['first', '1'],
    ['second', '1'],
    ['third', '500m'],
  ] as const) {
    await kubectl.apply(queued({ namespace: 'default', name, cpu }))
    await expect.poll(() => kubectl.find(['resourcebinding', `${name}-deployment`]), WAIT).toBeDefined()
  }
  const queues = new QueuePages(page, product.url)
  await queues.openList()
  await expect(queues.row('default/line')).toHaveAttribute('data-pending', '2', WAIT)
  await page.getByRole('link', { name: text('queues.view.lanes') }).click()
  await expect(page).toHaveURL(/view=lanes/)

  const lane = page.locator('[data-testid="lane"][data-queue="default/line"]')
  const read = () => kubectl.json<QueueStatus>(['get', 'queue', 'line'])
  const { spec } = await read()
  await expect(lane).toHaveAttribute('data-quota', String(Number(spec.quota.hard.cpu) * 1000))
  await expect(lane).toHaveAttribute('data-used', '1000')
  await expect.poll(async () => String((await read()).status?.pending), WAIT).toBe('2')
  const blocks = lane.getByTestId('lane-block')
  await expect(blocks).toHaveCount(2)
  await expect(blocks.nth(0)).toHaveAttribute('data-workload', workloadIdOf('default', 'second'))
  await expect(blocks.nth(1)).toHaveAttribute('data-request', '500')
  await expect(lane).toContainText(text('lanes.noProjection'))
  expect(await findingsInBoth(page)).toEqual([])

  // By keyboard: to the block, and its reason and remedies beside.
  await blocks.nth(0).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByTestId('lane-panel')
  await expect(panel.getByTestId('lane-reason')).not.toBeEmpty()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1280, height: 720 })
  await panel.getByRole('button', { name: text('lanes.admit') }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')

  // With a larger quota the first block is admitted, and leaves; the other one takes its place.
  await kubectl.run(['patch', 'queue', 'line', '--type=merge', '-p', '{"spec":{"quota":{"hard":{"cpu":"2"}}}}'])
  await expect(blocks).toHaveCount(1, WAIT)
  await expect(blocks.nth(0)).toHaveAttribute('data-workload', workloadIdOf('default', 'third'))
  await expect(lane).toHaveAttribute('data-used', '2000')
})
