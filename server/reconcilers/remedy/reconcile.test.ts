import { afterEach, beforeEach, expect, test } from 'vitest'
import { cluster as clusterKind } from '@/lib/kube/kinds'
import { remedy as remedyKind } from '@/lib/kube/kinds/remedy'
import { type Env, startEnv } from '@/server/testing/start-env'
import { remedyController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(remedyController(env.context()))
  await env.createCluster('m1')
  await env.createCluster('m2')
})
afterEach(() => env.close())

const actions = async (name: string) => (await env.client.get(clusterKind, { name })).status?.remedyActions
const settled = (name: string, expected: string[] | undefined) =>
  env.eventually(async () => expect(await actions(name)).toEqual(expected), { flowMs: 0 })
const create = (name: string, spec: object) =>
  env.client.create(remedyKind, {
    apiVersion: 'remedy.karmada.io/v1alpha1',
    kind: 'Remedy',
    metadata: { name },
    spec: { actions: ['TrafficControl'], clusterAffinity: { clusterNames: ['m1'] }, ...spec },
  })

async function becomes(status: 'True' | 'False'): Promise<void> {
  const cluster = await env.client.get(clusterKind, { name: 'm1' })
  const condition = { type: 'DNS', status, reason: 'Test', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }
  const conditions = [...(cluster.status?.conditions ?? []).filter(({ type }) => type !== 'DNS'), condition]
  await env.client.update(
    clusterKind,
    { ...cluster, status: { ...cluster.status, conditions } },
    { subresource: 'status' },
  )
}

test('a remedy without matches applies to its clusters until it goes', async () => {
  await create('now', {})
  await settled('m1', ['TrafficControl'])
  expect(await actions('m2')).toBeUndefined()
  await env.client.delete(remedyKind, { name: 'now' })
  await settled('m1', undefined)
})

test('a remedy with matches is added and removed with the condition', async () => {
  const match = { conditionType: 'DNS', operator: 'Equal', conditionStatus: 'False' }
  await create('dns', { decisionMatches: [{ clusterConditionMatch: match }] })
  await becomes('False')
  await settled('m1', ['TrafficControl'])
  await becomes('True')
  await settled('m1', undefined)
})
