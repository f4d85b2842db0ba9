/** Pages in the states that a reader sees seldom. They are compared in both themes; most pictures are not kept. */
import type { Page } from '@playwright/test'
import type { Scene } from '../camera'
import { afterLive, withoutAnswers } from './connection'
import { live, part } from './ready'

type Shown = Pick<Scene, 'name' | 'title' | 'path'>

const CLUSTER = '/clusters/detail?name=member1'
const WORKLOAD = '/workloads/detail?id=apps~v1/Deployment/shop/web'

const signed = ({ name, title, path }: Shown, rest: Pick<Scene, 'ready' | 'before'>): Scene => ({
  name,
  title,
  path,
  looks: [],
  ...rest,
})

/** The layout of this page, not yet that of any page, before anything is known. */
async function outlined(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('main output, main [data-testid=skeleton]').first().waitFor()
}

const LOADING: readonly Scene[] = (
  [
    { name: 'workloads-loading', title: 'Workload list, loading', path: '/workloads' },
    { name: 'clusters-loading', title: 'Clusters, loading', path: '/clusters' },
    { name: 'cluster-loading', title: 'One cluster, loading', path: CLUSTER },
    { name: 'workload-loading', title: 'One workload, loading', path: WORKLOAD },
    { name: 'incidents-loading', title: 'Incidents, loading', path: '/failover' },
    { name: 'incident-loading', title: 'An incident, loading', path: '/failover/incident?cluster=member1' },
    { name: 'rebalance-loading', title: 'Rebalance, loading', path: '/rebalancers' },
    { name: 'policies-loading', title: 'Placement policies, loading', path: '/policies' },
    { name: 'resilience-loading', title: 'Resilience, loading', path: '/clusters/what-if' },
  ] as const
).map((shown) => signed(shown, { before: withoutAnswers, ready: outlined }))

const STALE: readonly Scene[] = (
  [
    [{ name: 'workloads-stale', title: 'Workload list, stale', path: '/workloads' }, 'workload-row'],
    [{ name: 'clusters-stale', title: 'Clusters, stale', path: '/clusters' }, 'cluster-row'],
    [{ name: 'cluster-stale', title: 'One cluster, stale', path: CLUSTER }, 'node'],
    [{ name: 'workload-stale', title: 'One workload, stale', path: WORKLOAD }, 'distribution-row'],
    [{ name: 'queues-stale', title: 'Queues, stale', path: '/queues' }, 'queue-row'],
    [{ name: 'policies-stale', title: 'Placement policies, stale', path: '/policies' }, 'policy-row'],
  ] as const
).map(([shown, shownPart]) => signed(shown, afterLive(shownPart)))

const NO_MATCH: readonly Scene[] = (
  [
    { name: 'workloads-no-match', title: 'Workload list, filtered to nothing', path: '/workloads' },
    { name: 'clusters-no-match', title: 'Clusters, filtered to nothing', path: '/clusters' },
    { name: 'queues-no-match', title: 'Queues, filtered to nothing', path: '/queues' },
    { name: 'policies-no-match', title: 'Placement policies, filtered to nothing', path: '/policies' },
    { name: 'rebalance-no-match', title: 'Rebalance, filtered to nothing', path: '/rebalancers' },
  ] as const
).map(({ path, ...shown }) => signed({ ...shown, path: `${path}?q=nothing-like-this` }, { ready: live }))

export const STATES: readonly Scene[] = [...NO_MATCH, ...LOADING, ...STALE]

/** Pages that show something else while a cluster is lost. */
export const LOST: readonly Scene[] = (
  [
    [{ name: 'workloads-incident', title: 'Workload list during an outage', path: '/workloads' }, 'workload-row'],
    [{ name: 'clusters-incident', title: 'Clusters during an outage', path: '/clusters' }, 'cluster-row'],
    [
      {
        name: 'workload-incident',
        title: 'One workload during an outage',
        path: '/workloads/detail?id=apps~v1/Deployment/shop/checkout',
      },
      'distribution-row',
    ],
  ] as const
).map(([shown, shownPart]) => signed(shown, { ready: part(shownPart) }))

/** Which pages a tenant sees, and how they say what is missing. */
export const OF_TENANT: readonly Scene[] = (
  [
    { name: 'fleet-tenant', title: 'Workloads of a tenant', path: '/fleet' },
    { name: 'clusters-tenant', title: 'Clusters, as a tenant sees them', path: '/clusters' },
    { name: 'cluster-tenant', title: 'One cluster, as a tenant sees it', path: CLUSTER },
    { name: 'incidents-tenant', title: 'Incidents of a tenant', path: '/failover' },
    { name: 'queues-tenant', title: 'Queues of a tenant', path: '/queues' },
    { name: 'policies-tenant', title: 'Placement policies of a tenant', path: '/policies' },
  ] as const
).map((shown) =>
  signed(shown, { ready: (page) => page.locator('[data-freshness=Live], [data-freshness=Refused]').first().waitFor() }),
)
