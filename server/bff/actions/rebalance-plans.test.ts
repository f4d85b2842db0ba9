import { describe, expect, onTestFinished, test } from 'vitest'
import { configMap } from '@/lib/kube/kinds/config-map'
import { rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding } from '@/lib/testing/builders'
import { seededRng } from '@/lib/std/rng'
import type { Rollout } from '@/lib/view/actions'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { rebalancePlanController } from '@/server/reconcilers/rebalance-plan'
import { startEnv } from '@/server/testing/start-env'
import { call } from '../testing/call'
import { eventually, startBff } from '../testing/start-bff'

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'web' }
const api = { ...web, name: 'api' }
const calm: Rollout = {
  waveSize: 1,
  soakSeconds: 0,
  minReady: '100%',
  makeBeforeBreak: true,
  onRegression: 'Hold',
  allowFewerReplicas: false,
}
const dynamic = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
} as const

/** Two equal clusters, and two workloads that sit in one of them. `looping` carries plans out. */
async function startFleet({ looping = false } = {}) {
  const env = await startEnv()
  onTestFinished(() => env.close())
  await env.createNamespace('demo')
  await env.createCluster('m1')
  await env.createCluster('m2')
  for (const name of ['web', 'api']) {
    await env.create(
      resourceBinding,
      aBinding(name, {
        namespace: 'demo',
        replicas: 4,
        placement: dynamic,
        clusters: [{ name: 'm1', replicas: 4 }],
        status: { lastScheduledTime: '2025-12-31T00:00:00Z', schedulerObservedGeneration: 1 },
      }),
    )
  }
  if (looping) await env.run(rebalancePlanController(env.context()))
  const { client, informers, clock } = env
  const about = { mode: 'embedded' as const, server: env.url, user: 'test-admin', reconcilers: () => [] }
  const bff = await startBff({ client, informers, clock, random: seededRng(7).next, about })
  await eventually(async () => expect((await call(`${bff.url}/readyz`)).status).toBe(200))
  const post = (path: string, body: object) => call(`${bff.url}/api/v1/${path}`, { body })
  const create = async (body: object) => ((await post('rebalance-plans', body)).json as { name: string }).name
  const preview = async (targets: object[], rollout: Rollout = calm) =>
    (await post('rebalance-previews', { targets, rollout })).json as RebalancePlanView
  const read = (name: string) => env.client.get(rebalancePlan, { name })
  return { env, post, create, preview, read }
}

describe('a plan in waves', () => {
  test('is previewed as the object that would be created, and created as it was previewed', async () => {
    const { preview, create, read } = await startFleet()
    const view = await preview([web, api])
    expect(view).toMatchObject({
      totals: { targets: 2, moving: 2, replicasMoved: 4 },
      manifest: {
        kind: 'RebalancePlan',
        spec: {
          workloads: [api, web],
          base: view.base,
          waves: { size: 1, soakSeconds: 0 },
          minReady: '100%',
          makeBeforeBreak: true,
        },
      },
    })
    const created = await read(
      await create({ targets: [web, api], base: view.base, rollout: calm, ttlSecondsAfterFinished: 60 }),
    )
    expect(created.spec).toMatchObject({ ...(view.manifest as { spec: object }).spec, ttlSecondsAfterFinished: 60 })
    expect(created.metadata.annotations).toEqual({ 'evenkeel.io/created-by': 'test-admin' })
  })

  test('is begun by the loop at once, for both plan the same', async () => {
    const { preview, create, read } = await startFleet({ looping: true })
    const name = await create({ targets: [web, api], base: (await preview([web, api])).base, rollout: calm })
    await eventually(async () =>
      expect((await read(name)).status).toMatchObject({ phase: 'Running', counts: { total: 2 } }),
    )
  })

  test('is refused with the new preview when the fleet changed', async () => {
    const { env, preview, post } = await startFleet()
    const { base } = await preview([web])
    await env.client.patch(
      resourceBinding,
      { namespace: 'demo', name: 'web-deployment' },
      { type: 'merge', value: { spec: { replicas: 6 } } },
    )
    const outcome = await eventually(async () => {
      const answer = await post('rebalance-plans', { targets: [web], base, rollout: calm })
      expect(answer.status).toBe(409)
      return answer
    })
    expect(outcome.json).toMatchObject({ reason: 'PlanOutdated', plan: { totals: { targets: 1 } } })
    expect((await env.client.list(rebalancePlan)).items).toEqual([])
  })

  test('with a selection waits for approval of its preview', async () => {
    const { create, read, post } = await startFleet({ looping: true })
    const name = await create({ selection: { runningOn: ['m1'], labels: 'app notin (api)' }, rollout: calm })
    expect((await read(name)).spec.selection).toEqual({
      runningOn: ['m1'],
      labelSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['api'] }] },
    })
    const base = await eventually(async () => {
      const { status } = await read(name)
      expect(status?.phase).toBe('AwaitingApproval')
      return status?.base ?? ''
    })
    const invented = await post(`rebalance-plans/${name}/actions`, { action: 'approve', base: 'invented' })
    expect(invented).toMatchObject({ status: 409, json: { reason: 'PlanOutdated' } })
    await post(`rebalance-plans/${name}/actions`, { action: 'approve', base })
    await eventually(async () => expect((await read(name)).status?.phase).not.toBe('AwaitingApproval'))
  })

  test.each([
    ['pause', { paused: true }],
    ['resume', { paused: false }],
    ['stop', { stopped: true }],
  ])('is told to %s by one write', async (act, spec) => {
    const { create, read, post } = await startFleet()
    const name = await create({ selection: { kinds: ['Deployment'] }, rollout: calm })
    expect((await post(`rebalance-plans/${name}/actions`, { action: act })).status).toBe(200)
    expect((await read(name)).spec).toMatchObject(spec)
  })

  test('goes on after the stop that the user saw, and is discarded', async () => {
    const { env, create, read, post } = await startFleet()
    const name = await create({ undoOf: 'before' })
    expect((await read(name)).spec.undoOf).toBe('before')
    await post(`rebalance-plans/${name}/actions`, { action: 'continue', holds: 2 })
    expect((await read(name)).spec.acknowledgedHolds).toBe(2)
    await post(`rebalance-plans/${name}/actions`, { action: 'discard' })
    expect((await env.client.list(rebalancePlan)).items).toEqual([])
  })

  test('is refused with the chosen workloads when a selection is more than one plan takes', async () => {
    const { env, post, preview } = await startFleet()
    const names = Array.from({ length: 1001 }, (_, index) => `c${index}`)
    const template = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'demo', name })
    await Promise.all(
      names.map(async (name) => {
        await env.create(configMap, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, namespace: 'demo', labels: { app: name === 'c7' ? 'other' : 'many' } },
        })
        await env.create(
          resourceBinding,
          aBinding(name, {
            namespace: 'demo',
            metadata: { name: `${name}-configmap`, namespace: 'demo' },
            spec: { resource: template(name) },
          }),
        )
      }),
    )
    const refused = async (selection: object) => {
      const { status, json } = await post('rebalance-plans', { selection, rollout: calm })
      const { reason, workloads } = json as { reason?: string; workloads?: object[] }
      return { status, reason, count: workloads?.length }
    }
    await eventually(async () =>
      expect(await refused({ kinds: ['ConfigMap'] })).toEqual({ status: 400, reason: 'TooManyWorkloads', count: 1001 }),
    )
    await eventually(async () =>
      expect(await refused({ namespaces: ['demo'] })).toMatchObject({ reason: 'TooManyWorkloads', count: 1003 }),
    )
    // Labels come from templates, also without another selection.
    expect(await refused({ labels: 'app in (many,other)' })).toMatchObject({ reason: 'TooManyWorkloads', count: 1001 })
    expect(await refused({ labels: 'app=many' })).toEqual({ status: 201, reason: undefined, count: undefined })
    expect(await refused({ labels: 'app!=many', kinds: ['Deployment'] })).toMatchObject({ status: 201 })
    expect(await preview([template('c1')])).toMatchObject({ totals: { targets: 1 } })
  })

  test.each<[string, string, object, number, string | undefined]>([
    ['a selection of nothing', 'rebalance-plans', { selection: {}, rollout: calm }, 400, undefined],
    [
      'labels that cannot be read',
      'rebalance-plans',
      { selection: { labels: 'a in (' }, rollout: calm },
      400,
      'selection.labels',
    ],
    [
      'a share above everything',
      'rebalance-plans',
      { selection: { kinds: ['Deployment'] }, rollout: { ...calm, minReady: '110%' } },
      400,
      undefined,
    ],
    [
      'both a selection and an undo',
      'rebalance-plans',
      { selection: { kinds: ['Deployment'] }, rollout: calm, undoOf: 'x' },
      400,
      undefined,
    ],
    ['an act that there is not', 'rebalance-plans/x/actions', { action: 'explode' }, 400, undefined],
    ['an approval of nothing', 'rebalance-plans/x/actions', { action: 'approve' }, 400, undefined],
    ['an act on a plan that is not there', 'rebalance-plans/x/actions', { action: 'pause' }, 404, undefined],
    [
      'more workloads than a plan takes',
      'rebalance-previews',
      { targets: Array.from({ length: 1001 }, (_, index) => ({ ...web, name: `w${index}` })), rollout: calm },
      400,
      undefined,
    ],
  ])('meets %s with a refusal', async (_name, path, body, ...[code, field]) => {
    const { post } = await startFleet()
    const { status, json } = await post(path, body)
    expect(status).toBe(code)
    expect(json).toMatchObject({ status: code, ...(field && { field }) })
  })
})
