/** How true a hold is: what was asked for, what is, what got past it, and who undoes it, each told apart on screen. */
import type { Page } from '@playwright/test'
import { QueuePages, workloadIdOf } from './pages/queues'
import { member } from './scenarios/members'
import { queue, queued } from './scenarios/queues'
import { waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import type { Kubectl } from './support/kubectl'

const WAIT = { timeout: 60_000 }
const bindingOf = (name: string): string => `${name}-deployment`

/** A queue that is held, and these workloads in it. */
async function holdLine(kubectl: Kubectl, page: Page, ...names: string[]): Promise<void> {
  await kubectl.apply(queue('default', 'line', '{ hold: { reason: stock-taking } }'))
  for (const name of names) {
    await kubectl.apply(queued({ namespace: 'default', name }))
    await expect.poll(() => suspensionOf(kubectl, name), WAIT).toBe('true')
  }
  await expect(page.getByTestId('hold-panel').or(page.getByTestId('queue-row')).first()).toBeVisible(WAIT)
}

const suspensionOf = async (kubectl: Kubectl, name: string): Promise<string> => (await kubectl.tryRun([
  'get', 'resourcebinding', bindingOf(name), '-o', 'jsonpath={.spec.suspension.scheduling}',
])).stdout

/** What another scheduler, or upstream's, does to a binding that it holds in its queue. */
const place = (kubectl: Kubectl, name: string) => kubectl.run([
  'patch', 'resourcebinding', bindingOf(name), '--type=merge', '-p', '{"spec":{"clusters":[{"name":"member1","replicas":1}]}}',
])

const release = (kubectl: Kubectl, name: string, suspension: string) => kubectl.run([
  'patch', 'resourcebinding', bindingOf(name), '--type=merge', '--field-manager=rival', '-p', `{"spec":{"suspension":${suspension}}}`,
])

/** A binding that comes with its clusters. */
const placedBinding = (name: string): string => `
apiVersion: work.karmada.io/v1alpha2
kind: ResourceBinding
metadata: { name: ${bindingOf(name)}, namespace: default }
spec:
  resource: { apiVersion: apps/v1, kind: Deployment, namespace: default, name: ${name} }
  replicas: 1
  replicaRequirements: { resourceRequest: { cpu: "1" } }
  placement: { clusterAffinity: {} }
  clusters: [{ name: member1, replicas: 1 }]
---`

const rowOf = (page: Page, testId: string, name: string) =>
  page.getByTestId(testId).filter({ has: page.locator(`a[href*="${workloadIdOf('default', name)}"]`) })

test('a hold that another controller undoes says who, how often, on what and what to do, until it is resumed', async ({
  kubectl, page, product,
}) => {
  const queues = new QueuePages(page, product.url)
  await queues.openList()
  await holdLine(kubectl, page, 'steady', 'pulled')
  await queues.open('default/line')
  await queues.expectHoldState('effective')
  await expect(page.getByTestId('hold-sentence')).toContainText('2 workloads are held back')

  await test.step('taken back as often as it is released, while no scheduler is quicker', async () => {
    for (const times of [1, 2, 3]) {
      await release(kubectl, 'pulled', '{"scheduling":false}')
      await expect(page.getByTestId('released-past')).toHaveAttribute('data-times', String(times), WAIT)
      await expect(rowOf(page, 'released-past-row', 'pulled')).toHaveAttribute('data-free', 'false', WAIT)
      expect(await suspensionOf(kubectl, 'pulled')).toBe('true')
    }
    await queues.expectHoldState('undone')
    await expect(page.getByTestId('hold-panel')).toContainText('Undone by admin (rival)')
    await expect(rowOf(page, 'released-past-row', 'pulled')).toContainText('3 times, last by admin (rival); it is held back again')
    await expect(page.getByTestId('released-past')).toContainText('Stop admin (rival) from writing spec.suspension of bindings in default')
    await expect(rowOf(page, 'released-past-row', 'steady')).toHaveCount(0)
  })

  await test.step('once it was taken back five times it is left alone, and the page says that it is free', async () => {
    for (const times of [4, 5, 6]) {
      await release(kubectl, 'pulled', '{"scheduling":false}')
      await expect(page.getByTestId('released-past')).toHaveAttribute('data-times', String(times), WAIT)
      if (times < 6) await expect(rowOf(page, 'released-past-row', 'pulled')).toHaveAttribute('data-free', 'false', WAIT)
    }
    await expect(rowOf(page, 'released-past-row', 'pulled')).toHaveAttribute('data-free', 'true', WAIT)
    await expect(rowOf(page, 'released-past-row', 'pulled')).toContainText('it is free, and this hold does not take it back')
    await expect(queues.waiting('default', 'steady')).toBeVisible()
  })

  await test.step('the list and the events say the same', async () => {
    const events = await kubectl.run(['get', 'events', '--field-selector=reason=HoldUndone', '-o', 'jsonpath={.items[*].message}'])
    expect(events).toContain('admin (rival) released it although its queue is paused')
    await queues.openList()
    const state = queues.row('default/line').getByTestId('hold-state')
    await expect(state).toHaveAttribute('data-hold-state', 'undone')
    await expect(state).toContainText('Undone by admin (rival)')
  })

  await test.step('a new hold begins anew, and holds again', async () => {
    await queues.open('default/line')
    await queues.act('Change the hold…', 'Change the hold', async (panel) => panel.getByLabel(/^Reason/).fill('rival is stopped'))
    await queues.expectHoldState('effective')
    await expect(page.getByTestId('hold-sentence')).toContainText('2 workloads are held back')
    expect(await suspensionOf(kubectl, 'pulled')).toBe('true')
  })
})

test('a hold that leaks names what was placed all the same, and is not called effective', async ({ kubectl, page, product }) => {
  await kubectl.apply(member('member1'))
  await waitForCluster(kubectl, 'member1', true)
  const queues = new QueuePages(page, product.url)
  await queues.openList()
  await holdLine(kubectl, page, 'placed', 'waits')
  await queues.open('default/line')
  await queues.expectHoldState('effective')

  await test.step('placed by another scheduler while it is suspended', async () => {
    await place(kubectl, 'placed')
    await queues.expectHoldState('leaking')
    await expect(page.getByTestId('hold-leak')).toHaveCount(1)
    await expect(rowOf(page, 'hold-leak', 'placed')).toContainText('It was placed although it is held since')
    await expect(page.getByTestId('hold-panel')).toContainText('1 workload was placed although the queue is held')
  })

  await test.step('placed without ever having waited, as a restored one is, or one past a webhook that is away', async () => {
    await kubectl.apply(placedBinding('restored'))
    await expect(rowOf(page, 'hold-leak', 'restored')).toContainText('It never waited: nothing suspended it when it came', WAIT)
    await expect(page.getByTestId('hold-leak')).toHaveCount(2)
    await expect(page.getByTestId('hold-panel')).toContainText('2 workloads were placed although the queue is held')
  })

  await test.step('the workload itself says that it is placed, and that its scaling stands still', async () => {
    await rowOf(page, 'hold-leak', 'placed').getByRole('link').first().click()
    await expect(page.getByTestId('held-notice')).toContainText('It stays where it is; its scaling and failover stop meanwhile', WAIT)
    await page.goBack()
  })

  await test.step('freed by removing the field, and placed before the loop was there: undone, by name all the same', async () => {
    await release(kubectl, 'waits', 'null')
    await queues.expectHoldState('undone')
    await expect(page.getByTestId('hold-panel')).toContainText('Undone by admin (rival)')
    await expect(page.getByTestId('hold-leak')).toHaveCount(2)
  })

  await test.step('resumed, nothing is left of it but the record', async () => {
    await queues.act('Resume queue default/line…', 'Resume')
    await expect(page.getByTestId('last-hold')).toContainText('stock-taking', WAIT)
    await expect.poll(() => suspensionOf(kubectl, 'placed'), WAIT).toBe('false')
  })
})

test.describe('without a loop', () => {
  test.use({ flags: ['--no-demo', '--reconcilers=none'] })

  test('a hold that no loop has seen is requested, and never called effective', async ({ kubectl, page, product }) => {
    const queues = new QueuePages(page, product.url)
    await kubectl.apply(queue('default', 'line', '{}'))
    await queues.open('default/line')
    await queues.act('Hold queue default/line…', 'Hold', async (panel) => panel.getByLabel(/^Reason/).fill('stock-taking'))
    await queues.expectHoldState('requested')
    await expect(page.getByTestId('hold-sentence')).toContainText('no loop of this queue has seen it yet')
  })
})

test('a staged resume that waits says for whom and why, and can be ended at once', async ({ kubectl, page, product }) => {
  await kubectl.apply(member('member1'))
  await waitForCluster(kubectl, 'member1', true)
  const queues = new QueuePages(page, product.url)
  await kubectl.apply(queue('default', 'line', '{ strategy: StrictFIFO, quota: { hard: { cpu: "1" } }, hold: { reason: stock-taking } }'))
  for (const [name, cpu] of [['first', '1'], ['second', '1']] as const) {
    await kubectl.apply(queued({ namespace: 'default', name, cpu }))
    await expect.poll(() => suspensionOf(kubectl, name), WAIT).toBe('true')
  }
  await queues.open('default/line')
  await queues.act('Resume queue default/line…', 'Resume', async (panel) => {
    await panel.getByLabel('Release', { exact: true }).selectOption('staged')
    await panel.getByLabel('At a time').fill('1')
  })
  await queues.expectHoldState('resuming')
  await queues.expectLine('second')
  const waits = page.getByTestId('resume-waits')
  await expect(waits).toContainText('over the quota', WAIT)
  await expect(waits.getByRole('link', { name: /second/ })).toBeVisible()
  await expect(waits).toContainText('To end it now, resume all at once')
  await expect(page.getByTestId('queue-state')).toContainText('over the quota')

  await queues.act('Resume queue default/line…', 'Resume', async (panel) => {
    await panel.getByLabel('Release', { exact: true }).selectOption('once')
  })
  await expect(page.getByTestId('last-hold')).toContainText('stock-taking', WAIT)
  await expect(queues.waiting('default', 'second')).toContainText('over the quota')
})
