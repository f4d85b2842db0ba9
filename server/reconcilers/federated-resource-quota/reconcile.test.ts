import { afterEach, beforeEach, expect, test } from 'vitest'
import { federatedResourceQuota, type FederatedResourceQuota, resourceBinding } from '@/lib/kube/kinds'
import { aBinding } from '@/lib/testing/builders'
import { withFaults } from '@/server/testing/faulty-client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { federatedResourceQuotaController } from '.'
import { reconcileQuota } from './reconcile'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

const QUOTA = { namespace: 'default', name: 'quota' }
const limit = (overall: Record<string, string>, status?: FederatedResourceQuota['status']) => env.create(federatedResourceQuota, {
  apiVersion: 'policy.karmada.io/v1alpha1', kind: 'FederatedResourceQuota', metadata: QUOTA,
  spec: { overall }, ...(status && { status }),
})
const bind = (name: string, replicas: number) => env.create(
  resourceBinding, aBinding(name, { cpu: '1', memory: '1Gi', replicas, clusters: [{ name: 'member1', replicas }] }),
)
const read = () => env.client.get(federatedResourceQuota, QUOTA)
const still = { flowMs: 0 }
const says = (status: FederatedResourceQuota['status']) =>
  env.eventually(async () => expect((await read()).status).toEqual(status), still)
const run = () => env.run(federatedResourceQuotaController(env.context()))

test('a new quota says what is in use already', async () => {
  await bind('web', 2)
  await bind('api', 1)
  await run()
  await limit({ cpu: '8' })
  await says({ overall: { cpu: '8' }, overallUsed: { cpu: '3' } })
})

test('a changed limit shows in the status', async () => {
  await run()
  await limit({ cpu: '8' })
  await says({ overall: { cpu: '8' }, overallUsed: {} })
  await env.client.patch(federatedResourceQuota, QUOTA, { type: 'merge', value: { spec: { overall: { cpu: '16' } } } })
  await says({ overall: { cpu: '16' }, overallUsed: {} })
})

test('a binding that is gone takes nothing any more', async () => {
  await run()
  await limit({ cpu: '8' })
  await bind('web', 2)
  await bind('api', 1)
  await env.eventually(async () => expect((await read()).status?.overallUsed?.cpu).toBe('3'), still)
  await env.client.delete(resourceBinding, { namespace: 'default', name: 'web-deployment' })
  await says({ overall: { cpu: '8' }, overallUsed: { cpu: '1' } })
})

test('what somebody else wrote is put right after five minutes, and what clusters reported stays', async () => {
  const aggregatedStatus = [{ clusterName: 'member1', used: { cpu: '1' } }]
  await limit({ cpu: '8' }, { aggregatedStatus })
  await run()
  await says({ aggregatedStatus, overall: { cpu: '8' }, overallUsed: {} })
  await env.client.update(federatedResourceQuota, { ...(await read()), status: { overallUsed: { cpu: '7' }, aggregatedStatus } }, { subresource: 'status' })
  await env.advance(5 * 60_000)
  await says({ aggregatedStatus, overall: { cpu: '8' }, overallUsed: {} })
})

test('a second pass writes nothing', async () => {
  await bind('web', 2)
  await limit({ cpu: '8' })
  await reconcileQuota(env.context(), 'default/quota')
  const first = await read()
  await reconcileQuota(env.context(), 'default/quota')
  expect(await read()).toEqual(first)
})

test('a binding that is scheduled while the others are counted is not forgotten', async () => {
  await limit({ cpu: '8' })
  const fault = { verb: 'update' as const, kind: federatedResourceQuota, before: async () => { await bind('web', 2) } }
  const context = { ...env.context(), client: withFaults(env.client, fault) }
  await expect(reconcileQuota(context, 'default/quota')).rejects.toMatchObject({ reason: 'Conflict' })
  await reconcileQuota(context, 'default/quota')
  expect((await read()).status?.overallUsed).toEqual({ cpu: '2' })
})

test('a quota that is gone is left alone', async () => {
  await expect(reconcileQuota(env.context(), 'default/quota')).resolves.toBeUndefined()
})
