import { CLONE_SET_ID, cloneSet, equally, pools } from './scenarios/pools'
import { SpreadPages } from './pages/spread'
import { waitForCluster } from './support/binding'
import { CORE, expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'
import type { Kubectl } from './support/kubectl'

/** Members of two nodes, one for each pool, with room for four pods of three cores in each. */
async function startPools(kubectl: Kubectl, ...clusters: string[]): Promise<void> {
  await startMembers(kubectl, ...clusters.map((name) => [name, { nodes: 2, cpu: 12 }] as const))
  for (const name of clusters) {
    await kubectl.inMember(name, ['label', 'node', `${name}-node-1`, 'app.deploy/zone=normal'])
    await kubectl.inMember(name, ['label', 'node', `${name}-node-2`, 'app.deploy/zone=elastic'])
  }
}

/** Pods created before their spread would be adopted in place: the spread is created first. */
async function startSpread(kubectl: Kubectl, spread: SpreadPages, manifest: string): Promise<void> {
  await kubectl.apply(manifest)
  await spread.follow('default/pools')
  await expect(spread.page.getByTestId('subset-row').first()).toBeVisible()
}

const step = (pods: number, subset: string) => say()('spread.step.subset', { pods, subset })

const scale = (kubectl: Kubectl, replicas: number) =>
  kubectl.run([
    'patch',
    'clonesets.v1alpha1.apps.kruise.io',
    'web',
    '--type=merge',
    '-p',
    JSON.stringify({ spec: { replicas } }),
  ])

test(
  'the elastic pool fills when the base pool has no room, and is given up first',
  { tag: CORE },
  async ({ kubectl, page, product }) => {
    await startPools(kubectl, 'member1')
    const spread = new SpreadPages(page, product.url)
    await startSpread(
      kubectl,
      spread,
      pools({
        strategy: '{ type: Adaptive, adaptive: { rescheduleCriticalSeconds: 3, disableSimulationSchedule: true } }',
      }),
    )
    await kubectl.apply(cloneSet({ replicas: 3, cpu: 3 }))
    await spread.expectPods('member1', { normal: 3, elastic: 0 })
    const deleteOrder = spread.cluster('member1').getByTestId('delete-order')
    await expect(deleteOrder).toHaveText(`${step(3, 'normal')} (200)`)

    await scale(kubectl, 7)
    await spread.expectPods('member1', { normal: 4, elastic: 3 })
    await expect(spread.subset('member1', 'normal')).toHaveAttribute('data-unschedulable', 'true')
    await expect(spread.subset('member1', 'normal').getByTestId('unschedulable-until')).toContainText(
      say()('spread.retry'),
    )
    await expect(deleteOrder).toHaveText(`${step(3, 'elastic')} (100)→${step(4, 'normal')} (200)`)

    await scale(kubectl, 5)
    await spread.expectPods('member1', { normal: 4, elastic: 1 })
    await scale(kubectl, 3)
    await spread.expectPods('member1', { normal: 3, elastic: 0 })
  },
)

test('the bar of a workload is divided into the subsets of its spread', async ({ kubectl, page, product }) => {
  await startPools(kubectl, 'member1')
  const spread = new SpreadPages(page, product.url)
  await startSpread(kubectl, spread, pools({ strategy: '{ type: Fixed }', limits: ['maxReplicas: 4, ', ''] }))
  await kubectl.apply(cloneSet({ replicas: 6, cpu: 1 }))
  await spread.expectPods('member1', { normal: 4, elastic: 2 })

  await page.getByRole('link', { name: 'web', exact: true }).click()
  await expect(page).toHaveURL(/\/workloads\/detail/)
  const row = page.getByTestId('distribution-row')
  await expect(row.getByTestId('spread-split')).toHaveText('normal 4 · elastic 2')
  await expect(row.locator('[data-cut="4"]')).toHaveCount(1)
  await row.getByTestId('spread-split').click()
  await expect(spread.cluster('member1')).toBeVisible()
})

test('a rebalance that changes the results of percentages shows it before it is applied', async ({
  kubectl,
  fleet,
  page,
  product,
}) => {
  await startPools(kubectl, 'member1', 'member2')
  await kubectl.takeDown('member1')
  await waitForCluster(kubectl, 'member1', false)
  const spread = new SpreadPages(page, product.url)
  await startSpread(
    kubectl,
    spread,
    pools({
      strategy: '{ type: Fixed }',
      limits: ['maxReplicas: 50%, ', 'maxReplicas: 50%, '],
      placement: equally('member1', 'member2'),
    }),
  )
  await kubectl.apply(cloneSet({ replicas: 8, cpu: 1 }))
  await spread.expectPods('member2', { normal: 4, elastic: 4 })
  await kubectl.bringBack('member1')
  await waitForCluster(kubectl, 'member1', true)

  await page.goto(`${product.url}/workloads/detail?id=${CLONE_SET_ID}`)
  await page.getByRole('button', { name: 'Rebalance…' }).click()
  const warnings = page.getByRole('dialog').getByTestId('spread-warnings')
  await expect(warnings.locator('[data-cluster="member2"]')).toContainText(/8 → 4/)
  await expect(warnings.locator('[data-cluster="member2"]')).toContainText(/normal 50%\W+4 → 2 · elastic 50%\W+4 → 2/)
  await expect(warnings.locator('[data-cluster="member1"]')).toContainText(/0 → 4/)
  await fleet.apply()
  await expect(page.getByTestId('plan-run-target')).toHaveAttribute('data-stage', 'Done', { timeout: 60_000 })
  await spread.follow('default/pools')
  for (const cluster of ['member1', 'member2']) await spread.expectPods(cluster, { normal: 2, elastic: 2 })
})
