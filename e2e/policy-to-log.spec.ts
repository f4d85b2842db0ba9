import { waitForCluster } from './support/binding'
import { dynamicWeight, member, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'
import { expectNoSidewaysScroll } from './support/sideways'

const webPage = '/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fweb'

test('from the policy to the log of a pod by keyboard, and every figure and line is that of kubectl', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(workload({ name: 'web', replicas: 4, placement: dynamicWeight }))
  await page.goto(`${product.url}${webPage}`)
  const topology = page.getByTestId('topology')
  await expect(topology.locator('svg [data-pod][data-mark=ready]')).toHaveCount(4, { timeout: 30_000 })

  for (const cluster of ['member1', 'member2']) {
    const names = (await kubectl.inMember(cluster, ['get', 'pods', '-o', 'name'])).trim().split('\n')
    const lane = topology.locator(`[data-lane=${cluster}] [data-pod]`)
    const shown = await lane.evaluateAll((squares) => squares.map((square) => `pod/${square.getAttribute('data-pod')}`))
    expect(shown.sort()).toEqual(names.sort())
  }

  await topology.locator('[data-node=policy]').focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('heading', { name: 'web' })).toBeVisible()
  await drawer.getByRole('tab', { name: say()('pods.tab.yaml') }).click()
  await expect(drawer.getByText('kind: PropagationPolicy')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()

  const first = topology.locator('[data-lane=member1] [data-pod]').first()
  await first.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expect(first).toBeFocused()
  const pod = (await first.getAttribute('data-pod')) ?? ''
  await page.keyboard.press('Enter')
  await expect(drawer.getByTestId('log-state')).toHaveAttribute('data-state', 'following')
  await expect(drawer.locator('[data-line="6"]')).toBeVisible()
  const lines = (await kubectl.inMember('member1', ['logs', pod])).split('\n')
  for (const index of [0, 1, 3, 6])
    await expect(drawer.locator(`[data-line="${index}"]`)).toHaveText(lines[index] ?? '')

  await drawer.getByLabel(say()('logs.search')).fill('config: loaded')
  await expect(drawer.locator('[data-line]')).toHaveCount(1)
  await drawer.getByLabel(say()('logs.search')).fill('')
  await drawer.getByRole('checkbox', { name: say()('logs.previous') }).click()
  await expect(drawer.getByRole('alert')).toContainText(`previous terminated container "app" in pod "${pod}" not found`)
})

test('pods of a cluster that a user may not read, or that is away, are named with the reason', async ({
  kubectl,
  page,
  product,
}) => {
  await kubectl.apply(member('member1') + workload({ name: 'web', replicas: 2, placement: dynamicWeight }))
  await waitForCluster(kubectl, 'member1', true)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${product.url}${webPage}`)
  await expect(page.getByTestId('pod-row')).toHaveCount(2, { timeout: 30_000 })
  await kubectl.takeDown('member1')
  await expect(page.getByTestId('member-problem')).toContainText('member1')
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 320, height: 844 })
  await expectNoSidewaysScroll(page)
})
