/** The demonstration fleet on a calm morning, with one cluster down, and after its replicas were brought home. */
import type { Page } from '@playwright/test'
import { say } from '@/e2e/support/say'
import type { Camera, Scene } from '../camera'
import { BOTH, EN_DARK, PHONES, WALL } from '../looks'
import type { Stage } from '../stage'
import { createDemonstration, UNSEEDED } from './demonstration-fleet'
import { live, overview, part } from './ready'
import { REHEARSED, rehearse } from './rehearsal'
import { LOST } from './states'
import { goOn, settle, untilCounts, untilField } from './waits'

const FLEET = { 'shop/web': 6, 'shop/checkout': 8, 'shop/ledger': 3, 'shop/search': 4, 'shop/delivery': 6 }
const READY = { ...FLEET, 'lab/notebooks': 2 }
const WEB = 'id=apps~v1/Deployment/shop/web'
const ALL = Object.keys(FLEET)
  .map((name) => `apps~v1/Deployment/${name}`)
  .join(',')

const both = (looks: readonly Scene['looks'][number][] = []) => [...BOTH, ...looks]

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** The text of a policy holds an ID that is drawn by lot. */
const withFixedIds = (page: Page) =>
  page.route('**/document', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: (await response.text()).replace(UUID, '585caee8-ad12-4cee-a172-ae8eb8878432'),
    })
  })

const CALM: readonly Scene[] = [
  { name: 'overview', title: 'Overview', path: '/overview', ready: overview, looks: both([EN_DARK, ...PHONES]) },
  {
    name: 'overview-wall',
    title: 'Overview on a wall',
    path: '/overview?display=wall',
    ready: part('overview-headline'),
    looks: [WALL],
  },
  {
    name: 'fleet',
    title: 'Workloads by clusters',
    path: '/fleet',
    ready: part('workload-row'),
    looks: both([EN_DARK]),
  },
  {
    name: 'fleet-no-match',
    title: 'Workloads, filtered to nothing',
    path: '/fleet?q=nothing-like-this',
    ready: live,
    looks: both(),
  },
  { name: 'workloads', title: 'Workloads', path: '/workloads', ready: part('workload-row'), looks: both() },
  {
    name: 'clusters',
    title: 'Clusters',
    path: '/clusters?cluster=member1',
    ready: part('cluster-detail'),
    looks: both(),
  },
  {
    name: 'cluster',
    title: 'One cluster',
    path: '/clusters/detail?name=member1',
    ready: part('node'),
    looks: both([EN_DARK]),
  },
  {
    name: 'workload',
    title: 'One workload, from its policy to its pods',
    path: `/workloads/detail?${WEB}`,
    ready: (page) => page.locator('svg [data-pod][data-mark=ready]').nth(5).waitFor(),
    looks: both([EN_DARK]),
  },
  {
    name: 'pod-log',
    title: 'The log of a pod',
    varies: 'The lines of a simulated container follow from the UID of its pod.',
    path: `/workloads/detail?${WEB}`,
    ready: async (page) => {
      await page.locator('[data-lane=member1] [data-pod]').first().click()
      await page.getByRole('dialog').locator('[data-line]').first().waitFor()
    },
    looks: both(),
  },
  { name: 'policies', title: 'Placement policies', path: '/policies', ready: part('policy-row'), looks: both() },
  {
    name: 'policy',
    title: 'One policy, and where it leads',
    path: '/policies/detail?id=shop/search',
    ready: live,
    looks: both(),
  },
  {
    name: 'policy-new',
    title: 'A new policy, before it is created',
    path: '/policies/new',
    before: withFixedIds,
    ready: async (page) => {
      await page.getByTestId('selection-counts').waitFor()
      await page.getByLabel(say()('policies.new.name'), { exact: true }).fill('everywhere')
      await live(page)
    },
    looks: both(),
  },
  {
    name: 'placement-lab',
    title: 'An edit of a placement, before it is saved',
    path: '/policies/detail?id=shop/search&view=lab',
    before: withFixedIds,
    ready: async (page) => {
      await page.getByTestId('lab-picture').waitFor()
      await page.getByLabel(say()('policies.form.division'), { exact: true }).selectOption('Dynamic')
      await page.locator('[data-testid=lab-headline]:not([data-moved="0"])').waitFor()
    },
    looks: both([EN_DARK]),
  },
  {
    name: 'resilience',
    title: 'Which failures the fleet survives',
    path: '/clusters/what-if?loss=member2,member1',
    ready: async (page) => page.locator('[data-testid=loss-card][data-losing]').first().waitFor(),
    looks: both([EN_DARK, ...PHONES]),
  },
  {
    name: 'what-if',
    title: 'What if a cluster fails',
    path: '/clusters/what-if?cluster=member1&cause=fails',
    ready: part('what-if-target'),
    looks: both([EN_DARK]),
  },
  {
    name: 'spread',
    title: 'Subsets of a workload in every cluster',
    path: '/spread?id=shop/delivery-pools',
    ready: (page) => page.getByTestId('subset-row').nth(3).waitFor(),
    looks: both(),
  },
  { name: 'queues', title: 'Queues', path: '/queues', ready: part('queue-row'), looks: both([...PHONES]) },
  {
    name: 'queue-lanes',
    title: 'Queues as lanes',
    path: '/queues?view=lanes',
    ready: part('lane-block'),
    looks: both([EN_DARK]),
  },
  {
    name: 'queue',
    title: 'One queue',
    path: '/queues/detail?queue=lab/lab',
    ready: part('pending-row'),
    looks: both(),
  },
  {
    name: 'queue-hold',
    title: 'Holding a queue',
    path: '/queues/detail?queue=lab/lab&do=hold',
    ready: async (page) => {
      await page.getByTestId('hold-preview').waitFor()
      await page.getByLabel(say()('queues.hold.reasonLabel')).fill('stock-taking')
    },
    looks: both([...PHONES]),
  },
  { name: 'incidents-none', title: 'Incidents, none in progress', path: '/failover', ready: live, looks: both() },
  { name: 'rebalance-none', title: 'Rebalance, nothing yet', path: '/rebalancers', ready: live, looks: both() },
  { name: 'api', title: 'API reference', path: '/api-reference', ready: part('problem-row'), looks: both() },
]

const HELD: readonly Scene[] = [
  {
    name: 'queue-held',
    title: 'A queue on hold, and what resuming it does',
    path: '/queues/detail?queue=lab/lab&do=resume',
    ready: part('queue-action'),
    looks: both([...PHONES]),
  },
]

const INCIDENT = '/failover/incident?cluster=member1'

const OUTAGE: readonly Scene[] = [
  {
    name: 'overview-incident',
    title: 'Overview during an outage',
    path: '/overview',
    ready: async (page) => {
      await overview(page)
      await page.getByTestId('attention-item').first().waitFor()
    },
    looks: both([EN_DARK, ...PHONES]),
  },
  {
    name: 'overview-wall-incident',
    title: 'Overview on a wall during an outage',
    path: '/overview?display=wall',
    ready: part('attention-item'),
    looks: [WALL],
  },
  {
    name: 'incident-running',
    title: 'An incident in progress',
    path: INCIDENT,
    ready: part('swimlanes'),
    looks: both([EN_DARK, ...PHONES]),
  },
  { name: 'incidents', title: 'Incidents', path: '/failover', ready: part('failover-row'), looks: both() },
  {
    name: 'fleet-incident',
    title: 'Workloads by clusters during an outage',
    path: '/fleet',
    ready: part('workload-row'),
    looks: both([EN_DARK]),
  },
  {
    name: 'cluster-down',
    title: 'A cluster that is down',
    path: '/clusters/detail?name=member1',
    ready: part('member-problem'),
    looks: both(),
  },
]

const AFTERWARDS: readonly Scene[] = [
  {
    name: 'incident-finished',
    title: 'An incident that is over',
    path: INCIDENT,
    ready: part('swimlanes'),
    looks: both([EN_DARK, ...PHONES]),
  },
  {
    name: 'incidents-past',
    title: 'Past incidents',
    path: '/failover?show=history',
    ready: part('past-failover'),
    looks: both(),
  },
  {
    name: 'plan-preview',
    title: 'A rebalance before it is applied',
    path: `/fleet?sel=${ALL}&plan=rebalance&way=waves`,
    ready: part('plan-flow'),
    looks: both([EN_DARK]),
  },
  { name: 'overview-after', title: 'Overview after an outage', path: '/overview', ready: overview, looks: both() },
]

const PLAN_PAGE = '/rebalancers/plan?name=bring-home'

const RUNNING: readonly Scene[] = [
  {
    name: 'plan-running',
    title: 'A rebalance that runs in waves',
    path: PLAN_PAGE,
    ready: part('plan-wave'),
    looks: both([EN_DARK]),
  },
]

const DONE: readonly Scene[] = [
  {
    name: 'plan-done',
    title: 'A rebalance that is over',
    path: PLAN_PAGE,
    ready: part('plan-prediction'),
    looks: both(),
  },
  { name: 'rebalance', title: 'Rebalance', path: '/rebalancers', ready: part('plan-row'), looks: both() },
  {
    name: 'rebalancer',
    title: 'A WorkloadRebalancer that triggered a workload',
    path: '/rebalancers/detail?name=fresh-search',
    ready: part('rebalancer-state'),
    looks: both(),
  },
  {
    name: 'control-plane',
    title: 'Control plane',
    path: '/control-plane',
    ready: async (page) => {
      await live(page)
      await page.getByText(say()('controlPlane.controllers')).first().waitFor()
    },
    looks: both(),
  },
]

/** Policies with workloads in member1, as kubectl names them, in the order in which these leave it. */
const LEAVING: readonly (readonly string[])[] = [
  ...['search', 'ledger', 'web', 'checkout', 'delivery', 'settings'].map((name) => [
    `propagationpolicy/${name}`,
    '--namespace=shop',
  ]),
  ['propagationpolicy/everything', '--namespace=lab'],
  ['clusterpropagationpolicy/shop-reader'],
]

/** So many may leave at once as are due. */
export const DEMONSTRATION_FLAGS = [UNSEEDED, '--resource-eviction-rate=100']

const PLAN = `
apiVersion: evenkeel.io/v1alpha1
kind: RebalancePlan
metadata: { name: bring-home }
spec:
  selection: { namespaces: [shop] }
  waves: { size: 1, soakSeconds: 5 }
  minReady: 100%
`

const REBALANCER = `
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: { name: fresh-search }
spec: { workloads: [{ apiVersion: apps/v1, kind: Deployment, namespace: shop, name: search }] }
`

export const DEMONSTRATION = [...CALM, ...REHEARSED, ...HELD, ...OUTAGE, ...LOST, ...AFTERWARDS, ...RUNNING, ...DONE]

export async function walkDemonstration(stage: Stage, camera: Camera): Promise<void> {
  const { kubectl } = stage
  await createDemonstration(stage)
  await untilCounts(kubectl, 'replicas', READY)
  await goOn(stage, '08:00:05')
  await untilCounts(kubectl, 'readyReplicas', READY)
  await goOn(stage, '09:10:00')
  await camera.take(...CALM)
  await rehearse(stage, camera)
  await kubectl.run([
    'patch',
    'queue',
    'lab',
    '-n',
    'lab',
    '--type=merge',
    '-p',
    '{"spec":{"hold":{"reason":"stock-taking"}}}',
  ])
  await goOn(stage, '09:11:00')
  await camera.take(...HELD)
  await kubectl.run(['patch', 'queue', 'lab', '-n', 'lab', '--type=merge', '-p', '{"spec":{"hold":null}}'])
  await tolerate(stage)
  // What the policies change is scheduled at this time, too.
  await settle(kubectl)
  await goOn(stage, '09:14:05')
  await kubectl.takeDown('member1')
  // The first probe that fails is one of this time, whenever the probes happen.
  await settle(kubectl)
  for (const second of ['08', '10', '12', '14', '16', '18']) await goOn(stage, `09:14:${second}`)
  await camera.take(...OUTAGE, ...LOST)
  for (const second of ['20', '22', '24', '26', '30']) await goOn(stage, `09:14:${second}`)
  await kubectl.bringBack('member1')
  for (const time of ['09:16:40', '09:16:43', '09:16:46']) await goOn(stage, time)
  await camera.take(...AFTERWARDS)
  await bringHome(stage, camera)
}

/**
 * Policies leave a cluster that failed one after the other: of workloads that may all go at once, those that the rate limit
 * takes first are not the same in two runs.
 */
async function tolerate({ kubectl }: Stage): Promise<void> {
  const taints = ['cluster.karmada.io/not-ready', 'cluster.karmada.io/unreachable']
  for (const [index, policy] of LEAVING.entries()) {
    const tolerationSeconds = 2 * (index + 1)
    const clusterTolerations = taints.map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds,
    }))
    const patch = JSON.stringify({ spec: { placement: { clusterTolerations } } })
    await kubectl.run(['patch', ...policy, '--type=merge', '-p', patch])
  }
}

async function bringHome(stage: Stage, camera: Camera): Promise<void> {
  const { kubectl } = stage
  const phase = (value: string) => untilField(kubectl, ['rbp', 'bring-home', '-o', 'jsonpath={.status.phase}'], value)
  await goOn(stage, '09:20:00')
  await kubectl.apply(PLAN)
  await phase('AwaitingApproval')
  const base = await kubectl.run(['get', 'rbp', 'bring-home', '-o', 'jsonpath={.status.base}'])
  await kubectl.run(['patch', 'rbp', 'bring-home', '--type=merge', '-p', JSON.stringify({ spec: { base } })])
  for (const second of ['02', '04', '06', '08', '10', '12']) await goOn(stage, `09:20:${second}`)
  await camera.take(...RUNNING)
  for (let second = 14; second < 59; second += 3) await goOn(stage, `09:20:${second}`)
  await phase('Completed')
  await kubectl.apply(REBALANCER)
  for (const second of ['02', '04', '06']) await goOn(stage, `09:21:${second}`)
  await camera.take(...DONE)
}
