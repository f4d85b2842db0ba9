import { QueuePages, workloadIdOf } from './pages/queues'
import { queue, queued } from './scenarios/queues'
import { scheduledTo } from './support/binding'
import { CORE, expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'
import type { Kubectl } from './support/kubectl'

const WAIT = { timeout: 60_000 }
const CLASSES = 'priorityClasses: [{ name: urgent, value: 1000 }, { name: normal, value: 0, default: true }]'

async function startMember(kubectl: Kubectl): Promise<void> {
  await startMembers(kubectl, 'member1')
}

/** One after the other, so that their order is known. */
async function createInOrder(kubectl: Kubectl, ...names: string[]): Promise<void> {
  for (const name of names) {
    await kubectl.apply(queued({ namespace: 'default', name }))
    await expect.poll(() => kubectl.find(['resourcebinding', `${name}-deployment`]), WAIT).toBeDefined()
  }
}

const isPlaced = async (kubectl: Kubectl, name: string): Promise<boolean> =>
  Object.keys(await scheduledTo(kubectl, `${name}-deployment`)).length > 0

/** The workloads that the scheduler placed, in the order of its reports. */
async function scheduledOrder(kubectl: Kubectl, ...names: string[]): Promise<string[]> {
  interface Events {
    items: { reason: string; metadata: { resourceVersion: string }; involvedObject: { kind: string; name: string } }[]
  }
  const { items } = await kubectl.json<Events>(['get', 'events'])
  const first = items
    .filter(({ reason, involvedObject: { kind } }) => reason === 'ScheduleBindingSucceed' && kind === 'ResourceBinding')
    .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
  return [...new Set(first.map(({ involvedObject: { name } }) => name.replace('-deployment', '')))].filter((name) =>
    names.includes(name),
  )
}

test(
  'an operator creates a queue, sees pending workloads with their reasons, holds it, and resumes it in order',
  { tag: CORE },
  async ({ kubectl, page, product }) => {
    const text = say()
    await startMember(kubectl)
    const queues = new QueuePages(page, product.url)

    await test.step('there is none, and the form makes one', async () => {
      await queues.openList()
      await expect(page.getByText(text('queues.none.title'))).toBeVisible()
      await page
        .getByRole('main')
        .getByRole('button', { name: text('queues.new.open') })
        .click()
      await queues.panel.getByLabel(text('queues.form.namespace'), { exact: true }).fill('default')
      await queues.panel.getByLabel(text('queues.form.name'), { exact: true }).fill('line')
      await queues.panel.getByLabel(text('queues.form.quota'), { exact: true }).selectOption('own')
      await queues.panel.getByLabel(`${text('queues.form.resource')} 1`, { exact: true }).fill('cpu')
      await queues.panel.getByLabel(`${text('queues.form.amount')} 1`, { exact: true }).fill('-1')
      await expect(queues.panel.getByRole('alert')).toHaveText(text('queues.form.error.negative', { name: 'cpu' }))
      await expect(queues.panel.getByRole('button', { name: text('queues.new.verb') })).toBeDisabled()
      await queues.panel.getByLabel(`${text('queues.form.amount')} 1`, { exact: true }).fill('1')
      for (const [at, name, value] of [
        [1, 'urgent', '1000'],
        [2, 'normal', '0'],
      ] as const) {
        await queues.panel.getByRole('button', { name: text('queues.form.addClass') }).click()
        await queues.panel.getByLabel(`${text('queues.form.class')} ${at}`, { exact: true }).fill(name)
        await queues.panel.getByLabel(`${text('queues.form.value')} ${at}`, { exact: true }).fill(value)
      }
      await queues.panel.getByLabel(text('queues.form.defaultClass')).selectOption('normal')
      await queues.panel.getByRole('button', { name: text('queues.new.verb') }).click()
      await expect(page).toHaveURL(/\/queues\/detail\?queue=default\/line$/)
      await expect(page.getByTestId('queue-state')).toBeVisible(WAIT)
    })

    await test.step('what fits the quota is admitted, the others are pending, each with its reason', async () => {
      await createInOrder(kubectl, 'first')
      await expect.poll(() => isPlaced(kubectl, 'first'), WAIT).toBe(true)
      await createInOrder(kubectl, 'second', 'third')
      await queues.expectPending('second', 'third')
      await expect(queues.pending('default', 'second')).toHaveAttribute('data-reason', 'OverQuota')
      await expect(queues.pending('default', 'second')).toHaveAttribute('data-position', '1')
      await expect(page.locator('[data-testid=quota-row][data-resource=cpu]')).toHaveAttribute('data-used', '1000')
      await page.goto(`${product.url}/workloads?q=second`)
      const held = page.getByTestId('workload-row').getByTestId('held')
      await expect(held).toHaveAttribute('data-by', 'queue', WAIT)
      await held.getByRole('link', { name: 'default/line' }).click()
      await expect(page).toHaveURL(/\/queues\/detail\?queue=default\/line$/)
    })

    await test.step('a hold needs a reason, and is only called effective when it is', async () => {
      await page.getByRole('button', { name: text('queues.hold.open', { queue: 'default/line' }) }).click()
      await expect(queues.panel.getByTestId('hold-preview')).toHaveAttribute('data-waiting', '2')
      await expect(queues.panel.getByRole('button', { name: text('queues.hold.verb'), exact: true })).toBeDisabled()
      await queues.panel.getByLabel(text('queues.until.label')).selectOption('custom')
      await queues.panel.locator('input[type=datetime-local]').fill('2020-01-01T09:00')
      await expect(queues.panel.getByRole('alert')).toHaveCount(1)
      await queues.panel.getByLabel(text('queues.until.label')).selectOption('4h')
      await queues.reasonIn(queues.panel).fill('stock-taking')
      await queues.panel.getByRole('button', { name: text('queues.hold.verb'), exact: true }).click()
      await queues.expectHoldState('effective')
      await expect(page.getByTestId('hold-panel')).toContainText('stock-taking')
    })

    await test.step('no workload passes it, also when the quota would allow it', async () => {
      await kubectl.run([
        'patch',
        'queues.evenkeel.io',
        'line',
        '--type=merge',
        '-p',
        '{"spec":{"quota":{"hard":{"cpu":"10"}}}}',
      ])
      await createInOrder(kubectl, 'late')
      await queues.expectPending('second', 'third', 'late')
      await expect(queues.pending('default', 'second')).toContainText('stock-taking', WAIT)
      expect(await isPlaced(kubectl, 'second')).toBe(false)
      await page.goto(`${product.url}/workloads/detail?id=${workloadIdOf('default', 'late')}`)
      await expect(page.getByTestId('held-notice')).toHaveAttribute('data-by', 'hold', WAIT)
      await expect(page.getByTestId('workload-state')).toContainText('stock-taking')
      await queues.open('default/line')
    })

    await test.step('another class changes the order', async () => {
      await queues.perform(text('queues.class.open', { name: 'late' }), text('queues.class.verb'), async (panel) => {
        await panel.getByLabel(text('queues.class.label')).selectOption('urgent')
        await expect(panel.getByTestId('new-position')).toHaveAttribute('data-position', '1')
      })
      await queues.expectPending('late', 'second', 'third')
    })

    await test.step('the resume shows the order first, and keeps it', async () => {
      await queues.resume('default/line', async (panel) => {
        await queues.inStages(panel)
        await expect(panel.getByTestId('expected-order').getByRole('listitem')).toContainText([
          'default/late',
          'default/second',
          'default/third',
        ])
      })
      await queues.expectPending()
      await expect(page.getByTestId('last-hold')).toContainText('stock-taking', WAIT)
      await expect
        .poll(() => scheduledOrder(kubectl, 'late', 'second', 'third'), WAIT)
        .toEqual(['late', 'second', 'third'])
    })
  },
)

test('one workload is admitted ahead of the others, and placed ones are not suspended', async ({
  kubectl,
  page,
  product,
}) => {
  await startMember(kubectl)
  await kubectl.apply(queue('default', 'line', `{ ${CLASSES}, hold: { reason: maintenance } }`))
  await createInOrder(kubectl, 'early', 'hasty')
  const queues = new QueuePages(page, product.url)
  await queues.open('default/line')
  await queues.expectPending('early', 'hasty')
  await queues.perform(say()('queues.release.open', { name: 'hasty' }), say()('queues.release.verb'), async (panel) => {
    await expect(panel.getByTestId('passed-workloads')).toHaveAttribute('data-count', '1')
    await expect(panel.getByTestId('passed-workloads')).toContainText('default/early')
  })
  await queues.expectPending('early')
  await expect.poll(() => isPlaced(kubectl, 'hasty'), WAIT).toBe(true)
  expect(await isPlaced(kubectl, 'early')).toBe(false)
  await queues.expectHoldState('effective')
  await page.goto(`${product.url}/workloads/detail?id=${workloadIdOf('default', 'hasty')}`)
  const suspend = page.getByRole('button', { name: say()('suspension.suspend.open') })
  await expect(suspend).toHaveAttribute('aria-disabled', 'true', WAIT)
  await expect(suspend).toHaveAccessibleDescription(new RegExp(say()('suspension.alreadyScheduled')))
})

test('a queue is deleted after saying what becomes of its pending workloads', async ({ kubectl, page, product }) => {
  await startMember(kubectl)
  await kubectl.apply(queue('default', 'line', '{ onDelete: Release, hold: { reason: maintenance } }'))
  await createInOrder(kubectl, 'waiter')
  const queues = new QueuePages(page, product.url)
  await queues.open('default/line')
  await queues.expectPending('waiter')
  await queues.perform(say()('queues.delete.openShort'), say()('queues.delete.verb'), async (panel) => {
    await expect(panel.getByTestId('on-delete')).toContainText(say()('queues.delete.onRelease', { count: 1 }))
  })
  await expect(page).toHaveURL(/\/queues$/)
  await expect(queues.row('default/line')).toBeHidden(WAIT)
  await expect.poll(() => isPlaced(kubectl, 'waiter'), WAIT).toBe(true)
})

test('one workload is suspended before it is placed, stays so, and is resumed', async ({ kubectl, page, product }) => {
  await kubectl.apply(queued({ namespace: 'default', name: 'early' }))
  const queues = new QueuePages(page, product.url)
  await page.goto(`${product.url}/workloads/detail?id=${workloadIdOf('default', 'early')}`)
  await queues.perform(say()('suspension.suspend.open'), say()('suspension.suspend.verb'), async (panel) => {
    await expect(panel.getByRole('button', { name: say()('suspension.suspend.verb'), exact: true })).toBeDisabled()
    await queues.reasonIn(panel).fill('not before the review')
  })
  await expect(page.getByTestId('held-notice')).toHaveAttribute('data-by', 'suspended', WAIT)
  await expect(page.getByTestId('workload-state')).toContainText('not before the review')
  await startMember(kubectl)
  await kubectl.apply(queued({ namespace: 'default', name: 'other' }))
  await expect.poll(() => isPlaced(kubectl, 'other'), WAIT).toBe(true)
  expect(await isPlaced(kubectl, 'early')).toBe(false)
  await queues.perform(say()('suspension.resume.open'), say()('suspension.resume.verb'))
  await expect.poll(() => isPlaced(kubectl, 'early'), WAIT).toBe(true)
  await expect(page.getByTestId('held-notice')).toBeHidden(WAIT)
})
