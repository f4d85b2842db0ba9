/** Numbers that tenants write never decide how much this process holds. */
import { expect, test } from 'vitest'
import {
  cloneSet as cloneSetKind,
  deployment as deploymentKind,
  job as jobKind,
  pod as podKind,
  statefulSet as statefulSetKind,
} from '@/lib/kube/kinds'
import { event as eventKind } from '@/lib/kube/kinds/event'
import { aDeployment } from '@/lib/testing/builders'
import { boundedReplicas, PODS_PER_MEMBER, PODS_PER_WORKLOAD } from './pod-limits'
import { mapBounded } from '@/server/runtime/bounded'
import { startTestMember } from './testing/start-member'
import { parseIndexes, planJob } from './workloads/job-plan'
import { planOrdinals } from './workloads/ordinals'

const HUGE = 2 ** 31 - 1
const labels = { app: 'web' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web:1' }] } }
const metadata = { name: 'web', namespace: 'default' }
const selector = { matchLabels: labels }

const drafts = [
  ['Deployment', deploymentKind, aDeployment('web', { replicas: HUGE })],
  [
    'StatefulSet',
    statefulSetKind,
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: { replicas: HUGE, serviceName: 'web', podManagementPolicy: 'Parallel' as const, selector, template },
    },
  ],
  [
    'CloneSet',
    cloneSetKind,
    { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet', metadata, spec: { replicas: HUGE, selector, template } },
  ],
  [
    'Job',
    jobKind,
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: {
        parallelism: HUGE,
        completions: HUGE,
        template: { spec: { ...template.spec, restartPolicy: 'Never' as const } },
      },
    },
  ],
] as const

test.each(drafts)(
  'a %s of 2147483647 pods gets the limit, a condition and an event',
  async (_, kind, draft) => {
    const { env, client } = await startTestMember({ 'sim.evenkeel.io/ready-after': '10m' })
    try {
      await client.create(kind as typeof deploymentKind, draft as never)
      await env.eventually(
        async () => {
          const { status } = await client.get(kind as typeof deploymentKind, metadata)
          expect(status?.conditions).toContainEqual(
            expect.objectContaining({
              type: 'ReplicaFailure',
              status: 'True',
              reason: 'FailedCreate',
              message: `Simulated member m1 creates at most ${PODS_PER_WORKLOAD} pods per workload; ${HUGE} were asked for.`,
            }),
          )
          const { items } = await client.list(podKind, { namespace: 'default' })
          expect(items).toHaveLength(PODS_PER_WORKLOAD)
        },
        { timeoutMs: 60_000, flowMs: 60 },
      )
      await env.eventually(async () => {
        const { items } = await client.list(eventKind)
        expect(
          items.filter(({ reason, source }) => reason === 'FailedCreate' && source?.component === 'simulated-member'),
        ).not.toEqual([])
      })
      await client.delete(kind as typeof deploymentKind, metadata, { propagationPolicy: 'Background' })
      await env.eventually(async () => expect((await client.list(kind as typeof deploymentKind)).items).toEqual([]))
    } finally {
      await env.close()
    }
  },
  120_000,
)

test('a full member creates no more pods, reports it, and continues when some are deleted', async () => {
  const { env, client } = await startTestMember()
  try {
    // On a node that is not simulated: they exist, and cost nothing else.
    const pod = (index: number) =>
      client.create(podKind, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `p${index}`, namespace: 'default' },
        spec: { nodeName: 'elsewhere', containers: [{ name: 'main', image: 'web:1' }] },
      })
    await mapBounded(
      Array.from({ length: PODS_PER_MEMBER }, (_, index) => index),
      64,
      pod,
    )
    await client.create(deploymentKind, aDeployment('web', { replicas: 3 }))
    const full = `Simulated member m1 runs at most ${PODS_PER_MEMBER} pods`
    await env.eventually(
      async () => {
        const { status } = await client.get(deploymentKind, metadata)
        expect(status?.conditions).toContainEqual(
          expect.objectContaining({ type: 'ReplicaFailure', message: expect.stringContaining(full) as string }),
        )
        const { items } = await client.list(eventKind)
        expect(items.map(({ message }) => message)).toContainEqual(expect.stringContaining(full))
      },
      { timeoutMs: 60_000, flowMs: 60 },
    )
    for (let index = 0; index < 5; index++)
      await client.delete(podKind, { name: `p${index}`, namespace: 'default' }, { gracePeriodSeconds: 0 })
    await env.eventually(
      async () => {
        expect((await client.get(deploymentKind, metadata)).status).toMatchObject({ readyReplicas: 3 })
      },
      { timeoutMs: 60_000, flowMs: 500 },
    )
  } finally {
    await env.close()
  }
}, 180_000)

test('requests are bounded on both sides', () => {
  expect([-5, 0, 3, HUGE, Infinity].map(boundedReplicas)).toEqual([0, 0, 3, PODS_PER_WORKLOAD, PODS_PER_WORKLOAD])
})

test('decisions about numbered pods cost as much as existing pods, not requested ones', () => {
  const ordinals = planOrdinals({
    replicas: boundedReplicas(HUGE),
    start: HUGE,
    parallel: true,
    updateFrom: 0,
    pods: [],
  })
  expect(ordinals.create).toHaveLength(PODS_PER_WORKLOAD)
  const spec = { parallelism: HUGE, completions: HUGE, completionMode: 'Indexed', template }
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    spec,
    status: { completedIndexes: `0-${HUGE}` },
    metadata: { ...metadata, uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  }
  expect(planJob({ job: job as never, pods: [], now: 0 }).create).toHaveLength(PODS_PER_WORKLOAD)
  expect(parseIndexes(`0-${HUGE},5-1e300`)).toHaveLength(PODS_PER_WORKLOAD)
  expect(parseIndexes('0-2,5,a,3-1')).toEqual([0, 1, 2, 5])
})
