/** The page of an incident: its figures are those of kubectl, it replays the record, and it can be downloaded. */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { failingOver } from './scenarios/failover'
import { workload } from './scenarios/members'
import { findingsInBoth } from './support/axe'
import { waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { kubectlFor, type Kubectl } from './support/kubectl'
import { startProduct } from './support/product'
import { say } from './support/say'
import { expectNoSidewaysScroll } from './support/sideways'

const WAIT = { timeout: 60_000 }
const CLUSTERS = ['member1', 'member2', 'member3']
const NAMES = Array.from({ length: 12 }, (_, index) => `app-${index}`)
const REPLICAS = 3
const PLACEMENT =
  '{ clusterTolerations: [{ key: cluster.karmada.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 2 }, { key: cluster.karmada.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 2 }], replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { dynamicWeight: AvailableReplicas } } }'

// Slow enough that the recovery can be interrupted.
const flags = [
  '--no-demo',
  '--resource-eviction-rate=1',
  '--no-execute-after=1s',
  '--cluster-status-update-frequency=1s',
  '--cluster-success-threshold=2s',
  '--cluster-failure-threshold=2s',
]
test.use({ flags })

interface Binding {
  spec: { clusters?: { name: string; replicas?: number }[] }
  status?: { aggregatedStatus?: { clusterName: string; status?: { readyReplicas?: number } }[] }
}

/** Ready replicas by cluster, as kubectl shows them in the bindings. */
async function readyByKubectl(kubectl: Kubectl): Promise<Record<string, number>> {
  const { items } = await kubectl.json<{ items: Binding[] }>(['get', 'resourcebindings'])
  const sums: Record<string, number> = {}
  for (const { spec, status } of items) {
    for (const { name } of spec.clusters ?? []) {
      const report = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name)
      sums[name] = (sums[name] ?? 0) + (report?.status?.readyReplicas ?? 0)
    }
  }
  return sums
}

const stage = (page: Page): Locator => page.getByTestId('incident-stage')
const scrubber = (page: Page): Locator => page.getByTestId('incident-scrubber')

/** Counts of the clusters at the playhead, from the table behind the picture. */
async function clustersShown(page: Page): Promise<Record<string, number[]>> {
  const rows = await page.getByTestId('incident-clusters').locator('tbody tr').all()
  const shown: Record<string, number[]> = {}
  for (const row of rows) {
    const figures = (await row.locator('td').allTextContents()).slice(1).map(Number)
    shown[(await row.getAttribute('data-cluster')) ?? ''] = figures
  }
  return shown
}

test('an outage is followed, survives a crash, is replayed with the keyboard and taken along as a report', async ({
  product,
  kubectl,
  page,
}) => {
  test.setTimeout(300_000)
  await startMembers(kubectl, ...CLUSTERS)
  await kubectl.apply(NAMES.map((name) => workload({ name, replicas: REPLICAS, placement: PLACEMENT })).join(''))
  const total = NAMES.length * REPLICAS
  const sumReady = async (client: Kubectl) =>
    Object.values(await readyByKubectl(client)).reduce((sum, each) => sum + each, 0)
  await expect.poll(() => sumReady(kubectl), WAIT).toBe(total)
  const before = await readyByKubectl(kubectl)

  await test.step('it opens from the list of failovers, and its bars are those of kubectl', async () => {
    await kubectl.takeDown('member1')
    await page.goto(`${product.url}/failover`)
    await page.getByTestId('open-incident').first().click(WAIT)
    await expect(page.getByTestId('incident-headline')).toContainText(String(NAMES.length), WAIT)
    await expect(page.getByTestId('lane-failed')).toHaveAttribute('data-cluster', 'member1')
    await expect(page.locator('[data-stage=evicting]')).toBeAttached(WAIT)
  })

  await test.step('kill -9 in the middle leaves a gap, and the recovery continues', async () => {
    await product.kill()
  })
  const again = await startProduct({ dataDir: product.dataDir, flags })
  const after = kubectlFor(again.kubeconfig)
  try {
    await page.goto(`${again.url}/failover/incident?cluster=member1`)
    await expect(page.getByTestId('incident-gap').first()).toBeAttached(WAIT)
    // Reports of the lost cluster stay until its eviction ends, so only the others tell that all are ready again.
    const readyElsewhere = async () => (await sumReady(after)) - ((await readyByKubectl(after))['member1'] ?? 0)
    await expect.poll(readyElsewhere, { timeout: 120_000 }).toBe(total)
    await expect(page.locator('[data-testid=incident-phase][data-phase=recovered]')).toHaveAttribute(
      'data-count',
      String(NAMES.length),
      WAIT,
    )
    await after.bringBack('member1')
    await waitForCluster(after, 'member1', true)
    await expect(page.getByTestId('incident-headline')).toHaveText(
      new RegExp(say()('incident.headline.all', { affected: NAMES.length, span: 'X' }).replace('X', '.+')),
      WAIT,
    )
    await expect(page.getByTestId('incident-summary')).toContainText(say()('incident.summary.gap'))

    await test.step('predictions of the lost cluster are compared with the results', async () => {
      const predictions = page.getByTestId('incident-predictions')
      await expect(predictions).toHaveAttribute('data-judged', String(NAMES.length), WAIT)
      const exact = Number(await predictions.getAttribute('data-exact'))
      await expect(predictions.locator('tbody tr')).toHaveCount(NAMES.length)
      const metrics = await (await fetch(`${again.url}/metrics`)).text()
      expect(metrics).toContain(`evenkeel_incident_predicted_workloads{result="exact"} ${exact}`)
      expect(metrics).toContain(`evenkeel_incident_predicted_workloads{result="missed"} ${NAMES.length - exact}`)
    })

    await test.step('at the end its table equals kubectl; at the beginning, the state before', async () => {
      await page.goto(`${again.url}/failover/incident?cluster=member1&view=table`)
      const now = await readyByKubectl(after)
      await expect(async () => {
        const shown = await clustersShown(page)
        for (const cluster of CLUSTERS) {
          expect(shown[cluster], cluster).toEqual([before[cluster] ?? 0, now[cluster] ?? 0, 0, 0])
        }
      }).toPass(WAIT)
      await scrubber(page).focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('PageDown')
      await page.keyboard.press('PageDown')
      // The cluster is tainted: all its replicas are lost, and nothing has moved.
      await expect
        .poll(() => clustersShown(page), WAIT)
        .toEqual({
          member1: [before['member1'], 0, 0, before['member1']],
          member2: [before['member2'], before['member2'], 0, 0],
          member3: [before['member3'], before['member3'], 0, 0],
        })
      await expect(stage(page)).toHaveAttribute('data-following', 'false')
    })

    await test.step('the address brings the same moment back, and Space plays on from it to the end', async () => {
      const at = await stage(page).getAttribute('data-at')
      await expect.poll(() => new URL(page.url()).searchParams.get('at'), WAIT).toBe(at)
      await page.reload()
      await expect(stage(page)).toHaveAttribute('data-at', at!, WAIT)
      await page.getByRole('button', { name: say()('incident.player.timesLabel', { n: 60 }) }).click()
      await scrubber(page).focus()
      await page.keyboard.press('Space')
      await expect(stage(page)).toHaveAttribute('data-following', 'true', WAIT)
      await page.keyboard.press('ArrowLeft')
      await expect(stage(page)).toHaveAttribute('data-following', 'false')
    })

    await test.step('the report holds the same, without the console', async () => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('report-html').click()])
      const file = await download.path()
      const content = readFileSync(file, 'utf8')
      expect(content).not.toMatch(/<script|src=|href=/)
      const offline = await page.context().newPage()
      await offline.route('**', (route) =>
        route.request().url().startsWith('file:') ? route.continue() : route.abort(),
      )
      const sent: string[] = []
      offline.on('request', (request) => sent.push(request.url()))
      await offline.setContent(content)
      await expect(offline.locator('tbody tr', { hasText: 'default/app-0' })).toContainText(
        `${REPLICAS} of ${REPLICAS}`,
      )
      expect(await offline.locator('svg').count()).toBeGreaterThan(0)
      expect(sent).toEqual([])
      await offline.close()
      const [markdown] = await Promise.all([page.waitForEvent('download'), page.getByTestId('report-markdown').click()])
      expect(readFileSync(await markdown.path(), 'utf8')).toContain('default/app-11')
    })

    await test.step('Resilience shows how many predictions were correct', async () => {
      await page.goto(`${again.url}/clusters/what-if`)
      await expect(page.getByTestId('loss-accuracy')).toHaveAttribute('data-exact', /^\d+$/, WAIT)
    })

    await test.step('the list of incidents keeps it, accessible and on a phone', async () => {
      await page.goto(`${again.url}/failover?show=history`)
      await page
        .getByTestId('past-failover')
        .and(page.locator('[data-kind=cluster]'))
        .getByTestId('open-incident')
        .click(WAIT)
      await expect(page.getByTestId('swimlanes')).toBeVisible(WAIT)
      await expect(page).toHaveURL(/since=/)
      expect(await findingsInBoth(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect(scrubber(page)).toBeVisible()
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        await expectNoSidewaysScroll(page)
      }
      await expect(async () => {
        const target = await page.getByTestId('incident-play').boundingBox()
        expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(44)
      }).toPass(WAIT)
    })
  } finally {
    await again.stop()
  }
})

test('the failover of one workload has a page, from its first symptom to its end', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(failingOver({ name: 'web', purgeMode: 'Gracefully' }))
  await expect.poll(() => readyByKubectl(kubectl), WAIT).toEqual({ member1: 2 })
  await page.goto(`${product.url}/failover`)
  await kubectl.run(['annotate', 'cluster', 'member1', 'sim.evenkeel.io/unhealthy=default/web'])
  await page.getByTestId('open-incident').first().click(WAIT)
  await expect(page.getByTestId('incident-headline')).toHaveText(
    say()('incident.headline.replicas', { ready: 0, desired: 2 }),
    WAIT,
  )
  await expect.poll(() => readyByKubectl(kubectl), WAIT).toEqual({ member2: 2 })
  await expect(page.getByTestId('incident-headline')).toHaveText(
    say()('incident.headline.replicas', { ready: 2, desired: 2 }),
    WAIT,
  )
  await expect(page.locator('[data-testid=lane-cluster][data-cluster=member2]')).toContainText(
    say()('incident.lanes.gain', { delta: { delta: 2 } }),
  )
  await page.goto(`${product.url}/failover`)
  await expect(page.getByTestId('past-incidents').getByRole('link', { name: 'default/web' })).toHaveAttribute(
    'href',
    /since=/,
    WAIT,
  )
})

test('a page opened before an outage shows it, and after a temporary recovery the next one', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1')
  const story = page.getByTestId('incident-summary')
  const began = async () => /\d\d:\d\d:\d\d/.exec((await story.textContent()) ?? '')?.[0]
  const notReady = say()('incident.summary.notReady', { cluster: 'member1', since: 'SINCE', span: '' }).split(
    'SINCE',
  )[0]!
  await page.goto(`${product.url}/failover/incident?cluster=member1`)
  await expect(page.getByRole('heading', { name: say()('incident.page.gone') })).toBeVisible(WAIT)
  await kubectl.takeDown('member1')
  await expect(story).toContainText(notReady, WAIT)
  const first = await began()
  await kubectl.bringBack('member1')
  await expect(story).not.toContainText(notReady, WAIT)
  await kubectl.takeDown('member1')
  await expect(story).toContainText(notReady, WAIT)
  expect(await began()).not.toBe(first)
})

test('a missing incident is distinguished from a real one', async ({ page, product }) => {
  await page.goto(`${product.url}/failover/incident?cluster=nowhere`)
  await expect(page.getByRole('heading', { name: say()('incident.page.gone') })).toBeVisible(WAIT)
})
