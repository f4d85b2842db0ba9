import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KubeError } from '@/lib/kube/errors'
import { federatedResourceQuota, type FederatedResourceQuota, resourceBinding } from '@/lib/kube/kinds'
import type { Draft } from '@/lib/kube/object'
import { aBinding } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

const QUOTA = { namespace: 'default', name: 'quota' }
const limit = (cpu: string, namespace = 'default'): Draft<FederatedResourceQuota> => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'FederatedResourceQuota',
  metadata: { ...QUOTA, namespace },
  spec: { overall: { cpu } },
})
const bind = (name: string, replicas?: number, options: { dryRun?: boolean } = {}) =>
  env.client.create(
    resourceBinding,
    aBinding(name, {
      cpu: '1',
      ...(replicas !== undefined && { replicas, clusters: [{ name: 'member1', replicas }] }),
    }),
    options,
  )
const place = (name: string, replicas: number, options: { dryRun?: boolean } = {}) =>
  env.client.patch(
    resourceBinding,
    { namespace: 'default', name: `${name}-deployment` },
    { type: 'merge', value: { spec: { clusters: [{ name: 'member1', replicas }] } } },
    options,
  )
const quota = () => env.client.get(federatedResourceQuota, QUOTA)
const used = async () => (await quota()).status?.overallUsed
const refused = (write: Promise<unknown>): Promise<KubeError> =>
  write.then(
    () => {
      throw new Error('the write was not refused')
    },
    (error: unknown) => error as KubeError,
  )
const EXCEEDED = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'QuotaExceeded',
  code: 403,
  message:
    'admission webhook "resourcebinding.karmada.io" denied the request: '
    + 'FederatedResourceQuota(default/quota) exceeded for resource cpu: requested sum 5, limit 4.',
}

describe('a namespace with a quota', () => {
  beforeEach(() => env.create(federatedResourceQuota, limit('4')))

  it('takes bindings that are not scheduled yet', async () => {
    await bind('web')
    expect(await used()).toBeUndefined()
  })

  it('charges a binding that is created scheduled, and one that is scheduled later', async () => {
    await bind('web', 1)
    expect(await used()).toEqual({ cpu: '1' })
    await bind('api')
    await place('api', 3)
    expect(await used()).toEqual({ cpu: '4' })
  })

  it('refuses an excess and writes none of it', async () => {
    await bind('web', 2)
    await bind('api')
    const before = await quota()
    expect((await refused(place('api', 3))).status).toEqual(EXCEEDED)
    expect((await refused(bind('other', 3))).status).toEqual(EXCEEDED)
    expect(await quota()).toEqual(before)
    expect((await env.client.list(resourceBinding)).items.map(({ spec }) => spec.clusters?.[0]?.replicas)).toEqual([
      undefined,
      2,
    ])
  })

  it('gets back what a smaller workload leaves', async () => {
    await bind('web', 4)
    await place('web', 1)
    expect(await used()).toEqual({ cpu: '1' })
  })

  it('lets a workload become smaller although the quota is lower by now', async () => {
    await bind('web', 4)
    await env.client.patch(federatedResourceQuota, QUOTA, { type: 'merge', value: { spec: { overall: { cpu: '1' } } } })
    await place('web', 2)
    expect(await used()).toEqual({ cpu: '2' })
  })

  it('judges a dry run and charges nothing', async () => {
    await bind('web', 4, { dryRun: true })
    expect((await refused(bind('web', 5, { dryRun: true }))).status).toEqual(EXCEEDED)
    await bind('web')
    await place('web', 4, { dryRun: true })
    expect(await used()).toBeUndefined()
  })

  it('never admits more than the quota when requests come at the same time', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `app-${index}`)
    await Promise.all(names.map((name) => bind(name)))
    const results = await Promise.allSettled(names.map((name) => place(name, 1)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(await used()).toEqual({ cpu: '4' })
  })
})

it('a quota of one namespace does not apply in another', async () => {
  await env.createNamespace('tenant')
  await env.create(federatedResourceQuota, limit('1', 'tenant'))
  await bind('web', 5)
  expect((await env.client.get(federatedResourceQuota, { namespace: 'tenant', name: 'quota' })).status).toBeUndefined()
})
