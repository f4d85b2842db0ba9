/** Workloads in a whole member. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  cronJob as cronJobKind,
  daemonSet as daemonSetKind,
  deployment as deploymentKind,
  horizontalPodAutoscaler as autoscalerKind,
  job as jobKind,
  node as nodeKind,
  persistentVolumeClaim as claimKind,
  pod as podKind,
  podDisruptionBudget as budgetKind,
  statefulSet as statefulSetKind,
  type Job,
  type PersistentVolumeClaim,
  type Pod,
} from '@/lib/kube/kinds'
import { SIM_NODES, SIM_RUN_FOR, SIM_UNHEALTHY } from '@/lib/kube/simulation'
import { aDeployment } from '@/lib/testing/builders'
import type { KubeClient } from '@/server/kube/client'
import type { Env } from '@/server/testing/start-env'
import { startTestMember, type TestMember } from '../testing/start-member'

let env: Env
let member: KubeClient
let annotate: TestMember['annotate']

beforeEach(async () => {
  ;({ env, client: member, annotate } = await startTestMember())
})
afterEach(() => env.close())

const pods = async (): Promise<Pod[]> => (await member.list(podKind, { namespace: 'default' })).items

const labels = { app: 'agent' }
const template = (image = 'agent:1') => ({ metadata: { labels }, spec: { containers: [{ name: 'main', image }] } })
const readSet = () => member.get(daemonSetKind, { namespace: 'default', name: 'agent' })

test('a DaemonSet runs on every node, follows nodes, taints and templates, and counts them', async () => {
  await member.create(daemonSetKind, {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'default' },
    spec: { selector: { matchLabels: labels }, template: template() },
  })
  await env.eventually(async () =>
    expect((await readSet()).status).toMatchObject({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 2,
      numberReady: 2,
      numberAvailable: 2,
      updatedNumberScheduled: 2,
      observedGeneration: 1,
    }),
  )
  await annotate({ [SIM_NODES]: '3' })
  await env.eventually(async () =>
    expect((await readSet()).status).toMatchObject({ desiredNumberScheduled: 3, numberAvailable: 3 }),
  )
  const tainted = { type: 'merge' as const, value: { spec: { taints: [{ key: 'broken', effect: 'NoExecute' }] } } }
  await member.patch(nodeKind, { name: 'm1-node-1' }, tainted)
  await env.eventually(async () => {
    expect((await readSet()).status).toMatchObject({ desiredNumberScheduled: 2, numberAvailable: 2 })
    expect((await pods()).map(({ spec }) => spec.nodeName).toSorted()).toEqual(['m1-node-2', 'm1-node-3'])
  })
  await member.patch(
    daemonSetKind,
    { namespace: 'default', name: 'agent' },
    { type: 'merge', value: { spec: { template: template('agent:2') } } },
  )
  await env.eventually(async () => {
    expect((await readSet()).status).toMatchObject({
      updatedNumberScheduled: 2,
      numberAvailable: 2,
      observedGeneration: 2,
    })
    expect((await pods()).map(({ spec }) => spec.containers?.[0]?.image)).toEqual(['agent:2', 'agent:2'])
  })
})

const aJob = (name: string, spec: Partial<Job['spec']> = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'default' },
  spec: {
    template: {
      metadata: { annotations: { [SIM_RUN_FOR]: '1s' } },
      spec: { restartPolicy: 'Never' as const, containers: [{ name: 'main', image: 'sum' }] },
    },
    ...spec,
  },
})
const readJob = async (name: string) => (await member.get(jobKind, { namespace: 'default', name })).status

test('a Job runs its pods until enough have succeeded', async () => {
  await member.create(jobKind, aJob('sum', { parallelism: 2, completions: 3 }))
  await env.eventually(async () => expect(await readJob('sum')).toMatchObject({ active: 2, ready: 2 }))
  await env.eventually(async () =>
    expect(await readJob('sum')).toMatchObject({
      succeeded: 3,
      completionTime: expect.any(String),
      conditions: [{ type: 'SuccessCriteriaMet' }, { type: 'Complete', status: 'True' }],
    }),
  )
  expect((await readJob('sum'))?.active ?? 0).toBe(0)
  expect((await pods()).map(({ status }) => status?.phase)).toEqual(['Succeeded', 'Succeeded', 'Succeeded'])
})

test('an unhealthy Job fails when its patience is over, and is cleared away when its time is over', async () => {
  await annotate({ [SIM_UNHEALTHY]: 'default/sum' })
  await member.create(jobKind, aJob('sum', { backoffLimit: 1, ttlSecondsAfterFinished: 60 }))
  await env.eventually(
    async () =>
      expect(await readJob('sum')).toMatchObject({
        failed: 2,
        conditions: [{ type: 'FailureTarget' }, { type: 'Failed', reason: 'BackoffLimitExceeded' }],
      }),
    { flowMs: 200 },
  )
  await env.eventually(
    async () => {
      expect((await member.list(jobKind)).items).toEqual([])
      expect(await pods()).toEqual([])
    },
    { flowMs: 1000 },
  )
})

test('a CronJob makes a Job at each of its times and remembers the last ones', async () => {
  await member.create(cronJobKind, {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report', namespace: 'default' },
    spec: { schedule: '*/5 * * * *', successfulJobsHistoryLimit: 1, jobTemplate: { spec: aJob('x').spec } },
  })
  const read = async () => (await member.get(cronJobKind, { namespace: 'default', name: 'report' })).status
  const names = async () => (await member.list(jobKind)).items.map(({ metadata }) => metadata.name)
  await env.eventually(async () => expect(await names()).toEqual(['report-29453765']), { flowMs: 5000 })
  await env.eventually(async () =>
    expect(await read()).toMatchObject({
      active: [{ name: 'report-29453765', kind: 'Job' }],
      lastScheduleTime: '2026-01-01T00:05:00Z',
    }),
  )
  await env.eventually(async () =>
    expect(await read()).toMatchObject({ lastSuccessfulTime: expect.stringContaining('2026-01-01T00:0') }),
  )
  await env.eventually(async () => expect(await names()).toContain('report-29453770'), { flowMs: 5000 })
  await env.eventually(async () => expect(await names()).toEqual(['report-29453770']))
})

test('the Jobs of an unhealthy CronJob fail', async () => {
  await annotate({ [SIM_UNHEALTHY]: 'default/report' })
  await member.create(cronJobKind, {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report', namespace: 'default' },
    spec: { schedule: '0 * * * *', jobTemplate: { spec: aJob('x', { backoffLimit: 0 }).spec } },
  })
  await env.eventually(async () => expect((await member.list(jobKind)).items).toHaveLength(1), { flowMs: 60_000 })
  await env.eventually(async () =>
    expect((await member.list(jobKind)).items[0]?.status).toMatchObject({
      failed: 1,
      conditions: [{ type: 'FailureTarget' }, { type: 'Failed' }],
    }),
  )
})

test('a suspended CronJob makes nothing', async () => {
  await member.create(cronJobKind, {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report', namespace: 'default' },
    spec: { schedule: '* * * * *', suspend: true, jobTemplate: { spec: aJob('x').spec } },
  })
  await env.advance(180_000)
  const marker = await member.create(jobKind, aJob('marker'))
  await env.eventually(async () => expect(await readJob(marker.metadata.name)).toMatchObject({ active: 1 }))
  expect((await member.list(jobKind)).items).toHaveLength(1)
})

const claimTemplate = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
} as unknown as PersistentVolumeClaim

test('the pods of a StatefulSet have claims of their own, which are bound and outlive them', async () => {
  const { spec } = aDeployment('db')
  await member.create(statefulSetKind, {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'default' },
    spec: {
      replicas: 2,
      serviceName: 'db',
      selector: spec.selector,
      template: spec.template,
      volumeClaimTemplates: [claimTemplate],
    },
  })
  const claims = async () =>
    (await member.list(claimKind)).items.map(({ metadata, status }) => [
      metadata.name,
      status?.phase,
      status?.capacity?.storage,
    ])
  await env.eventually(async () =>
    expect(await claims()).toEqual([
      ['data-db-0', 'Bound', '1Gi'],
      ['data-db-1', 'Bound', '1Gi'],
    ]),
  )
  expect((await pods())[0]?.spec.volumes).toMatchObject([
    { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
  ])
  await member.patch(
    statefulSetKind,
    { namespace: 'default', name: 'db' },
    { type: 'merge', value: { spec: { replicas: 0 } } },
  )
  await env.eventually(async () => expect(await pods()).toEqual([]))
  expect(await claims()).toHaveLength(2)
})

test('a budget counts the pods that may be disturbed, an autoscaler holds its bounds', async () => {
  await member.create(deploymentKind, aDeployment('web', { replicas: 5 }))
  await member.create(budgetKind, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
  })
  const budget = async () => (await member.get(budgetKind, { namespace: 'default', name: 'web' })).status
  await env.eventually(async () =>
    expect(await budget()).toMatchObject({
      expectedPods: 5,
      desiredHealthy: 4,
      currentHealthy: 5,
      disruptionsAllowed: 1,
      conditions: [{ type: 'DisruptionAllowed', status: 'True' }],
    }),
  )
  await member.create(autoscalerKind, {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      minReplicas: 1,
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    },
  })
  await env.eventually(async () => {
    expect((await member.get(autoscalerKind, { namespace: 'default', name: 'web' })).status).toMatchObject({
      currentReplicas: 3,
      desiredReplicas: 3,
      conditions: [
        { type: 'AbleToScale', status: 'True' },
        { type: 'ScalingActive', status: 'False' },
      ],
    })
    expect(await budget()).toMatchObject({ expectedPods: 3, currentHealthy: 3, disruptionsAllowed: 1 })
  })
})
