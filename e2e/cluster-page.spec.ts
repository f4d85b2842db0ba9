import { findingsInBoth } from './support/axe'
import { dynamicWeight, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'
import { expectNoSidewaysScroll } from './support/sideways'

interface Listed {
  items: { metadata: { name: string }; spec: { nodeName?: string } }[]
}

test('the page of a cluster has the figures of kubectl, and its buttons work', async ({ kubectl, page, product }) => {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(workload({ name: 'web', replicas: 6, cpu: '500m', placement: dynamicWeight }))
  await page.goto(`${product.url}/clusters?cluster=member1`)
  await page.getByRole('link', { name: say()('clusters.openPage') }).click()
  const body = page.getByTestId('cluster-page')
  await expect(body).toHaveAttribute('data-cluster', 'member1')
  await expect(page.getByTestId('cluster-figures').locator('[data-figure=replicas]')).toHaveText(
    say()('clusterPage.of', { part: 3, whole: 3 }),
    { timeout: 30_000 },
  )
  await expect(page.getByTestId('node')).toHaveCount(3)
  const pods = JSON.parse(await kubectl.inMember('member1', ['get', 'pods', '-A', '-o', 'json'])) as Listed
  const perNode = Map.groupBy(pods.items, ({ spec }) => spec.nodeName ?? '')
  for (const [node, there] of perNode) {
    await expect(page.locator(`[data-testid=node][data-node="${node}"]`)).toHaveAttribute(
      'data-pods',
      String(there.length),
    )
  }
  await expect(page.getByTestId('requested')).toContainText('1.5')
  await expect(page.getByTestId('capacity')).toContainText('36')
  expect(await findingsInBoth(page)).toEqual([])

  // While the page holds changes back, what was ordered is marked as requested.
  await page.getByRole('button', { name: say()('shell.pauseUpdates') }).click()
  await page.getByRole('button', { name: say()('clusterPage.cordon'), exact: true }).click()
  const requested = page.getByTestId('cluster-sentence').getByTestId('asked')
  await expect(requested).toHaveText(say()('common.requested', { action: say()('clusterPage.cordon') }))
  await expect.poll(() => kubectl.run(['get', 'cluster', 'member1', '-o', 'jsonpath={.spec.taints}'])).not.toBe('')
  await expect(requested).toBeVisible()
  await page.getByRole('button', { name: say()('shell.resumeUpdates') }).click()
  await expect(page.getByRole('button', { name: say()('clusterPage.uncordon') })).toBeVisible()
  await expect(requested).toBeHidden()
  const taints = await kubectl.run(['get', 'cluster', 'member1', '-o', 'jsonpath={.spec.taints[*].key}'])
  expect(taints).toBe('cluster.karmada.io/unschedulable')
  // Time before the record began is unknown, and the new taint has a lane of its own.
  const lane = (name: string) => page.getByTestId('timeline-lane').filter({ hasText: name })
  const ready = lane(say()('timeline.lane.ready')).first()
  await expect(ready.locator('[data-span]').first()).toHaveAttribute('data-span', 'unknown')
  await expect(ready.locator('[data-span]').last()).toHaveAttribute('data-span', 'ok')
  const cordon = lane(`${taints}:NoSchedule`)
  await expect(cordon.locator('[data-span=held]')).toHaveCount(1)
  await expect(page.getByTestId('forecast')).toHaveAttribute('data-forecast', 'short')
  const journal = (await (await fetch(`${product.url}/api/v1/journal?cluster=member1`)).json()) as {
    what: string
    after?: object
  }[]
  expect(journal.findLast(({ what }) => what === 'taint')?.after).toEqual(
    JSON.parse(await kubectl.run(['get', 'cluster', 'member1', '-o', 'jsonpath={.spec.taints[0]}'])),
  )
  await page.getByRole('button', { name: say()('clusterPage.uncordon') }).click()
  await expect(page.getByRole('button', { name: say()('clusterPage.cordon'), exact: true })).toBeVisible()

  // The lane stays, and ends before the present; its twin in the table has the same words.
  await expect(cordon).toContainText(say()('timeline.absent'))
  await page.getByText(say()('timeline.asTable'), { exact: true }).click()
  await expect(page.getByTestId('timeline-span').filter({ hasText: `${taints}:NoSchedule` })).toHaveCount(2)

  await page.getByRole('textbox', { name: say()('clusterPage.resizeTo') }).fill('5')
  await page.getByRole('button', { name: say()('clusterPage.resize') }).click()
  await expect(page.getByTestId('node')).toHaveCount(5)
  await page.getByRole('button', { name: say()('clusters.simulate.down') }).click()
  await expect(page.getByTestId('cluster-sentence')).toHaveAttribute('data-state', 'fail')
  await expect(page.getByTestId('member-problem')).toContainText('member1')
  await expect(ready.locator('[data-span]').last()).not.toHaveAttribute('data-span', 'ok')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: say()('clusters.simulate.up') }).click()
  await expect(page.getByTestId('cluster-sentence')).toHaveAttribute('data-state', 'ok')
})
