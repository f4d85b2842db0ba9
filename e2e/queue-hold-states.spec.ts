/** The states of a hold: requested, effective, leaking, undone and resuming, each distinct on screen. */
import type { Page } from '@playwright/test'
import { message } from '@/lib/messages'
import { english } from '@/lib/messages/english'
import { QueuePages, workloadIdOf } from './pages/queues'
import { queue, queued } from './scenarios/queues'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'
import type { Kubectl } from './support/kubectl'

const WAIT = { timeout: 60_000 }
/** A placeholder for values that a journey does not know, such as a time. */
const ANY = '…'
const matching = (words: string): RegExp =>
  new RegExp(
    words
      .split(ANY)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.+'),
  )
const bindingOf = (name: string): string => `${name}-deployment`

/** A queue on hold with these workloads. */
async function holdLine(kubectl: Kubectl, page: Page, ...names: string[]): Promise<void> {
  await kubectl.apply(queue('default', 'line', '{ hold: { reason: stock-taking } }'))
  for (const name of names) {
    await kubectl.apply(queued({ namespace: 'default', name }))
    await expect.poll(() => suspensionOf(kubectl, name), WAIT).toBe('true')
  }
  await expect(page.getByTestId('hold-panel').or(page.getByTestId('queue-row')).first()).toBeVisible(WAIT)
}

const suspensionOf = async (kubectl: Kubectl, name: string): Promise<string> =>
  (await kubectl.tryRun(['get', 'resourcebinding', bindingOf(name), '-o', 'jsonpath={.spec.suspension.scheduling}']))
    .stdout

/** What another scheduler, or upstream's, does to a binding that it holds in its queue. */
const place = (kubectl: Kubectl, name: string) =>
  kubectl.run([
    'patch',
    'resourcebinding',
    bindingOf(name),
    '--type=merge',
    '-p',
    '{"spec":{"clusters":[{"name":"member1","replicas":1}]}}',
  ])

const release = (kubectl: Kubectl, name: string, suspension: string) =>
  kubectl.run([
    'patch',
    'resourcebinding',
    bindingOf(name),
    '--type=merge',
    '--field-manager=rival',
    '-p',
    `{"spec":{"suspension":${suspension}}}`,
  ])

/** A binding that is created with its clusters. */
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

test('a hold that another controller undoes shows client, count, workloads and remedy, until it is resumed', async ({
  kubectl,
  page,
  product,
}) => {
  const queues = new QueuePages(page, product.url)
  await queues.openList()
  await holdLine(kubectl, page, 'steady', 'pulled')
  await queues.open('default/line')
  await queues.expectHoldState('effective')
  await expect(page.getByTestId('hold-message')).toContainText(/^2 /)

  await test.step('taken back as often as it is released, while no scheduler is quicker', async () => {
    for (const times of [1, 2, 3]) {
      await release(kubectl, 'pulled', '{"scheduling":false}')
      await expect(page.getByTestId('released-past')).toHaveAttribute('data-times', String(times), WAIT)
      await expect(rowOf(page, 'released-past-row', 'pulled')).toHaveAttribute('data-free', 'false', WAIT)
      expect(await suspensionOf(kubectl, 'pulled')).toBe('true')
    }
    await queues.expectHoldState('undone')
    await expect(page.getByTestId('hold-panel')).toContainText(
      say()('queues.holdState.undoneBy', { who: 'admin (rival)' }),
    )
    await expect(rowOf(page, 'released-past-row', 'pulled')).toContainText(
      say()('queues.undone.workload', { times: 3, who: 'admin (rival)', held: 'yes' }),
    )
    await expect(page.getByTestId('released-past')).toContainText(
      say()('queues.undone.advice', { who: 'admin (rival)', namespaces: ['default'] }),
    )
    await expect(rowOf(page, 'released-past-row', 'steady')).toHaveCount(0)
  })

  await test.step('after five times it is left alone, and the page shows that it is not held', async () => {
    for (const times of [4, 5, 6]) {
      await release(kubectl, 'pulled', '{"scheduling":false}')
      await expect(page.getByTestId('released-past')).toHaveAttribute('data-times', String(times), WAIT)
      if (times < 6)
        await expect(rowOf(page, 'released-past-row', 'pulled')).toHaveAttribute('data-free', 'false', WAIT)
    }
    await expect(rowOf(page, 'released-past-row', 'pulled')).toHaveAttribute('data-free', 'true', WAIT)
    await expect(rowOf(page, 'released-past-row', 'pulled')).toContainText(
      say()('queues.undone.workload', { times: 6, who: 'admin (rival)', held: 'no' }),
    )
    await expect(queues.pending('default', 'steady')).toBeVisible()
  })

  await test.step('the list and the events show the same', async () => {
    const events = () =>
      kubectl.run(['get', 'events', '--field-selector=reason=HoldUndone', '-o', 'jsonpath={.items[*].message}'])
    await expect.poll(events, WAIT).toContain(english('queues.step.Undone', { who: 'admin (rival)' }))
    await queues.openList()
    const state = queues.row('default/line').getByTestId('hold-state')
    await expect(state).toHaveAttribute('data-hold-state', 'undone')
    await expect(state).toContainText(say()('queues.holdState.undoneBy', { who: 'admin (rival)' }))
  })

  await test.step('a new hold begins anew, and holds again', async () => {
    await queues.open('default/line')
    await queues.perform(say()('queues.changeHold.openShort'), say()('queues.changeHold.verb'), async (panel) =>
      queues.reasonIn(panel).fill('rival is stopped'),
    )
    await queues.expectHoldState('effective')
    await expect(page.getByTestId('hold-message')).toContainText(/^2 /)
    expect(await suspensionOf(kubectl, 'pulled')).toBe('true')
  })
})

test('a leaking hold names the workloads scheduled despite it, and is not called effective', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1')
  const queues = new QueuePages(page, product.url)
  await queues.openList()
  await holdLine(kubectl, page, 'placed', 'waits')
  await queues.open('default/line')
  await queues.expectHoldState('effective')

  await test.step('placed by another scheduler while it is suspended', async () => {
    await place(kubectl, 'placed')
    await queues.expectHoldState('leaking')
    await expect(page.getByTestId('hold-leak')).toHaveCount(1)
    await expect(rowOf(page, 'hold-leak', 'placed')).toContainText(
      matching(say()('queues.leak.whileHeld', { at: 'none', since: ANY })),
    )
    await expect(page.getByTestId('hold-panel')).toContainText(say()('queues.hold.Leaking', { leaks: 1, held: 2 }))
  })

  await test.step('placed without ever having waited, as a restored one is, or one past a webhook that is away', async () => {
    await kubectl.apply(placedBinding('restored'))
    await expect(rowOf(page, 'hold-leak', 'restored')).toContainText(
      matching(say()('queues.leak.neverPending', { created: ANY, at: 'none' })),
      WAIT,
    )
    await expect(page.getByTestId('hold-leak')).toHaveCount(2)
    await expect(page.getByTestId('hold-panel')).toContainText(say()('queues.hold.Leaking', { leaks: 2, held: 2 }))
  })

  await test.step('the workload shows that it is placed, and that it is not scaled', async () => {
    await rowOf(page, 'hold-leak', 'placed').getByRole('link').first().click()
    await expect(page.getByTestId('held-notice')).toContainText(
      say()('suspension.ofPlaced', { reason: '' }).trim(),
      WAIT,
    )
    await page.goBack()
  })

  await test.step('freed by removing the field, and placed before the loop was there: undone, still by name', async () => {
    await release(kubectl, 'waits', 'null')
    await queues.expectHoldState('undone')
    await expect(page.getByTestId('hold-panel')).toContainText(
      say()('queues.holdState.undoneBy', { who: 'admin (rival)' }),
    )
    await expect(page.getByTestId('hold-leak')).toHaveCount(2)
  })

  await test.step('after the resume only its record is left', async () => {
    await queues.resume('default/line')
    await expect(page.getByTestId('last-hold')).toContainText('stock-taking', WAIT)
    await expect.poll(() => suspensionOf(kubectl, 'placed'), WAIT).toBe('false')
  })
})

test.describe('without a loop', () => {
  test.use({ flags: ['--no-demo', '--reconcilers=none'] })

  test('a hold that no controller has picked up is requested, and never called effective', async ({
    kubectl,
    page,
    product,
  }) => {
    const queues = new QueuePages(page, product.url)
    await kubectl.apply(queue('default', 'line', '{}'))
    await queues.open('default/line')
    await queues.hold('default/line', 'stock-taking')
    await queues.expectHoldState('requested')
    await expect(page.getByTestId('hold-message')).toHaveText(say()('queues.hold.notObserved', { held: 0 }))
  })
})

test('a staged resume that is blocked names the next workload and its reason, and can be ended at once', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1')
  const queues = new QueuePages(page, product.url)
  await kubectl.apply(
    queue('default', 'line', '{ strategy: StrictFIFO, quota: { hard: { cpu: "1" } }, hold: { reason: stock-taking } }'),
  )
  for (const [name, cpu] of [
    ['first', '1'],
    ['second', '1'],
  ] as const) {
    await kubectl.apply(queued({ namespace: 'default', name, cpu }))
    await expect.poll(() => suspensionOf(kubectl, name), WAIT).toBe('true')
  }
  await queues.open('default/line')
  await queues.resume('default/line', (panel) => queues.inStages(panel))
  await queues.expectHoldState('resuming')
  await queues.expectPending('second')
  const overQuota = say()('queues.reason.OverQuota', {
    over: message('queues.amount.of', { amount: '1', resource: 'CPU' }),
    needs: message('queues.amount.of', { amount: '1', resource: 'CPU' }),
    usage: message('queues.amount.usedOf', { used: '1', quota: '1', resource: 'CPU' }),
  })
  const next = page.getByTestId('resume-next')
  await expect(next).toContainText(overQuota, WAIT)
  await expect(next.getByRole('link', { name: /second/ })).toBeVisible()
  await expect(page.getByTestId('queue-state')).toContainText(overQuota)

  await queues.resume('default/line', async (panel) => {
    await panel.getByLabel(say()('queues.resume.manner'), { exact: true }).selectOption('once')
  })
  await expect(page.getByTestId('last-hold')).toContainText('stock-taking', WAIT)
  await expect(queues.pending('default', 'second')).toHaveAttribute('data-reason', 'OverQuota')
})
