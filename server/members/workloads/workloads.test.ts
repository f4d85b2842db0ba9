/** DaemonSets and Jobs in a whole member. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cluster as clusterKind, daemonSet as daemonSetKind, job as jobKind, node as nodeKind, pod as podKind, type Job, type Pod } from '@/lib/kube/kinds'
import { SIM_NODES, SIM_READY_AFTER, SIM_RUN_FOR, SIM_UNHEALTHY } from '@/lib/kube/simulation'
import type { KubeClient } from '@/server/kube/client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { memberSimulation } from '..'

let env: Env
let member: KubeClient

beforeEach(async () => {
  env = await startEnv()
  await env.run(...memberSimulation(env.context()))
  await env.createCluster('m1', { annotations: { [SIM_NODES]: '2', [SIM_READY_AFTER]: '0s' } })
  member = env.client.member('m1')
  await env.eventually(async () => expect((await member.list(nodeKind)).items).toHaveLength(2))
})
afterEach(() => env.close())

const annotate = (annotations: Record<string, string | null>) =>
  env.client.patch(clusterKind, { name: 'm1' }, { type: 'merge', value: { metadata: { annotations } } })
const pods = async (): Promise<Pod[]> => (await member.list(podKind, { namespace: 'default' })).items

const labels = { app: 'agent' }
const template = (image = 'agent:1') => ({ metadata: { labels }, spec: { containers: [{ name: 'main', image }] } })
const readSet = () => member.get(daemonSetKind, { namespace: 'default', name: 'agent' })

test('a DaemonSet runs on every node, follows nodes, taints and templates, and counts them', async () => {
  await member.create(daemonSetKind, {
    apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent', namespace: 'default' }, spec: { selector: { matchLabels: labels }, template: template() },
  })
  await env.eventually(async () => expect((await readSet()).status).toMatchObject({
    desiredNumberScheduled: 2, currentNumberScheduled: 2, numberReady: 2, numberAvailable: 2, updatedNumberScheduled: 2, observedGeneration: 1,
  }))
  await annotate({ [SIM_NODES]: '3' })
  await env.eventually(async () => expect((await readSet()).status).toMatchObject({ desiredNumberScheduled: 3, numberAvailable: 3 }))
  const tainted = { type: 'merge' as const, value: { spec: { taints: [{ key: 'broken', effect: 'NoExecute' }] } } }
  await member.patch(nodeKind, { name: 'm1-node-1' }, tainted)
  await env.eventually(async () => {
    expect((await readSet()).status).toMatchObject({ desiredNumberScheduled: 2, numberAvailable: 2 })
    expect((await pods()).map(({ spec }) => spec.nodeName).toSorted()).toEqual(['m1-node-2', 'm1-node-3'])
  })
  await member.patch(daemonSetKind, { namespace: 'default', name: 'agent' }, { type: 'merge', value: { spec: { template: template('agent:2') } } })
  await env.eventually(async () => {
    expect((await readSet()).status).toMatchObject({ updatedNumberScheduled: 2, numberAvailable: 2, observedGeneration: 2 })
    expect((await pods()).map(({ spec }) => spec.containers?.[0]?.image)).toEqual(['agent:2', 'agent:2'])
  })
})

const aJob = (name: string, spec: Partial<Job['spec']> = {}) => ({
  apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace: 'default' },
  spec: {
    template: { metadata: { annotations: { [SIM_RUN_FOR]: '1s' } }, spec: { restartPolicy: 'Never' as const, containers: [{ name: 'main', image: 'sum' }] } }, ...spec,
  },
})
const readJob = async (name: string) => (await member.get(jobKind, { namespace: 'default', name })).status

test('a Job runs its pods until enough have succeeded', async () => {
  await member.create(jobKind, aJob('sum', { parallelism: 2, completions: 3 }))
  await env.eventually(async () => expect(await readJob('sum')).toMatchObject({ active: 2, ready: 2 }))
  await env.eventually(async () => expect(await readJob('sum')).toMatchObject({
    succeeded: 3, completionTime: expect.any(String), conditions: [{ type: 'SuccessCriteriaMet' }, { type: 'Complete', status: 'True' }],
  }))
  expect((await readJob('sum'))?.active ?? 0).toBe(0)
  expect((await pods()).map(({ status }) => status?.phase)).toEqual(['Succeeded', 'Succeeded', 'Succeeded'])
})

test('an unhealthy Job fails when its patience is over, and is cleared away when its time is over', async () => {
  await annotate({ [SIM_UNHEALTHY]: 'default/sum' })
  await member.create(jobKind, aJob('sum', { backoffLimit: 1, ttlSecondsAfterFinished: 60 }))
  await env.eventually(async () => expect(await readJob('sum')).toMatchObject({
    failed: 2, conditions: [{ type: 'FailureTarget' }, { type: 'Failed', reason: 'BackoffLimitExceeded' }],
  }), { flowMs: 200 })
  await env.eventually(async () => {
    expect((await member.list(jobKind)).items).toEqual([])
    expect(await pods()).toEqual([])
  }, { flowMs: 1000 })
})
