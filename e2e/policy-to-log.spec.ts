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

test('a log of 100 MB shows its last lines, counts the others, and can be searched', async ({
  kubectl,
  page,
  product,
}) => {
  await kubectl.apply(member('member1') + workload({ name: 'web', replicas: 1, placement: dynamicWeight }))
  await waitForCluster(kubectl, 'member1', true)
  await page.addInitScript(answerWithLongLog, { lines: 100_000, width: 1000 })
  await page.goto(`${product.url}${webPage}`)
  await page.locator('[data-lane=member1] [data-pod]').first().click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByTestId('log-state')).toHaveAttribute('data-state', 'ended', { timeout: 60_000 })
  await expect(panel.locator('[data-line]').last()).toContainText('line 99999')
  expect(await panel.locator('[data-line]').count(), 'only lines on screen are elements').toBeLessThan(200)
  // 8 MiB of the 100 are kept, in whole lines.
  const kept = Math.floor((8 * 1024 * 1024) / 999)
  await expect(panel.getByTestId('log-state')).toContainText(say()('logs.dropped', { n: 100_000 - kept }))
  await panel.getByLabel(say()('logs.search')).fill('line 99998')
  await expect(panel.locator('[data-line]')).toHaveCount(1)
})

/** In the page: the log of any pod is so long. */
function answerWithLongLog({ lines, width }: { lines: number; width: number }): void {
  const real = window.fetch.bind(window)
  const encoder = new TextEncoder()
  window.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!/\/log\?/.test(address)) return real(input, init)
    let next = 0
    const body = new ReadableStream({
      pull: (controller) => {
        if (next >= lines) return controller.close()
        const piece = Array.from({ length: 100 }, () => `line ${next++} `.padEnd(width - 1, 'x'))
        controller.enqueue(encoder.encode(`${piece.join('\n')}\n`))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  }
}

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
