/**
 * Fleet, Workloads, Workload and Clusters compared with kubectl and the members' pods during failures: replicas shown
 * as ready are ready, and replicas of an unreachable cluster are unknown.
 */
import type { Page } from '@playwright/test'
import { dynamicWeight, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import type { Kubectl } from './support/kubectl'

const MEMBERS = ['member1', 'member2', 'member3'] as const
const WORKLOADS = { gateway: 4, ledger: 3, shop: 8 } as const
const WAIT = { timeout: 120_000 }

const divided = dynamicWeight.slice(1, -1)
const on = (...names: string[]) => `{ clusterAffinity: { clusterNames: [${names.join(', ')}] }, ${divided} }`
const staysForEver = 'clusterTolerations: [{ operator: Exists, effect: NoExecute }]'

interface Counts {
  desired: number
  ready: number
  unknown: number
}

type Shown = Record<string, Counts>

/** Ready pods of each app in a member; undefined while it does not answer. */
async function readyPods(kubectl: Kubectl, cluster: string): Promise<Record<string, number> | undefined> {
  const path = `/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy/api/v1/pods`
  const { code, stdout } = await kubectl.tryRun(['get', '--raw', path])
  if (code !== 0) return undefined
  type Pod = {
    metadata: { labels?: Record<string, string> }
    status?: { conditions?: { type: string; status: string }[] }
  }
  const ready: Record<string, number> = {}
  for (const { metadata, status } of (JSON.parse(stdout) as { items: Pod[] }).items) {
    const app = metadata.labels?.['app'] ?? ''
    if (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'))
      ready[app] = (ready[app] ?? 0) + 1
  }
  return ready
}

/** Replicas in the members, by workload, by cell and by cluster; all of an unreachable member are unknown. */
async function expectedFrom(kubectl: Kubectl) {
  const pods = new Map(await Promise.all(MEMBERS.map(async (name) => [name, await readyPods(kubectl, name)] as const)))
  type Binding = { spec: { resource: { name: string }; clusters?: { name: string; replicas?: number }[] } }
  const { items } = await kubectl.json<{ items: Binding[] }>(['get', 'resourcebindings', '-n', 'default'])
  const [workloads, cells, clusters]: [Shown, Shown, Shown] = [{}, {}, {}]
  for (const name of MEMBERS) clusters[name] = { desired: 0, ready: 0, unknown: 0 }
  for (const { spec } of items) {
    const { name: app } = spec.resource
    const sum = { desired: WORKLOADS[app as keyof typeof WORKLOADS], ready: 0, unknown: 0 }
    for (const { name, replicas = 0 } of spec.clusters ?? []) {
      const there = pods.get(name as (typeof MEMBERS)[number])
      const cell = { desired: replicas, ready: Math.min(replicas, there?.[app] ?? 0), unknown: there ? 0 : replicas }
      cells[`${app} in ${name}`] = cell
      for (const whole of [sum, clusters[name]!]) {
        whole.ready += cell.ready
        whole.unknown += cell.unknown
      }
      clusters[name]!.desired += replicas
    }
    workloads[app] = sum
  }
  return { workloads, cells, clusters }
}

/** The counts of elements, by the name that `nameOf` finds in their data; undesired ones are left out. */
async function countsAt(page: Page, selector: string, name: (data: DOMStringMap) => string): Promise<Shown> {
  const found = await page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const row = element.closest<HTMLElement>('[data-testid$="-row"]')
      return { ...row?.dataset, ...(element as HTMLElement).dataset }
    }),
  )
  const counts = found.map(
    (data) =>
      [
        name(data),
        { desired: Number(data.desired), ready: Number(data.ready), unknown: Number(data.unknown) },
      ] as const,
  )
  return Object.fromEntries(counts.filter(([, { desired }]) => desired > 0))
}

const appOf = ({ workload: id = '' }: DOMStringMap): string => id.split('/').at(-1) ?? ''
const withReplicas = (all: Shown): Shown =>
  Object.fromEntries(Object.entries(all).filter(([, { desired }]) => desired > 0))

/** Every page equals the members. Pages are reopened each time, and polled until nothing changes. */
async function expectTrue(page: Page, url: string, kubectl: Kubectl): Promise<void> {
  await expect(async () => {
    await page.goto(`${url}/fleet`)
    await expect(page.getByTestId('workload-row')).toHaveCount(Object.keys(WORKLOADS).length)
    const expected = await expectedFrom(kubectl)
    const cells = await countsAt(page, '[role=gridcell][data-cluster]', (data) => `${appOf(data)} in ${data.cluster}`)
    expect(cells, 'cells of Fleet').toEqual(withReplicas(expected.cells))
    for (const [name, { ready, desired }] of Object.entries(expected.workloads))
      await expect(page.getByTestId('workload-row').filter({ hasText: name })).toContainText(
        `${ready} of ${desired} ready`,
      )
    await page.goto(`${url}/workloads`)
    await expect(page.getByTestId('workload-row')).toHaveCount(Object.keys(WORKLOADS).length)
    expect(await countsAt(page, '[data-testid=replica-counts]', appOf), 'rows of Workloads').toEqual(expected.workloads)
    await page.goto(`${url}/clusters`)
    await expect(page.getByTestId('cluster-row')).toHaveCount(MEMBERS.length)
    const clusters = await countsAt(page, '[data-testid=replica-counts]', ({ cluster = '' }) => cluster)
    expect(clusters, 'rows of Clusters').toEqual(withReplicas(expected.clusters))
    expect(await expectedFrom(kubectl), 'nothing moved meanwhile').toEqual(expected)
  }).toPass(WAIT)
}

/** The page of one workload shows the same, in its sum and by cluster. */
async function expectPageTrue(
  page: Page,
  { url, name }: { url: string; name: string },
  kubectl: Kubectl,
): Promise<void> {
  await page.goto(`${url}/workloads/detail?id=${encodeURIComponent(`apps~v1/Deployment/default/${name}`)}`)
  await expect(async () => {
    const expected = await expectedFrom(kubectl)
    expect(await countsAt(page, '[data-testid=distribution-sum]', () => name)).toEqual({
      [name]: expected.workloads[name],
    })
    const rows = await countsAt(page, '[data-testid=distribution-row]', ({ cluster }) => `${name} in ${cluster}`)
    expect(rows).toEqual(
      Object.fromEntries(Object.entries(withReplicas(expected.cells)).filter(([at]) => at.startsWith(`${name} in`))),
    )
  }).toPass(WAIT)
}

const readyByKubectl = async (kubectl: Kubectl, name: string): Promise<number> =>
  (await kubectl.json<{ status?: { readyReplicas?: number } }>(['get', 'deployment', name])).status?.readyReplicas ?? 0

const makeUnhealthy = (kubectl: Kubectl, cluster: string, isUnhealthy: boolean) =>
  kubectl.run([
    'annotate',
    'cluster',
    cluster,
    '--overwrite',
    isUnhealthy ? 'sim.evenkeel.io/unhealthy=default/gateway' : 'sim.evenkeel.io/unhealthy-',
  ])

test('every page counts the ready replicas of the members, through failures, outages and recovery', async ({
  product,
  kubectl,
  page,
  fleet,
}) => {
  test.setTimeout(600_000)
  await startMembers(kubectl, ...MEMBERS)
  await kubectl.apply(
    [
      workload({ name: 'gateway', replicas: WORKLOADS.gateway, placement: on('member1', 'member2') }),
      workload({
        name: 'ledger',
        replicas: WORKLOADS.ledger,
        placement: `{ clusterAffinity: { clusterNames: [member3] }, ${staysForEver}, ${divided} }`,
      }),
      workload({ name: 'shop', replicas: WORKLOADS.shop, placement: on(...MEMBERS) }),
    ].join(''),
  )

  await test.step('before a failure', async () => {
    await expectTrue(page, product.url, kubectl)
    for (const [name, replicas] of Object.entries(WORKLOADS)) expect(await readyByKubectl(kubectl, name)).toBe(replicas)
  })

  await test.step('a workload is unhealthy in both of its clusters', async () => {
    await makeUnhealthy(kubectl, 'member1', true)
    await makeUnhealthy(kubectl, 'member2', true)
    await fleet.open()
    await expect(fleet.row('gateway')).toContainText('0 of 4 ready', WAIT)
    await expect(fleet.row('gateway').locator('[data-cluster=member1]')).toContainText(
      /gateway in member1: 0 of \d ready/,
    )
    await expect.poll(() => readyByKubectl(kubectl, 'gateway'), WAIT).toBe(0)
    await expectTrue(page, product.url, kubectl)
    await expectPageTrue(page, { url: product.url, name: 'gateway' }, kubectl)
    await makeUnhealthy(kubectl, 'member1', false)
    await makeUnhealthy(kubectl, 'member2', false)
    await expectTrue(page, product.url, kubectl)
  })

  await test.step('all copies of a workload are in a dead cluster', async () => {
    await kubectl.takeDown('member3')
    await fleet.open()
    const cell = fleet.row('ledger').locator('[data-cluster=member3]')
    await expect(cell).toHaveAttribute('data-unknown', '3', WAIT)
    await expect(cell).toHaveAttribute('data-ready', '0')
    await expect(cell).toContainText('?/3')
    await expect(fleet.row('ledger')).toContainText('0 of 3 ready, 3 unknown')
    await expectTrue(page, product.url, kubectl)
    await expectPageTrue(page, { url: product.url, name: 'ledger' }, kubectl)
  })

  await test.step('two clusters are down', async () => {
    await kubectl.takeDown('member2')
    await fleet.open()
    await expect(page.locator('[data-cluster-header=member2]')).toHaveAttribute('data-state', 'fail', WAIT)
    await expectTrue(page, product.url, kubectl)
    await expectPageTrue(page, { url: product.url, name: 'shop' }, kubectl)
  })

  await test.step('both recover', async () => {
    await kubectl.bringBack('member2')
    await kubectl.bringBack('member3')
    await fleet.open()
    for (const [name, replicas] of Object.entries(WORKLOADS))
      await expect(fleet.row(name)).toContainText(new RegExp(`${replicas} of ${replicas} ready(?!, .*unknown)`), WAIT)
    await expectTrue(page, product.url, kubectl)
    for (const [name, replicas] of Object.entries(WORKLOADS)) expect(await readyByKubectl(kubectl, name)).toBe(replicas)
  })
})
