/**
 * Members with impossible reports, no reports, or another state every second: the pages show and mark them, and count
 * none as ready. Compared with kubectl and the pods of the members.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { dynamicWeight, member, workload } from './scenarios/members'
import { expectPlaced, waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { startProduct } from './support/product'
import { say } from './support/say'

const WAIT = { timeout: 60_000 }

/** A report for a workload with two ready replicas, and its fault. */
const REPORTS = {
  more: ['{ replicas = 2, readyReplicas = 99, observedGeneration = 1 }', 'readyReplicas 99 > replicas 2'],
  negative: ['{ replicas = -3, readyReplicas = -1, observedGeneration = 1 }', 'replicas -3'],
  fraction: ['{ replicas = 2, readyReplicas = 1.5, observedGeneration = 1 }', 'readyReplicas 1.5'],
  words: ['{ replicas = "two", readyReplicas = "all" }', 'replicas "two"'],
  silent: ['nil', undefined],
} as const

const script = Object.entries(REPORTS)
  .map(([name, [report]]) => `        if o.metadata.name == "${name}" then return ${report} end`)
  .join('\n')

const reflection = `
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: { name: deployments }
spec:
  target: { apiVersion: apps/v1, kind: Deployment }
  customizations:
    statusReflection:
      luaScript: |
        function ReflectStatus(o)
${script}
        return o.status
        end
---`

interface Binding {
  status?: { aggregatedStatus?: { clusterName: string; status?: unknown }[] }
}

/** Counts that an element shows, as numbers. */
const countsOf = async (element: Locator) => {
  const of = async (name: string) => Number(await element.getAttribute(`data-${name}`))
  return { desired: await of('desired'), ready: await of('ready') }
}

test('reports that cannot be true are quoted and marked on every page, and count nowhere as ready', async ({
  product,
  kubectl,
  page,
  fleet,
}) => {
  await kubectl.apply(member('member1') + reflection)
  await waitForCluster(kubectl, 'member1', true)
  const names = [...Object.keys(REPORTS), 'sound']
  await kubectl.apply(names.map((name) => workload({ name, replicas: 2, placement: dynamicWeight })).join(''))
  const twoOfEach = Object.fromEntries(names.map((name) => [name, 2]))
  await expect.poll(() => kubectl.runningPods('member1'), WAIT).toEqual(twoOfEach)

  await test.step('Fleet quotes the contradiction, Workloads and Clusters leave it out of their sums', async () => {
    await fleet.open()
    await expect(fleet.row('sound')).toContainText('2 of 2 ready', WAIT)
    for (const [name, [, problem]] of Object.entries(REPORTS)) {
      const cell = fleet.row(name).locator('[data-cluster=member1]')
      await expect(cell).toHaveAttribute('data-state', problem ? 'warn' : 'unknown', WAIT)
      const reason = problem ? say()('workload.cell.invalidReport', { problem }) : say()('workload.cell.unreported')
      await expect.poll(() => cell.getAttribute('title'), WAIT).toContain(reason)
      await expect.poll(() => countsOf(cell), WAIT).toEqual({ desired: 2, ready: 0 })
    }
    await page.goto(`${product.url}/workloads`)
    const rows = page.getByTestId('replica-counts')
    await expect(rows).toHaveCount(names.length)
    const ready = () =>
      rows.evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset['ready'])).sort())
    await expect.poll(ready, WAIT).toEqual([0, 0, 0, 0, 0, 2])
    await page.goto(`${product.url}/clusters`)
    await expect(page.getByTestId('replica-counts')).toHaveAttribute('data-desired', '12')
    await expect(page.getByTestId('replica-counts')).toHaveAttribute('data-ready', '2')
  })

  await test.step('kubectl has the reports as received, and the pods keep running', async () => {
    const { status } = await kubectl.json<Binding>(['get', 'resourcebinding', 'more-deployment'])
    expect(status?.aggregatedStatus).toMatchObject([{ clusterName: 'member1', status: { readyReplicas: 99 } }])
    expect(await kubectl.runningPods('member1')).toEqual(twoOfEach)
  })

  await test.step('the page of the workload names the fields', async () => {
    await page.goto(`${product.url}/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fmore`)
    const row = page.locator('[data-testid=distribution-row][data-cluster=member1]')
    await expect(row).toContainText(say()('workload.cell.invalidReport', { problem: REPORTS.more[1] }), WAIT)
    await expect(page.getByTestId('distribution-sum')).toHaveAttribute('data-ready', '0')
  })

  await test.step('reports that are true again count at once', async () => {
    await kubectl.run(['delete', 'resourceinterpretercustomization', 'deployments'])
    await fleet.open()
    for (const name of names) await expect(fleet.row(name)).toContainText('2 of 2 ready', WAIT)
  })
})

test.describe('a control plane without controllers', () => {
  test.use({ flags: ['--no-demo', '--only=apiserver'] })

  test('shows missing statuses as unknown, and future times as future', async ({ product, kubectl, page }) => {
    const AHEAD = '2999-01-01T00:00:00Z'
    const binding = (name: string): object => ({
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { name: `${name}-deployment`, namespace: 'default' },
      spec: {
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name },
        replicas: 3,
        clusters: [{ name: 'quiet', replicas: 3 }],
      },
    })
    const setStatus = (what: readonly string[], status: object) =>
      kubectl.run(['patch', ...what, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })])
    await kubectl.apply(member('quiet') + member('ahead'))
    for (const name of ['never', 'ahead']) await kubectl.apply(JSON.stringify(binding(name)))
    await setStatus(['cluster', 'ahead'], {
      conditions: [{ type: 'Ready', status: 'False', reason: 'Future', message: 'not yet', lastTransitionTime: AHEAD }],
    })
    await setStatus(['resourcebinding', 'ahead-deployment'], {
      lastScheduledTime: AHEAD,
      aggregatedStatus: [{ clusterName: 'quiet', applied: true, health: 'Healthy', status: { replicas: 3 } }],
    })
    const { url } = await startProduct({ flags: [`--kubeconfig=${product.kubeconfig}`] })
    await page.goto(`${url}/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fnever`)
    const row = page.locator('[data-testid=distribution-row][data-cluster=quiet]')
    await expect(row).toHaveAttribute('data-desired', '3', WAIT)
    await expect(row).toHaveAttribute('data-ready', '0')
    await expect(row).toHaveAttribute('data-state', /^(unknown|active)$/)
    await page.goto(`${url}/clusters?cluster=ahead`)
    const clusters = page.getByTestId('cluster-row')
    await expect(clusters).toHaveCount(2)
    await expect(clusters.and(page.locator('[data-cluster=quiet]'))).toHaveAttribute('data-state', 'unknown')
    await expect(page.locator(`time[datetime="${AHEAD}"]`).first()).toHaveText(/^in \d/)
    await page.goto(`${url}/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fahead`)
    await expect(page.locator(`time[datetime="${AHEAD}"]`).first()).toHaveText(/^in \d/)
  })
})

test.describe('a cluster that fails and recovers every second', () => {
  test.use({
    flags: [
      '--no-demo',
      // Without debouncing, so that every change is seen.
      '--cluster-status-update-frequency=200ms',
      '--cluster-success-threshold=1ms',
      '--cluster-failure-threshold=1ms',
    ],
  })

  /** The cluster and the cell of one workload in it, read at one moment. */
  const moment = (page: Page) =>
    page.evaluate(() => {
      const find = (selector: string) => document.querySelector<HTMLElement>(selector)!.dataset
      const cell = find('[data-workload$="/web"][data-cluster=member1]')
      return {
        cluster: find('[data-cluster-header=member1]')['state'],
        desired: Number(cell['desired']),
        ready: Number(cell['ready']),
        unknown: Number(cell['unknown']),
      }
    })

  test('has no ready replica while it is not ready, keeps its workloads, and counts again when it stays up', async ({
    kubectl,
    page,
    fleet,
  }) => {
    await startMembers(kubectl, 'member1', 'member2')
    const placement = dynamicWeight.replace('{', '{ clusterAffinity: { clusterNames: [member1] },')
    await kubectl.apply(workload({ name: 'web', replicas: 3, placement }))
    await expectPlaced(kubectl, 'web', { member1: 3 })
    await fleet.open()
    await expect(fleet.row('web')).toContainText('3 of 3 ready', WAIT)
    const seen: Awaited<ReturnType<typeof moment>>[] = []
    const flapping = new AbortController()
    const watch = async (): Promise<void> => {
      while (!flapping.signal.aborted) seen.push(await moment(page))
    }
    const flap = async (): Promise<void> => {
      for (let turn = 0; turn < 8; turn += 1) {
        const nextTurn = sleep(1000)
        await (turn % 2 === 0 ? kubectl.takeDown('member1') : kubectl.bringBack('member1'))
        await nextTurn
      }
      flapping.abort()
    }
    await Promise.all([watch(), flap()])
    expect(seen.map(({ cluster }) => cluster)).toContain('fail')
    for (const each of seen) {
      expect(each.ready + each.unknown, JSON.stringify(each)).toBeLessThanOrEqual(each.desired)
      if (each.cluster === 'fail') expect(each.ready, JSON.stringify(each)).toBe(0)
    }
    await kubectl.bringBack('member1')
    await expect(fleet.row('web')).toContainText('3 of 3 ready', WAIT)
    await expectPlaced(kubectl, 'web', { member1: 3 })
    await expect(fleet.row('web').locator('[data-cluster=member1]')).toHaveAttribute('data-unknown', '0')
  })
})
