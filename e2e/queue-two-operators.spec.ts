/** Two operators who act on one queue in the same moment: one succeeds, the other sees the current state. */
import type { Browser } from '@playwright/test'
import { QueuePages } from './pages/queues'
import { queue, queued } from './scenarios/queues'
import { expect, test } from './support/fixtures'
import { say } from './support/say'
import type { Kubectl } from './support/kubectl'
import type { Product } from './support/product'

const WAIT = { timeout: 60_000 }

/** An operator at a browser of their own, before the page of the queue. */
async function operator(browser: Browser, { url }: Product): Promise<QueuePages> {
  const page = await (await browser.newContext()).newPage()
  const queues = new QueuePages(page, url)
  await queues.open('default/line')
  return queues
}

const holdOf = (kubectl: Kubectl) =>
  kubectl.run(['get', 'queues.evenkeel.io', 'line', '-o', 'jsonpath={.spec.hold.reason}'])

/** Opens and fills in the panel without sending it. */
async function prepareHold(queues: QueuePages, reason: string): Promise<void> {
  await queues.page.getByRole('button', { name: say()('queues.hold.open', { queue: 'default/line' }) }).click()
  await queues.reasonIn(queues.panel).fill(reason)
}

const changed = (queues: QueuePages) => queues.panel.getByTestId('changed-meanwhile')
const confirm = (queues: QueuePages, verb: string) => queues.panel.getByRole('button', { name: verb, exact: true })

/** All press the button that they see now, at once. */
async function inOneMoment(all: readonly QueuePages[], verb: string): Promise<void> {
  for (const queues of all) await expect(confirm(queues, verb)).toBeEnabled(WAIT)
  const buttons = await Promise.all(all.map((queues) => confirm(queues, verb).elementHandle()))
  await Promise.all(buttons.map((button) => button?.dispatchEvent('click')))
}

/** The result of one of two requests: the panel closed, or shows the error. */
async function outcome(queues: QueuePages): Promise<'done' | 'told'> {
  const told = queues.panel.getByRole('alert').first()
  await expect(async () => expect((await told.isVisible()) || !(await queues.panel.isVisible())).toBe(true)).toPass(
    WAIT,
  )
  return (await queues.panel.isVisible()) ? 'told' : 'done'
}

test('two operators act on one queue at once: one succeeds, the other sees the current state', async ({
  browser,
  kubectl,
  product,
}) => {
  await kubectl.apply(queue('default', 'line', '{}'))
  const [ann, bob] = await Promise.all([operator(browser, product), operator(browser, product)])

  await test.step('both hold it in the same moment', async () => {
    await prepareHold(ann, 'audit')
    await prepareHold(bob, 'stock-taking')
    await inOneMoment([ann, bob], say()('queues.hold.verb'))
    const [first, second] = await Promise.all([outcome(ann), outcome(bob)])
    expect([first, second].sort()).toEqual(['done', 'told'])
    const [winner, loser] = first === 'done' ? [ann, bob] : [bob, ann]
    const reason = first === 'done' ? 'audit' : 'stock-taking'
    expect(await holdOf(kubectl)).toBe(reason)
    await winner.expectHoldState('effective')
    await expect(changed(loser)).toContainText(`“${reason}”`, WAIT)
    await expect(changed(loser)).toContainText(say()('queues.changed.notSent'))
    await expect(loser.panel.getByRole('button', { disabled: true })).toBeVisible()
    await loser.panel.getByRole('button', { name: say()('queues.changed.startOver') }).click()
    await expect(loser.reasonIn(loser.panel)).toHaveValue(reason)
    await loser.panel.getByRole('button', { name: say()('queues.action.cancel') }).click()
  })

  await test.step('one resumes a hold that the other one changes meanwhile', async () => {
    await ann.page.getByRole('button', { name: say()('queues.resume.open', { queue: 'default/line' }) }).click()
    await expect(confirm(ann, say()('queues.resume.verb'))).toBeEnabled(WAIT)
    await bob.perform(say()('queues.changeHold.openShort'), say()('queues.changeHold.verb'), async (panel) =>
      bob.reasonIn(panel).fill('incident'),
    )
    await expect(changed(ann)).toContainText('“incident”', WAIT)
    await expect(confirm(ann, say()('queues.resume.verb'))).toBeDisabled()
    expect(await holdOf(kubectl)).toBe('incident')
    await ann.panel.getByRole('button', { name: say()('queues.changed.startOver') }).click()
    await expect(changed(ann)).toBeHidden()
    await expect(confirm(ann, say()('queues.resume.verb'))).toBeEnabled()
  })

  await test.step('one edits while the other resumes: the edit succeeds, because it changes other fields', async () => {
    await bob.page.getByRole('button', { name: say()('queues.edit.openShort') }).click()
    await bob.panel.getByLabel(say()('queues.form.weight')).fill('7')
    await confirm(ann, say()('queues.resume.verb')).click()
    await expect(ann.panel).toBeHidden(WAIT)
    await expect(bob.page.getByTestId('last-hold')).toContainText('incident', WAIT)
    await confirm(bob, say()('queues.edit.verb')).click()
    await expect(bob.panel).toBeHidden(WAIT)
    await expect(ann.page.getByRole('main')).toContainText(say()('queues.settings.weight', { weight: 7 }), WAIT)
    expect(await holdOf(kubectl)).toBe('')
  })

  await test.step('both edit it: the second starts over, and overwrites nothing unseen', async () => {
    await bob.page.getByRole('button', { name: say()('queues.edit.openShort') }).click()
    await bob.panel.getByLabel(say()('queues.form.weight')).fill('9')
    await ann.page.getByRole('button', { name: say()('queues.edit.openShort') }).click()
    await ann.panel.getByLabel(say()('queues.form.weight')).fill('8')
    await confirm(ann, say()('queues.edit.verb')).click()
    await expect(ann.panel).toBeHidden(WAIT)
    await expect(changed(bob)).toContainText(say()('queues.changed.queue'), WAIT)
    await expect(confirm(bob, say()('queues.edit.verb'))).toBeDisabled()
    await bob.panel.getByRole('button', { name: say()('queues.changed.startOver') }).click()
    await expect(bob.panel.getByLabel(say()('queues.form.weight'))).toHaveValue('8')
    await bob.panel.getByRole('button', { name: say()('queues.action.cancel') }).click()
  })

  await test.step('both request the same workload: it is requested once, and both see by whom', async () => {
    await kubectl.run([
      'patch',
      'queues.evenkeel.io',
      'line',
      '--type=merge',
      '-p',
      '{"spec":{"quota":{"hard":{"cpu":"0"}}}}',
    ])
    await kubectl.apply(queued({ namespace: 'default', name: 'wanted' }))
    for (const each of [ann, bob])
      await each.page.getByRole('button', { name: say()('queues.release.open', { name: 'wanted' }) }).click(WAIT)
    await inOneMoment([ann, bob], say()('queues.release.verb'))
    const outcomes = await Promise.all([outcome(ann), outcome(bob)])
    expect(outcomes.toSorted()).toEqual(['done', 'told'])
    const loser = outcomes[0] === 'told' ? ann : bob
    await expect(loser.panel.getByRole('alert')).toContainText('admin')
    await loser.panel.getByRole('button', { name: say()('queues.action.cancel') }).click()
    for (const each of [ann, bob])
      await expect(each.page.getByTestId('release-requested')).toContainText(
        say()('queues.release.requestedBy', { who: 'admin' }),
        WAIT,
      )
  })
})
