/** A failover without another cluster ends when the workload recovers, and a what-if predicts the outage. */
import { dynamicWeight, workload } from './scenarios/members'
import { expectPlaced, expectRequested } from './support/binding'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'
import type { Kubectl } from './support/kubectl'

const WAIT = { timeout: 60_000 }
const inOneOf = (...clusters: string[]) =>
  `{ clusterAffinity: { clusterNames: [${clusters.join(', ')}] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }], `
  + 'replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { dynamicWeight: AvailableReplicas } } }'

/** A policy in the words of the proposal. */
const failingOver = (name: string, placement: string): string =>
  workload({ name, replicas: 2, placement })
    .replace(
      'spec:\n  resourceSelectors',
      'spec:\n  propagateDeps: true\n  failover: { application: { decisionConditions: { tolerationSeconds: 3 }, purgeMode: Graciously, gracePeriodSeconds: 6, '
        + 'blockPredecessorSeconds: 15 } }\n  resourceSelectors',
    )
    .replace('kind: Deployment, name:', 'kind: Deployment, namespace: default, name:')

const setFailing = (kubectl: Kubectl, cluster: string, ...names: string[]) =>
  kubectl.run([
    'annotate',
    'cluster',
    cluster,
    '--overwrite',
    names.length > 0
      ? `sim.evenkeel.io/unhealthy=${names.map((name) => `default/${name}`).join(',')}`
      : 'sim.evenkeel.io/unhealthy-',
  ])

interface Binding {
  spec: { clusters?: { name: string; replicas: number }[]; gracefulEvictionTasks?: unknown[] }
}
/** A missing object has no fields: a poll must not throw. */
const bindingOf = async (kubectl: Kubectl, name: string): Promise<Binding> =>
  (await kubectl.find<Binding>(['resourcebinding', `${name}-deployment`])) ?? { spec: {} }

test('workloads that failed in every cluster are placed again when they recover, and page, kubectl and members agree', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  const manifest = failingOver('pinned', inOneOf('member1')) + failingOver('either', inOneOf('member1', 'member2'))
  await kubectl.apply(manifest)
  const applied = await kubectl.apply(manifest)
  expect(applied.match(/unchanged/g)).toHaveLength(4)
  for (const name of ['pinned', 'either']) {
    await expect.poll(async () => (await bindingOf(kubectl, name)).spec.clusters?.length, WAIT).toBe(1)
  }
  await expectPlaced(kubectl, 'pinned', { member1: 2 })

  for (const cluster of ['member1', 'member2']) await setFailing(kubectl, cluster, 'pinned', 'either')
  for (const name of ['pinned', 'either']) {
    await expect
      .poll(async () => (await bindingOf(kubectl, name)).spec.gracefulEvictionTasks?.length ?? 0, WAIT)
      .toBeGreaterThan(0)
  }
  for (const cluster of ['member1', 'member2']) await setFailing(kubectl, cluster)

  for (const name of ['pinned', 'either']) {
    await expect
      .poll(async () => {
        const { spec } = await bindingOf(kubectl, name)
        return { clusters: spec.clusters?.length ?? 0, tasks: spec.gracefulEvictionTasks?.length ?? 0 }
      }, WAIT)
      .toEqual({ clusters: 1, tasks: 0 })
    const [home] = (await bindingOf(kubectl, name)).spec.clusters ?? []
    for (const cluster of ['member1', 'member2']) {
      await expect
        .poll(async () => (await kubectl.memberPods(cluster, 'default', name)).length, WAIT)
        .toBe(cluster === home?.name ? 2 : 0)
    }
    await page.goto(`${product.url}/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2F${name}`)
    await expect(page.locator('main')).toContainText(home?.name ?? '')
  }
  await page.goto(`${product.url}/failover`)
  await expect(page.getByText(say()('failover.none'))).toBeVisible(WAIT)
})

test('a what-if over three clusters equals the outage', async ({ kubectl, page, product }) => {
  await startMembers(kubectl, 'member1', 'member2', 'member3')
  const names = Array.from({ length: 6 }, (_, at) => `app-${at}`)
  for (const name of names) {
    await kubectl.apply(
      workload({
        name,
        replicas: 4,
        cpu: '1',
        placement: name < 'app-3' ? dynamicWeight : inOneOf('member1', 'member2', 'member3'),
      }),
    )
  }
  for (const name of names) {
    await expect.poll(async () => (await bindingOf(kubectl, name)).spec.clusters?.length ?? 0, WAIT).toBeGreaterThan(0)
  }
  await expectRequested(kubectl, names.length * 4)
  await page.goto(`${product.url}/clusters/what-if?cluster=member1&cause=fails`)
  const rows = page.getByTestId('what-if-target')
  await expect(rows.first()).toBeVisible(WAIT)
  const foretold = await rows.evaluateAll((list) =>
    list.map((row) => ({
      name: row.getAttribute('data-workload')?.split('/').at(-1) ?? '',
      open: row.querySelector('[data-testid="what-if-open"]') !== null,
      after: [...row.querySelectorAll('[data-cluster]')].flatMap((place) => {
        const replicas = Number(place.getAttribute('data-after'))
        return replicas > 0 ? [[place.getAttribute('data-cluster'), replicas]] : []
      }),
    })),
  )
  expect(foretold.length).toBeGreaterThan(2)
  await kubectl.takeDown('member1')
  for (const { name, after, open } of foretold) {
    const placed = async () =>
      Object.fromEntries(((await bindingOf(kubectl, name)).spec.clusters ?? []).map((one) => [one.name, one.replicas]))
    const sum = (places: Record<string, number>) => Object.values(places).reduce((all, one) => all + one, 0)
    const expected = Object.fromEntries(after as [string, number][])
    await expect.poll(async () => Object.keys(await placed()).includes('member1'), WAIT).toBe(false)
    if (open) await expect.poll(async () => sum(await placed()), WAIT).toBe(sum(expected))
    else await expect.poll(placed, WAIT).toEqual(expected)
  }
})
