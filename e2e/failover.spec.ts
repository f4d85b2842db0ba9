import type { Locator } from '@playwright/test'
import { FailoverPage } from './pages/failover'
import { failingOver } from './scenarios/failover'
import { dynamicWeight, primaryThenBackup, workload } from './scenarios/members'
import { expectPlaced, scheduledTo } from './support/binding'
import { message } from '@/lib/messages/message'
import { CORE, expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { kubectlFor, type Kubectl } from './support/kubectl'
import { newDataDir, removeDataDir, startProduct } from './support/product'
import { say } from './support/say'

const WEB = '/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fweb'
const WAIT = { timeout: 60_000 }

async function start(
  kubectl: Kubectl,
  manifest: string,
  placed: Record<string, number> = { member1: 2 },
): Promise<void> {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(manifest)
  await expectPlaced(kubectl, 'web', placed)
  await expect
    .poll(
      async () =>
        await kubectl.run([
          'get',
          'resourcebinding',
          'web-deployment',
          '-o',
          'jsonpath={.status.aggregatedStatus[0].health}',
        ]),
      WAIT,
    )
    .toBe('Healthy')
}

/** New pods of the workload never become ready there, and existing ones become unready. */
const makeSick = (kubectl: Kubectl, cluster: string) =>
  kubectl.run(['annotate', 'cluster', cluster, 'sim.evenkeel.io/unhealthy=default/web', '--overwrite'])

/** From now on a copy may be sick for so long before it leaves. */
const tolerate = (kubectl: Kubectl, tolerationSeconds: number) =>
  kubectl.run([
    'patch',
    'propagationpolicy',
    'web',
    '--type=merge',
    '-p',
    JSON.stringify({ spec: { failover: { application: { decisionConditions: { tolerationSeconds } } } } }),
  ])

const podsIn = async (kubectl: Kubectl, cluster: string) => (await kubectl.memberPods(cluster, 'default', 'web')).length

test.describe('a workload that fails leaves its cluster', () => {
  test('and its old replica is deleted when the new one is healthy, with purge mode Gracefully', async ({
    kubectl,
    page,
    product,
  }) => {
    await start(kubectl, failingOver({ name: 'web', purgeMode: 'Gracefully' }))
    await makeSick(kubectl, 'member2')
    const failover = new FailoverPage(page, product.url)
    await failover.open()
    await expect(page.getByText(say()('failover.none'))).toBeVisible()
    await makeSick(kubectl, 'member1')
    const row = failover.workload('web', 'member1')
    await failover.expectStage(row, 'toleration')
    await expect(row.getByTestId('countdown')).toHaveAttribute('data-meaning', 'toleration')
    await failover.expectStage(row, 'evicting')
    // The new replica is unhealthy during this test, and must not be evicted for that.
    await tolerate(kubectl, 600)
    await expect(row).toContainText('member2')
    await expect(row.getByTestId('countdown')).toHaveAttribute('data-meaning', 'grace')
    expect(await podsIn(kubectl, 'member1')).toBe(2)
    await page.goto(`${product.url}/fleet`)
    await expect(page.getByTestId('failover-banner')).toContainText(say()('failover.banner.running'))
    await kubectl.run(['annotate', 'cluster', 'member2', 'sim.evenkeel.io/unhealthy-'])
    await expect.poll(() => podsIn(kubectl, 'member1'), WAIT).toBe(0)
    await expect(page.getByTestId('failover-banner')).toBeHidden(WAIT)
    await expect(await failover.past('member1')).toContainText(say()('failover.ended.replaced'))
  })

  test('and its old copy stays until it is released, with purge mode Never', async ({ kubectl, page, product }) => {
    await start(kubectl, failingOver({ name: 'web', purgeMode: 'Never' }))
    const failover = new FailoverPage(page, product.url)
    await failover.open()
    await makeSick(kubectl, 'member1')
    const row = failover.workload('web', 'member1')
    await expect(row).toHaveAttribute('data-kept', 'true', WAIT)
    await expect.poll(() => scheduledTo(kubectl, 'web-deployment'), WAIT).toEqual({ member2: 2 })
    await failover.expectStage(row, 'replaced')
    expect(await podsIn(kubectl, 'member1')).toBe(2)
    await failover.action(row, 'release')
    await expect(row).toBeHidden(WAIT)
    await expect.poll(() => podsIn(kubectl, 'member1'), WAIT).toBe(0)
    await expect(await failover.past('member1')).toContainText(say()('failover.ended.released'))
  })
})

/** Whether a text that may be cut begins with these words, and all of them are visible. */
const shows = (cut: Locator, words: string): Promise<boolean> =>
  cut.evaluate((element, expected) => {
    const node = element.firstChild
    if (node === null || !element.textContent?.startsWith(expected)) return false
    const range = document.createRange()
    range.setStart(node, 0)
    range.setEnd(node, expected.length)
    return range.getBoundingClientRect().bottom <= element.getBoundingClientRect().bottom
  }, words)

test(
  'workloads are evicted from a lost cluster, and its outage is shown until it recovers',
  { tag: CORE },
  async ({ kubectl, page, product }) => {
    await start(kubectl, workload({ name: 'web', replicas: 2, placement: primaryThenBackup }))
    const failover = new FailoverPage(page, product.url)
    await failover.open()
    await kubectl.takeDown('member1')
    const cluster = failover.cluster('member1')
    await failover.expectStage(cluster, 'unhealthy')
    await failover.expectStage(cluster, 'done')
    await expect(cluster).toContainText(
      say()('failover.incident.recovered', { state: '', recovered: 1, workloads: 1 }),
      WAIT,
    )
    await expect.poll(() => scheduledTo(kubectl, 'web-deployment'), WAIT).toEqual({ member2: 2 })
    const progress = say()('failover.incident.recovered', { state: '', recovered: 1, workloads: 1 }).trim()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => shows(cluster.locator('[data-cut-text]'), progress), WAIT).toBe(true)
    }
    await kubectl.bringBack('member1')
    await expect(cluster.locator('[data-action]')).toHaveCount(0, WAIT)
    await expect(await failover.past('member1', 'cluster')).toContainText(
      say()('failover.ended.withEvictions', { end: message('failover.ended.ready'), workloads: 1 }),
    )
    await page.goto(`${product.url}/clusters?cluster=member1`)
    await expect(page.getByTestId('timeline-move').first()).toContainText('member1 2 → 0', WAIT)
  },
)

test(
  'a cluster is drained after its preview, and put back into service',
  { tag: CORE },
  async ({ kubectl, page, product }) => {
    await start(kubectl, workload({ name: 'web', replicas: 2, placement: primaryThenBackup }))
    await page.goto(`${product.url}/failover?action=drain&in=member1`)
    await expect(page.getByTestId('failover-plan')).toContainText(
      say()('failover.plan.drainMoves', { workloads: 1 }),
      WAIT,
    )
    expect(await scheduledTo(kubectl, 'web-deployment')).toEqual({ member1: 2 })
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say()('failover.order.drain'), exact: true })
      .click()
    await expectPlaced(kubectl, 'web', { member2: 2 })
    const failover = new FailoverPage(page, product.url)
    const cluster = failover.cluster('member1')
    await failover.expectStage(cluster, 'done')
    await failover.action(cluster, 'undrain')
    await expect(cluster).toBeHidden(WAIT)
  },
)

test('a workload is evicted by hand, and its old copy kept until it is released', async ({
  kubectl,
  page,
  product,
}) => {
  await start(kubectl, workload({ name: 'web', replicas: 2, placement: dynamicWeight }), { member1: 1, member2: 1 })
  await page.goto(`${product.url}/failover?action=evict&in=member1&of=apps~v1%2FDeployment%2Fdefault%2Fweb`)
  await page.getByLabel(say()('failover.purge')).selectOption('Never')
  await expect(page.getByTestId('failover-plan')).toContainText(
    say()('failover.plan.purge.Never', { cluster: 'member1' }),
    WAIT,
  )
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say()('failover.order.evict'), exact: true })
    .click()
  await expect.poll(() => scheduledTo(kubectl, 'web-deployment'), WAIT).toEqual({ member2: 2 })
  const failover = new FailoverPage(page, product.url)
  const row = failover.workload('web', 'member1')
  await expect(row).toContainText(say()('timeline.cause.eviction', { cluster: 'member1' }), WAIT)
  expect(await podsIn(kubectl, 'member1')).toBe(1)
  await failover.action(row, 'release')
  await expect.poll(() => podsIn(kubectl, 'member1'), WAIT).toBe(0)
})

test.describe('without a failover', () => {
  test('the page of a workload shows that its policy has no failover', async ({ kubectl, page, product }) => {
    await start(kubectl, workload({ name: 'web', replicas: 2, placement: primaryThenBackup }))
    await makeSick(kubectl, 'member1')
    await page.goto(`${product.url}${WEB}&tab=evictions`)
    await expect(page.locator('[data-reason=noFailoverRule]')).toBeVisible(WAIT)
  })
})

test.describe('when lost clusters are not left', () => {
  test.use({ flags: ['--no-demo', '--no-execute-after=never'] })

  test('the monitor shows that only scheduling is blocked there', async ({ kubectl, page, product }) => {
    await start(kubectl, workload({ name: 'web', replicas: 2, placement: primaryThenBackup }))
    const failover = new FailoverPage(page, product.url)
    await failover.open()
    await kubectl.takeDown('member1')
    await failover.expectStage(failover.workload('web', 'member1'), 'unhealthy')
    await expect(page.locator('[data-testid=blocked-by] [data-reason=taintOnlyBlocksScheduling]')).toContainText(
      'default/web',
      WAIT,
    )
  })
})

test('with purge mode Directly an old replica is deleted at once, and its history survives a restart', async ({
  page,
}) => {
  const dataDir = newDataDir()
  const evening = await startProduct({ dataDir, flags: ['--no-demo'] })
  const kubectl = kubectlFor(evening.kubeconfig)
  await start(kubectl, failingOver({ name: 'web', purgeMode: 'Directly' }))
  await makeSick(kubectl, 'member1')
  await expectPlaced(kubectl, 'web', { member2: 2 })
  await expect.poll(() => podsIn(kubectl, 'member1'), WAIT).toBe(0)
  await expect(await new FailoverPage(page, evening.url).past('member1')).toContainText(
    say()('failover.ended.directly'),
  )
  await evening.kill()

  const morning = await startProduct({ dataDir, flags: ['--no-demo'] })
  try {
    const past = await new FailoverPage(page, morning.url).past('member1')
    await expect(past).toContainText('application failover')
    await expect(past).toContainText(say()('failover.ended.directly'))
    await page.goto(`${morning.url}${WEB}`)
    await expect(page.getByTestId('timeline-move').filter({ hasText: 'member1 2 → 0' })).toBeVisible(WAIT)
    const gaps = ((await (await fetch(`${morning.url}/api/v1/journal`)).json()) as { what: string }[]).filter(
      ({ what }) => what === 'gap',
    )
    expect(gaps).toMatchObject([{ why: 'stopped' }])
  } finally {
    await morning.stop()
    removeDataDir(dataDir)
  }
})
