import type { Locator, Page } from '@playwright/test'
import { findingsInBoth } from './support/axe'
import { expectPlaced, milli, waitForCluster } from './support/binding'
import { dynamicWeight, workload } from './scenarios/members'
import { PlanPage } from './pages/plan'
import { CORE, expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import type { Kubectl } from './support/kubectl'
import { say } from './support/say'
import { expectNoSidewaysScroll } from './support/sideways'

interface PlanObject {
  status: { counts: { replicasMoved: number }; workloads: { readyFloor?: number; readyLowest?: number }[] }
}

/** The flow and the chart of ready replicas equal the plan, also for the keyboard, axe and a phone. */
async function expectPictures(page: Page, kubectl: Kubectl): Promise<void> {
  const { items } = await kubectl.json<{ items: PlanObject[] }>(['get', 'rebalanceplans'])
  const { counts, workloads } = items[0]!.status
  const flow = page.getByTestId('plan-flow')
  await expect(flow).toHaveAttribute('data-moved', String(counts.replicasMoved))
  await expect(flow).toHaveAttribute('data-done', String(counts.replicasMoved))
  const ready = page.getByTestId('plan-ready')
  await expect(ready).toHaveAttribute(
    'data-floor',
    String(workloads.reduce((sum, each) => sum + (each.readyFloor ?? 0), 0)),
  )
  const [lowest, floor] = [await ready.getAttribute('data-lowest'), await ready.getAttribute('data-floor')].map(Number)
  expect(lowest).toBeGreaterThanOrEqual(floor ?? Infinity)
  await page.getByTestId('flow-ribbon').focus()
  await expect(flow).toContainText(/default\/web(: |：)2/)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('flow-move-row')).toContainText(/default\/api(: |：)2/)
  expect(await findingsInBoth(page)).toEqual([])
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize(size)
}

interface ClusterObject {
  metadata: { name: string }
  status: { resourceSummary: Record<'allocatable' | 'allocated' | 'allocating', Record<string, string> | undefined> }
}

/** The CPU of each cluster is what kubectl reads, and what `arriving` replicas of 100m add to member1. */
async function expectLoad(page: Locator, kubectl: Kubectl, arriving: number): Promise<void> {
  // A preview is a snapshot; a plan reads on by itself.
  const again = page.getByRole('button', { name: say()('plan.age.recompute') })
  await expect(async () => {
    if (await again.isVisible()) await again.click()
    const { items } = await kubectl.json<{ items: ClusterObject[] }>(['get', 'clusters'])
    for (const { metadata, status } of items) {
      const { allocatable, allocated, allocating } = status.resourceSummary
      const row = page.locator(`[data-testid="cluster-load"][data-cluster="${metadata.name}"]`)
      const cpu = async (what: string) => Number(await row.getAttribute(`data-cpu-${what}`))
      const now = milli(allocated?.['cpu']) + milli(allocating?.['cpu'])
      expect([await cpu('allocatable'), await cpu('now')]).toEqual([milli(allocatable?.['cpu']), now])
      expect(await cpu('after')).toBe(now + (metadata.name === 'member1' ? 100 : -100) * arriving)
    }
  }).toPass({ timeout: 30_000 })
}

/** By keyboard: the ribbon, its menu, the workload; the plan is computed in place, and its undo brings it back. */
async function leaveOutAndPutBack(page: Page, preview: Locator): Promise<void> {
  await preview.getByTestId('flow-ribbon').focus()
  await page.keyboard.press('Enter')
  const menu = preview.getByTestId('leave-out')
  await expect(menu.getByRole('button').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await preview.getByTestId('flow-ribbon').click()
  await menu.locator('[data-workload$="/web"]').press('Enter')
  await expect(preview.getByTestId('plan-flow')).toHaveAttribute('data-moved', '2')
  await expect(page).toHaveURL(/out=.*web/)
  expect(await findingsInBoth(page)).toEqual([])
  await preview.getByTestId('left-out').getByRole('button').click()
  await expect(preview.getByTestId('plan-flow')).toHaveAttribute('data-moved', '4')
}

test(
  'selected workloads go home in waves without losing a ready replica, and an undo brings them back',
  { tag: CORE },
  async ({ kubectl, fleet, page }) => {
    await startMembers(kubectl, 'member1', 'member2')
    for (const name of ['api', 'web']) await kubectl.apply(workload({ name, replicas: 4, placement: dynamicWeight }))
    await fleet.open()
    for (const name of ['api', 'web']) await fleet.expectDistribution(name, { member1: 2, member2: 2 })
    await kubectl.takeDown('member1')
    for (const name of ['api', 'web']) await fleet.expectDistribution(name, { member2: 4 })
    await kubectl.bringBack('member1')
    await waitForCluster(kubectl, 'member1', true)

    await fleet.select('api', 'web')
    const preview = await fleet.preview('waves')
    await expect(preview).toContainText(say()('plan.summary.staysReady'))
    await expect(preview.getByTestId('plan-flow')).toHaveAttribute('data-moved', '4')
    await expect(preview.getByTestId('flow-ribbon')).toHaveAttribute('data-replicas', '4')
    await expectLoad(preview, kubectl, 4)
    await leaveOutAndPutBack(page, preview)
    await fleet.apply()
    const plan = new PlanPage(page)
    await plan.expectCalmRun('api', 'web')
    await expect(page.getByTestId('plan-wave')).toHaveCount(2)
    await expectPictures(page, kubectl)
    await expectLoad(page.locator('body'), kubectl, 0)
    await expect(page.getByTestId('plan-band')).toHaveAttribute('data-upcoming', '0')
    for (const name of ['api', 'web']) await expectPlaced(kubectl, `${name}`, { member1: 2, member2: 2 })

    await plan.act('undo')
    await plan.expectPhase('AwaitingApproval')
    await expect(plan.target('web').locator('[data-cluster="member2"]')).toHaveAttribute('data-after', '4')
    await plan.act('approve')
    await plan.expectCalmRun('api', 'web')
    for (const name of ['api', 'web']) await expectPlaced(kubectl, name, { member2: 4 })
  },
)

test('a plan chosen by label waits for approval, pauses between its waves and stops on request', async ({
  kubectl,
  fleet,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.takeDown('member1')
  await waitForCluster(kubectl, 'member1', false)
  const names = ['a', 'b', 'c']
  for (const name of names) await kubectl.apply(workload({ name, replicas: 4, placement: dynamicWeight }))
  await fleet.open()
  for (const name of names) await fleet.expectDistribution(name, { member2: 4 })
  await kubectl.bringBack('member1')
  await waitForCluster(kubectl, 'member1', true)

  const plan = new PlanPage(page)
  await plan.create(product.url, 'labels=app in (a,b)&in=1,100%,300')
  await plan.expectPhase('AwaitingApproval')
  await expect(page.getByTestId('plan-run-target')).toHaveCount(2)
  // Before the approval the prediction is drawn: no ready replica of the two is lost on the way.
  const predicted = page.getByTestId('plan-ready')
  await expect(predicted).toHaveAttribute('data-before', '8')
  await expect(predicted).toHaveAttribute('data-predicted', '8')
  await expect(predicted).toHaveAttribute('data-floor', '8')
  await expect(page.getByTestId('plan-band')).toHaveAttribute('data-upcoming', '2')
  await expect(page.getByTestId('plan-band')).toHaveAttribute('data-untimed', 'inOrder')
  await expectPlaced(kubectl, 'a', { member2: 4 })
  await plan.act('approve')
  // A wave has to be over before the next can have a time.
  await expect(page.getByTestId('plan-band')).toHaveAttribute('data-upcoming', '1', { timeout: 60_000 })
  await expect(page.getByTestId('plan-run-target').and(page.locator('[data-stage="Done"]'))).toHaveCount(1, {
    timeout: 60_000,
  })
  await plan.act('pause')
  await plan.expectPhase('Paused')
  await page.reload()
  await plan.act('resume')
  await plan.expectPhase('Running')
  await plan.act('stop')
  await plan.expectPhase('Stopped')
  await expectPlaced(kubectl, 'a', { member1: 2, member2: 2 })
  await expectPlaced(kubectl, 'b', { member2: 4 })

  await page.goto(`${product.url}/rebalancers`)
  await expect(page.getByTestId('plan-row')).toHaveAttribute('data-phase', 'Stopped')
})

test('a plan is made, approved, watched and deleted with kubectl alone', async ({ kubectl }) => {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.takeDown('member1')
  await waitForCluster(kubectl, 'member1', false)
  await kubectl.apply(workload({ name: 'web', replicas: 4, placement: dynamicWeight }))
  await expectPlaced(kubectl, 'web', { member2: 4 })
  await kubectl.bringBack('member1')
  await waitForCluster(kubectl, 'member1', true)

  await kubectl.apply(
    'apiVersion: evenkeel.io/v1alpha1\nkind: RebalancePlan\nmetadata: { name: home }\nspec: { selection: { namespaces: [default] } }\n',
  )
  await kubectl.run(['wait', 'rbp/home', '--for=jsonpath={.status.phase}=AwaitingApproval', '--timeout=60s'])
  const base = await kubectl.run(['get', 'rbp', 'home', '-o', 'jsonpath={.status.base}'])
  await kubectl.run(['patch', 'rbp', 'home', '--type=merge', '-p', JSON.stringify({ spec: { base } })])
  await kubectl.run(['wait', 'rbp/home', '--for=jsonpath={.status.phase}=Completed', '--timeout=60s'])
  await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })
  await kubectl.run(['delete', 'rbp', 'home'])
})
