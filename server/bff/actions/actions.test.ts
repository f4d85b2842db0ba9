import { describe, expect, onTestFinished, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { aBinding } from '@/lib/testing/builders'
import { seededRng } from '@/lib/std/rng'
import type { AboutView } from '@/lib/view/model'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { english } from '@/lib/messages/english'
import { PLAN_ANNOTATION, readPlanRecord } from '@/lib/view/project/plan-record'
import { startEnv } from '@/server/testing/start-env'
import { call } from '../testing/call'
import { eventually, startBff } from '../testing/start-bff'
import { rebalancerName } from './create-rebalancer'

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'web' }
const WEB = 'apps~v1/Deployment/demo/web'
const dynamic = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
} as const

/** Two equal clusters, and a workload that sits in one of them. */
async function startFleet(deps: Parameters<typeof startBff>[0] = {}) {
  const env = await startEnv()
  onTestFinished(() => env.close())
  await env.createNamespace('demo')
  await env.createCluster('m1')
  await env.createCluster('m2')
  await env.create(
    resourceBinding,
    aBinding('web', {
      namespace: 'demo',
      replicas: 4,
      placement: dynamic,
      clusters: [{ name: 'm1', replicas: 4 }],
      status: { lastScheduledTime: '2025-12-31T00:00:00Z', schedulerObservedGeneration: 1 },
    }),
  )
  const { client, informers, clock } = env
  const about = {
    mode: 'embedded' as const,
    server: env.url,
    user: 'test-admin',
    reconcilers: () => [{ name: 'scheduler', running: true, leader: true }],
  }
  const bff = await startBff({ client, informers, clock, random: seededRng(7).next, about, ...deps })
  await eventually(async () => expect((await call(`${bff.url}/readyz`)).status).toBe(200))
  const plan = async (targets: object[] = [web]) =>
    (await call(`${bff.url}/api/v1/rebalance-previews`, { body: { targets } })).json as RebalancePlanView
  const create = (body: object) => call(`${bff.url}/api/v1/rebalancers`, { body: { targets: [web], ...body } })
  return { env, bff, plan, create }
}

describe('planning a rebalance', () => {
  test('shows before, after and why, and the exact object that would be created', async () => {
    const { plan } = await startFleet()
    const view = await plan()
    expect(view).toMatchObject({
      computedAt: '2026-01-01T00:00:00Z',
      targets: [
        {
          id: WEB,
          verdict: 'moves',
          before: [{ cluster: 'm1', replicas: 4 }],
          after: [
            { cluster: 'm1', replicas: 2 },
            { cluster: 'm2', replicas: 2 },
          ],
          moved: 2,
        },
      ],
      totals: { targets: 1, moving: 1, replicasMoved: 2, clustersTouched: ['m1', 'm2'] },
      manifest: { kind: 'WorkloadRebalancer', metadata: { generateName: 'rebalance-' }, spec: { workloads: [web] } },
    })
    expect(view.kubectl).toContain('kubectl create -f -')
  })

  test('says why a target is refused', async () => {
    const { plan } = await startFleet()
    expect((await plan([{ ...web, name: 'none' }])).targets).toMatchObject([
      { verdict: 'refused', reason: { code: 'rebalance.refused.BindingNotFound' } },
    ])
  })

  test('is refused when one rebalancer could not report the results of so many workloads', async () => {
    const { env, bff } = await startFleet()
    const names = Array.from({ length: 2500 }, (_, at) => `${'w'.repeat(230)}${at}`)
    await Promise.all(
      names.map((name) =>
        env.create(
          resourceBinding,
          aBinding(name, {
            namespace: 'demo',
            replicas: 4,
            placement: dynamic,
            clusters: [{ name: 'm1', replicas: 4 }],
            status: { lastScheduledTime: '2025-12-31T00:00:00Z', schedulerObservedGeneration: 1 },
          }),
        ),
      ),
    )
    const preview = async (some: readonly string[]) => {
      const targets = some.map((name) => ({ ...web, name }))
      const { status, json } = await call(`${bff.url}/api/v1/rebalance-previews`, { body: { targets } })
      const { reason, detail, totals } = json as { reason?: string; detail?: string; totals?: { moving: number } }
      return { status, reason, detail, moving: totals?.moving }
    }
    await eventually(async () => expect(await preview(names.slice(-10))).toMatchObject({ status: 200, moving: 10 }))
    await eventually(async () =>
      expect(await preview(names)).toEqual({
        status: 400,
        reason: 'TooManyWorkloads',
        detail: english('rebalance.problem.tooManyAtOnce', { n: 2500 }),
        moving: undefined,
      }),
    )
  })

  test('changes nothing', async () => {
    const { env, plan } = await startFleet()
    await plan()
    expect((await env.client.list(workloadRebalancer)).items).toEqual([])
  })
})

describe('creating a rebalancer', () => {
  test('creates it under a name of its own, with the record of the plan and who asked', async () => {
    const { env, plan, create } = await startFleet()
    const { base } = await plan()
    const { status, json } = await create({ base, ttlSecondsAfterFinished: 600 })
    expect(status).toBe(201)
    const { name } = json as { name: string }
    expect(name).toMatch(/^rebalance-20260101-000000-[a-z0-9]{4}$/)
    const created = await env.client.get(workloadRebalancer, { name })
    expect(created.spec).toEqual({ workloads: [web], ttlSecondsAfterFinished: 600 })
    expect(created.metadata.annotations).toMatchObject({ 'evenkeel.io/created-by': 'test-admin' })
    expect(readPlanRecord(created.metadata.annotations?.[PLAN_ANNOTATION]).get(WEB)).toEqual({
      isUncertain: false,
      before: [{ cluster: 'm1', replicas: 4 }],
      predicted: [
        { cluster: 'm1', replicas: 2 },
        { cluster: 'm2', replicas: 2 },
      ],
    })
  })

  test('twice in the same second gives two rebalancers', async () => {
    const { env, plan, create } = await startFleet()
    const { base } = await plan()
    const names = [await create({ base }), await create({ base })].map(({ json }) => (json as { name: string }).name)
    expect(new Set(names).size).toBe(2)
    expect((await env.client.list(workloadRebalancer)).items).toHaveLength(2)
  })

  test('is refused with the new plan when the fleet changed in a way that matters', async () => {
    const { env, plan, create } = await startFleet()
    const { base } = await plan()
    await env.client.patch(
      cluster,
      { name: 'm2' },
      { type: 'merge', value: { spec: { taints: [{ key: 'drain', effect: 'NoSchedule' }] } } },
    )
    await eventually(async () => expect((await plan()).base).not.toBe(base))
    const { status, json } = await create({ base })
    expect(status).toBe(409)
    expect(json).toMatchObject({ status: 409, reason: 'PlanOutdated', plan: { targets: [{ verdict: 'stays' }] } })
    expect((await env.client.list(workloadRebalancer)).items).toEqual([])
    expect(await create({ base: (json as { plan: RebalancePlanView }).plan.base })).toMatchObject({
      status: 409,
      json: { reason: 'NothingToDo' },
    })
  })

  test('names only what moves: what stays or is refused is not triggered', async () => {
    const { plan, create, env } = await startFleet()
    const gone = { ...web, name: 'gone' }
    const { base, targets } = await plan([web, gone])
    expect(targets.map(({ verdict }) => verdict)).toEqual(['moves', 'refused'])
    expect((await create({ targets: [web, gone], base })).status).toBe(201)
    const [created] = (await env.client.list(workloadRebalancer)).items
    expect(created?.spec.workloads).toEqual([web])
  })

  test('goes through when the fleet changed in a way that does not matter', async () => {
    const { env, plan, create, bff } = await startFleet()
    const { base } = await plan()
    await env.client.patch(
      cluster,
      { name: 'm2' },
      { type: 'merge', value: { metadata: { labels: { color: 'blue' } } } },
    )
    const reader = bff.read('clusters')
    await env.eventually(() => expect(reader.state.phase).toBe('live'))
    expect((await create({ base })).status).toBe(201)
  })

  test.each([
    [Date.UTC(2026, 10, 21, 9, 14, 2, 999), 0, 'rebalance-20261121-091402-bbbb'],
    [Date.UTC(2026, 0, 1), 0.999, 'rebalance-20260101-000000-9999'],
  ])('at %d is named for the moment', (now, chance, name) => expect(rebalancerName(now, () => chance)).toBe(name))
})

describe('about', () => {
  test('names the control plane, what it serves and who runs', async () => {
    const { bff } = await startFleet()
    const about = (await call(`${bff.url}/api/v1/about`)).json as AboutView
    expect(about).toMatchObject({
      mode: 'embedded',
      user: 'test-admin',
      reconcilers: [{ name: 'scheduler', running: true }],
      missing: [],
    })
    expect(about.kinds.map(({ kind, served, readable }) => [kind, served, readable])).toContainEqual([
      'Cluster',
      true,
      true,
    ])
    expect(about.version).toMatch(/^v1\./)
  })

  test('calls kinds unknown while the API server does not respond', async () => {
    const { url } = await startBff()
    const about = (await call(`${url}/api/v1/about`)).json as AboutView
    expect(about.version).toBeUndefined()
    const cluster = about.kinds.find(({ kind }) => kind === 'Cluster')
    expect([cluster?.unknown, cluster?.note && english.of(cluster.note)]).toEqual([
      true,
      'the API server does not respond',
    ])
    expect(about.missing).toEqual([])
  })
})
