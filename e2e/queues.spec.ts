import { QueuePages, workloadIdOf } from './pages/queues'
import { member } from './scenarios/members'
import { queue, queued } from './scenarios/queues'
import { scheduledTo, waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import type { Kubectl } from './support/kubectl'

const WAIT = { timeout: 60_000 }
const CLASSES = 'priorityClasses: [{ name: urgent, value: 1000 }, { name: normal, value: 0, default: true }]'

async function startMember(kubectl: Kubectl): Promise<void> {
  await kubectl.apply(member('member1'))
  await waitForCluster(kubectl, 'member1', true)
}

/** One after the other, so that the line has an order that everybody expects. */
async function createInOrder(kubectl: Kubectl, ...names: string[]): Promise<void> {
  for (const name of names) {
    await kubectl.apply(queued({ namespace: 'default', name }))
    await expect.poll(() => kubectl.find(['resourcebinding', `${name}-deployment`]), WAIT).toBeDefined()
  }
}

const isPlaced = async (kubectl: Kubectl, name: string): Promise<boolean> =>
  Object.keys(await scheduledTo(kubectl, `${name}-deployment`)).length > 0

/** The workloads that the scheduler placed, in the order in which it said so. */
async function scheduledOrder(kubectl: Kubectl, ...names: string[]): Promise<string[]> {
  interface Events {
    items: { reason: string; metadata: { resourceVersion: string }; involvedObject: { kind: string; name: string } }[]
  }
  const { items } = await kubectl.json<Events>(['get', 'events'])
  const first = items
    .filter(({ reason, involvedObject: { kind } }) => reason === 'ScheduleBindingSucceed' && kind === 'ResourceBinding')
    .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
  return [...new Set(first.map(({ involvedObject: { name } }) => name.replace('-deployment', '')))].filter((name) => names.includes(name))
}

test('an operator makes a queue, sees who waits and why, holds it, and resumes it in order', async ({ kubectl, page, product }) => {
  await startMember(kubectl)
  const queues = new QueuePages(page, product.url)

  await test.step('there is none, and the form makes one', async () => {
    await queues.openList()
    await expect(page.getByText('No queues yet')).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'New queue…' }).click()
    await queues.panel.getByLabel('Namespace', { exact: true }).fill('default')
    await queues.panel.getByLabel('Name', { exact: true }).fill('line')
    await queues.panel.getByLabel('Quota').selectOption('own')
    await queues.panel.getByLabel('Resource 1', { exact: true }).fill('cpu')
    await queues.panel.getByLabel('Amount 1', { exact: true }).fill('-1')
    await expect(queues.panel.getByRole('alert')).toHaveText('cpu cannot be negative.')
    await expect(queues.panel.getByRole('button', { name: 'Create' })).toBeDisabled()
    await queues.panel.getByLabel('Amount 1', { exact: true }).fill('1')
    for (const [at, name, value] of [[1, 'urgent', '1000'], [2, 'normal', '0']] as const) {
      await queues.panel.getByRole('button', { name: 'Add class' }).click()
      await queues.panel.getByLabel(`Class ${at}`, { exact: true }).fill(name)
      await queues.panel.getByLabel(`Value ${at}`, { exact: true }).fill(value)
    }
    await queues.panel.getByLabel('Class of those that name none').selectOption('normal')
    await queues.panel.getByRole('button', { name: 'Create' }).click()
    await expect(page).toHaveURL(/\/queues\/detail\?queue=default\/line$/)
    await expect(page.getByTestId('queue-state')).toBeVisible(WAIT)
  })

  await test.step('what fits the quota goes, the others wait, each with its reason', async () => {
    await createInOrder(kubectl, 'first')
    await expect.poll(() => isPlaced(kubectl, 'first'), WAIT).toBe(true)
    await createInOrder(kubectl, 'second', 'third')
    await queues.expectLine('second', 'third')
    await expect(queues.waiting('default', 'second')).toContainText('over the quota')
    await expect(queues.waiting('default', 'second')).toHaveAttribute('data-position', '1')
    await expect(page.locator('[data-testid=quota-row][data-resource=cpu]')).toHaveAttribute('data-used', '1000')
    await page.goto(`${product.url}/workloads?q=second`)
    const held = page.getByTestId('workload-row').getByTestId('held')
    await expect(held).toHaveAttribute('data-by', 'queue', WAIT)
    await held.getByRole('link', { name: 'default/line' }).click()
    await expect(page).toHaveURL(/\/queues\/detail\?queue=default\/line$/)
  })

  await test.step('a hold needs a reason, and is only called effective when it is', async () => {
    await page.getByRole('button', { name: 'Hold queue default/line…' }).click()
    await expect(queues.panel.getByTestId('hold-preview')).toHaveAttribute('data-waiting', '2')
    await expect(queues.panel.getByRole('button', { name: 'Hold', exact: true })).toBeDisabled()
    await queues.panel.getByLabel('How long').selectOption('custom')
    await queues.panel.getByLabel(/^Ends at/).fill('2020-01-01T09:00')
    await expect(queues.panel.getByRole('alert')).toContainText('A pause can only end in the future.')
    await queues.panel.getByLabel('How long').selectOption('4h')
    await queues.panel.getByLabel(/^Reason/).fill('stock-taking')
    await queues.panel.getByRole('button', { name: 'Hold', exact: true }).click()
    await queues.expectHoldState('effective')
    await expect(page.getByTestId('hold-panel')).toContainText('stock-taking')
  })

  await test.step('nobody passes it, also when the quota would have room', async () => {
    await kubectl.run(['patch', 'queues.evenkeel.io', 'line', '--type=merge', '-p', '{"spec":{"quota":{"hard":{"cpu":"10"}}}}'])
    await createInOrder(kubectl, 'late')
    await queues.expectLine('second', 'third', 'late')
    await expect(queues.waiting('default', 'second')).toContainText('stock-taking', WAIT)
    expect(await isPlaced(kubectl, 'second')).toBe(false)
    await page.goto(`${product.url}/workloads/detail?id=${workloadIdOf('default', 'late')}`)
    await expect(page.getByTestId('held-notice')).toHaveAttribute('data-by', 'hold', WAIT)
    await expect(page.getByTestId('workload-state')).toContainText('stock-taking')
    await queues.open('default/line')
  })

  await test.step('another class changes the order', async () => {
    await queues.act('Class of late…', 'Change the class', async (panel) => {
      await panel.getByLabel('Class').selectOption('urgent')
      await expect(panel.getByTestId('new-position')).toHaveAttribute('data-position', '1')
    })
    await queues.expectLine('late', 'second', 'third')
  })

  await test.step('the resume shows the order first, and keeps it', async () => {
    await queues.act('Resume queue default/line…', 'Resume', async (panel) => {
      await panel.getByLabel('Release', { exact: true }).selectOption('staged')
      await panel.getByLabel('At a time').fill('1')
      await expect(panel.getByTestId('expected-order').getByRole('listitem')).toContainText(['default/late', 'default/second', 'default/third'])
    })
    await queues.expectLine()
    await expect(page.getByTestId('last-hold')).toContainText('stock-taking', WAIT)
    await expect.poll(() => scheduledOrder(kubectl, 'late', 'second', 'third'), WAIT).toEqual(['late', 'second', 'third'])
  })
})

test('one workload is released past the others, and what is placed is not suspended', async ({ kubectl, page, product }) => {
  await startMember(kubectl)
  await kubectl.apply(queue('default', 'line', `{ ${CLASSES}, hold: { reason: maintenance } }`))
  await createInOrder(kubectl, 'early', 'hasty')
  const queues = new QueuePages(page, product.url)
  await queues.open('default/line')
  await queues.expectLine('early', 'hasty')
  await queues.act('Release hasty…', 'Release', async (panel) => {
    await expect(panel.getByTestId('overtaken')).toHaveAttribute('data-count', '1')
    await expect(panel.getByTestId('overtaken')).toContainText('default/early')
  })
  await queues.expectLine('early')
  await expect.poll(() => isPlaced(kubectl, 'hasty'), WAIT).toBe(true)
  expect(await isPlaced(kubectl, 'early')).toBe(false)
  await queues.expectHoldState('effective')
  await page.goto(`${product.url}/workloads/detail?id=${workloadIdOf('default', 'hasty')}`)
  const suspend = page.getByRole('button', { name: 'Suspend scheduling…' })
  await expect(suspend).toHaveAttribute('aria-disabled', 'true', WAIT)
  await expect(suspend).toHaveAccessibleDescription(/the control plane refuses to suspend that/)
})

test('a queue is deleted after saying what becomes of those who wait', async ({ kubectl, page, product }) => {
  await startMember(kubectl)
  await kubectl.apply(queue('default', 'line', '{ onDelete: Release, hold: { reason: maintenance } }'))
  await createInOrder(kubectl, 'waiter')
  const queues = new QueuePages(page, product.url)
  await queues.open('default/line')
  await queues.expectLine('waiter')
  await queues.act('Delete…', 'Delete', async (panel) => {
    await expect(panel.getByTestId('on-delete')).toContainText('1 workload waits in it; it is released')
  })
  await expect(page).toHaveURL(/\/queues$/)
  await expect(queues.row('default/line')).toBeHidden(WAIT)
  await expect.poll(() => isPlaced(kubectl, 'waiter'), WAIT).toBe(true)
})

test('one workload is suspended before it is placed, stays so, and is resumed', async ({ kubectl, page, product }) => {
  await kubectl.apply(queued({ namespace: 'default', name: 'early' }))
  const queues = new QueuePages(page, product.url)
  await page.goto(`${product.url}/workloads/detail?id=${workloadIdOf('default', 'early')}`)
  await queues.act('Suspend scheduling…', 'Suspend', async (panel) => {
    await expect(panel.getByRole('button', { name: 'Suspend', exact: true })).toBeDisabled()
    await panel.getByLabel(/^Reason/).fill('not before the review')
  })
  await expect(page.getByTestId('held-notice')).toHaveAttribute('data-by', 'suspended', WAIT)
  await expect(page.getByTestId('workload-state')).toContainText('not before the review')
  await startMember(kubectl)
  await kubectl.apply(queued({ namespace: 'default', name: 'other' }))
  await expect.poll(() => isPlaced(kubectl, 'other'), WAIT).toBe(true)
  expect(await isPlaced(kubectl, 'early')).toBe(false)
  await queues.act('Resume scheduling…', 'Resume')
  await expect.poll(() => isPlaced(kubectl, 'early'), WAIT).toBe(true)
  await expect(page.getByTestId('held-notice')).toBeHidden(WAIT)
})
