/** Fleets at their limits: no cluster, many clusters, 1 and 100,000 replicas, the longest names, and markup in texts. */
import type { Page } from '@playwright/test'
import { member, workload } from './scenarios/members'
import { equally } from './scenarios/pools'
import { waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import type { Kubectl } from './support/kubectl'
import { sidewaysFindings, SMALLEST } from './support/sideways'

const WAIT = { timeout: 60_000 }
/** More would slow down the other journeys; the pages were also checked with 500. */
const CLUSTERS = 150
/** As long as Karmada allows. */
const MAX_CLUSTER_LENGTH = `c${'l'.repeat(46)}1`
const MAX_NAME_LENGTH = Array.from({ length: 4 }, (_, at) => `${'n'.repeat(at === 3 ? 60 : 62)}${at}`).join('.')
const MARKUP = '<img src="data:," onerror="window.ran=true"><b>bold</b>'
const HUGE = 100_000

const PAGES = [
  '/overview',
  '/overview?as=table',
  '/fleet?view=heat',
  '/fleet?view=table',
  '/workloads',
  '/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fhuge',
  `/workloads/detail?id=~v1%2FConfigMap%2Fdefault%2F${MAX_NAME_LENGTH}`,
  '/clusters',
  '/clusters/detail?name=member1',
  `/clusters/detail?name=${MAX_CLUSTER_LENGTH}`,
  '/clusters/what-if',
  '/rehearsals',
  `/rehearsals?lose=${MAX_CLUSTER_LENGTH}`,
  '/failover',
  '/policies/detail?id=default/huge&view=lab',
]
/** Also shown for an empty list. */
const LISTS = ['/rehearsals', '/rebalancers', '/queues', '/policies', '/spread', '/activity', '/control-plane']

/** kubectl itself would wait for one after the other. */
async function readyClusters(kubectl: Kubectl): Promise<string[]> {
  type Cluster = { metadata: { name: string }; status?: { conditions?: { type: string; status: string }[] } }
  const { items } = await kubectl.json<{ items: Cluster[] }>(['get', 'clusters'])
  return items.flatMap(({ metadata: { name }, status }) =>
    status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ? [name] : [],
  )
}

/** Faults that no page may have, for any data. */
async function expectSoundPages(page: Page, url: string, paths: readonly string[]): Promise<void> {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  for (const path of paths)
    await test.step(path, async () => {
      await page.goto(`${url}${path}`)
      await expect(page.locator('main, h1').first()).toBeVisible(WAIT)
      await expect(page.getByTestId('skeleton')).toHaveCount(0, WAIT)
      await expect(page.locator('[data-freshness=Live]')).toHaveCount(1, WAIT)
      expect.soft(await sidewaysFindings(page, SMALLEST), path).toEqual([])
      expect.soft(await page.evaluate(() => 'ran' in window), path).toBe(false)
    })
  expect(faults).toEqual([])
}

test('many clusters, 100,000 replicas and the longest names break no page', async ({ page, product, kubectl }) => {
  test.slow()
  const names = Array.from({ length: CLUSTERS - 1 }, (_, at) => `member${at + 1}`)
  await kubectl.run(
    ['create', '-f', '-'],
    [...names, MAX_CLUSTER_LENGTH].map((name) => member(name, { nodes: 1, cpu: 4 })).join(''),
  )
  await expect.poll(async () => (await readyClusters(kubectl)).length, { timeout: 180_000 }).toBe(CLUSTERS)
  await kubectl.run(['patch', 'cluster', 'member2', '--type=merge', '-p', JSON.stringify({ spec: { region: MARKUP } })])
  await kubectl.apply(
    [
      workload({ name: 'huge', replicas: HUGE, cpu: '1m', placement: equally('member1', MAX_CLUSTER_LENGTH) }),
      workload({ name: 'one', replicas: 1, placement: equally('member2') }),
      `apiVersion: v1
kind: ConfigMap
metadata: { name: ${MAX_NAME_LENGTH}, namespace: default, annotations: { note: '${MARKUP}' } }
data: { text: '${MARKUP}' }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: longest, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: ConfigMap, name: ${MAX_NAME_LENGTH} }]
  placement: { clusterAffinity: { clusterNames: [member1, ${MAX_CLUSTER_LENGTH}] } }
---
apiVersion: v1
kind: Event
metadata: { name: markup, namespace: default }
involvedObject: { apiVersion: apps/v1, kind: Deployment, name: huge, namespace: default }
reason: Markup
type: Warning
message: '${MARKUP}'
---`,
    ].join('\n'),
  )
  await kubectl.run(['wait', 'deployment/one', '--for=jsonpath={.status.readyReplicas}=1', '--timeout=60s'])
  await expectSoundPages(page, product.url, PAGES)

  await test.step('the totals are those of kubectl', async () => {
    const ready = await kubectl.run(['get', 'deployment', 'huge', '-o', 'jsonpath={.status.readyReplicas}'])
    await page.goto(`${product.url}/fleet?view=table&q=huge`)
    const row = page.getByTestId('workload-row').first()
    await expect(row).toContainText('100,000', WAIT)
    await expect(row).toContainText(Number(ready).toLocaleString('en'), WAIT)
  })
  await test.step('markup is text', async () => {
    await page.goto(`${product.url}/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fhuge&tab=timeline`)
    await expect(page.getByText(MARKUP)).toBeVisible(WAIT)
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  })
})

test('no cluster at all breaks no page', async ({ page, product, kubectl }) => {
  await kubectl.apply(workload({ name: 'huge', replicas: 1, placement: equally('member1') }))
  await expectSoundPages(page, product.url, [...PAGES.filter((path) => !/name=|ConfigMap/.test(path)), ...LISTS])
  await kubectl.apply(member('member1'))
  await waitForCluster(kubectl, 'member1', true)
  await page.goto(`${product.url}/overview`)
  await expect(page.getByTestId('cluster-tile')).toHaveCount(1, WAIT)
})
