import { QueuePages, workloadIdOf } from './pages/queues'
import { queue, queued } from './scenarios/queues'
import { findingsInBoth } from './support/axe'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import type { Kubectl } from './support/kubectl'
import { say } from './support/say'
import { expectNoSidewaysScroll } from './support/sideways'

const WAIT = { timeout: 60_000 }

interface QueueStatus {
  spec: { quota: { hard: { cpu: string } } }
  status?: { pending?: number }
}

const SHORT = ['short-1', 'short-2', 'short-3', 'short-4', 'short-5']
const RELEASED_AT = 'queue.evenkeel.io/released-at'

interface Noted {
  at: string
  what: string
  workload?: string
  before?: unknown[]
}

/** How long the short ones were placed, in milliseconds and in order, from the journal. */
async function staysOf(url: string): Promise<number[]> {
  const entries = (await (await fetch(`${url}/api/v1/journal`)).json()) as Noted[]
  return SHORT.map((name) => {
    const own = entries.filter(({ what, workload }) => what === 'placement' && workload?.endsWith(`/${name}`))
    const [begun, ended] = [own.find(({ before }) => before?.length === 0), own.at(-1)]
    return Date.parse(ended?.at ?? '') - Date.parse(begun?.at ?? '')
  }).sort((a, b) => a - b)
}

async function releasedAt(kubectl: Kubectl, name: string): Promise<number> {
  const { metadata } = await kubectl.json<{ metadata: { annotations: Record<string, string> } }>([
    'get',
    'resourcebinding',
    `${name}-deployment`,
  ])
  return Date.parse(metadata.annotations[RELEASED_AT] ?? '')
}

test("lanes show kubectl's data of a queue, and a block shows its reason and what would admit it", async ({
  kubectl,
  page,
  product,
}) => {
  const text = say()
  await startMembers(kubectl, 'member1')
  await kubectl.apply(queue('default', 'line', '{ strategy: StrictFIFO, quota: { hard: { cpu: "1" } } }'))
  for (const name of SHORT) await kubectl.apply(queued({ namespace: 'default', name, cpu: '200m' }))
  for (const name of SHORT) {
    const placed = ['get', 'resourcebinding', `${name}-deployment`, '-o', 'jsonpath={.spec.clusters[0].name}']
    await expect.poll(() => kubectl.run(placed).catch(() => ''), WAIT).toBe('member1')
  }
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
  await expect(queues.row('default/line')).toHaveAttribute('data-pending', '3', WAIT)
  await page.getByRole('link', { name: text('queues.view.lanes') }).click()
  await expect(page).toHaveURL(/view=lanes/)

  const lane = page.locator('[data-testid="lane"][data-queue="default/line"]')
  const read = () => kubectl.json<QueueStatus>(['get', 'queue', 'line'])
  const { spec } = await read()
  await expect(lane).toHaveAttribute('data-quota', String(Number(spec.quota.hard.cpu) * 1000))
  await expect(lane).toHaveAttribute('data-used', '1000')
  await expect.poll(async () => String((await read()).status?.pending), WAIT).toBe('3')
  const blocks = lane.getByTestId('lane-block')
  await expect(blocks).toHaveCount(3)
  await expect(blocks.nth(0)).toHaveAttribute('data-workload', workloadIdOf('default', 'first'))
  await expect(blocks.nth(2)).toHaveAttribute('data-request', '500')
  // No workload of the queue has ended yet, so there is no estimate.
  const next = lane.getByTestId('lane-next')
  const isUnknown = async () => {
    await expect(next).toHaveAttribute('data-estimate', 'unknown', WAIT)
    await expect(next).toContainText('first')
  }
  await isUnknown()
  const hold = (spec: string) =>
    kubectl.run(['patch', 'queue', 'line', '--type=merge', '-p', `{"spec":{"hold":${spec}}}`])
  await hold('{"reason":"audit"}')
  const held = { workload: 'first', estimate: text('queues.estimate.held') }
  await expect(next).toHaveText(text('lanes.next', held), WAIT)
  await hold('null')
  await isUnknown()
  expect(await findingsInBoth(page)).toEqual([])

  // By keyboard: to the block, and its reason and remedies beside.
  await blocks.nth(0).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByTestId('lane-panel')
  await expect(panel.getByTestId('lane-reason')).not.toBeEmpty()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1280, height: 720 })
  await panel.getByRole('button', { name: text('lanes.admit') }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')

  // Five have ended: the first takes their place, and the second is likely to follow when it has run as long as they did.
  await kubectl.run(['delete', 'deployment', ...SHORT])
  const second = lane.locator(`[data-workload="${workloadIdOf('default', 'second')}"]`)
  await expect(second).toHaveAttribute('data-estimate', 'between', WAIT)
  await expect(blocks).toHaveCount(2)
  // The five end one after the other, and the estimate follows each.
  await expect(async () => {
    const [stays, began] = [await staysOf(product.url), await releasedAt(kubectl, 'first')]
    const bounds = [stays[0]!, stays.at(-1)!].map((stay) => new Date(began + stay).toISOString())
    expect([await second.getAttribute('data-from'), await second.getAttribute('data-to')]).toEqual(bounds)
  }).toPass(WAIT)

  // With a larger quota the first block is admitted, and leaves; the other one takes its place.
  await kubectl.run(['patch', 'queue', 'line', '--type=merge', '-p', '{"spec":{"quota":{"hard":{"cpu":"2"}}}}'])
  await expect(blocks).toHaveCount(1, WAIT)
  await expect(blocks.nth(0)).toHaveAttribute('data-workload', workloadIdOf('default', 'third'))
  await expect(lane).toHaveAttribute('data-used', '2000')
})
