import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  cluster as clusterKind,
  failbackPolicy,
  rebalancePlan,
  resourceBinding,
  type FailbackPolicySpec,
} from '@/lib/kube/kinds'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { aBinding, byAvailableReplicas } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { failbackController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  for (const name of ['member1', 'member2']) await env.createCluster(name)
  for (const name of ['a', 'b', 'c']) await left(name, 'member1')
  await env.client.patch(
    clusterKind,
    { name: 'member1' },
    {
      type: 'merge',
      value: {
        status: {
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'ClusterReady',
              message: 'well',
              lastTransitionTime: '2026-01-01T00:00:00Z',
            },
          ],
        },
      },
    },
    { subresource: 'status' },
  )
  await env.run(failbackController(env.context()))
})
afterEach(() => env.close())

/** A workload that runs in member2 since it was evicted. */
function left(name: string, cluster: string) {
  const placement = byAvailableReplicas()
  const annotations = {
    'rebalance.evenkeel.io/left': JSON.stringify([{ cluster, replicas: 2, reason: 'TaintUntolerated' }]),
    [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(placement),
  }
  return env.create(
    resourceBinding,
    aBinding(name, {
      placement,
      replicas: 4,
      clusters: [{ name: 'member2', replicas: 4 }],
      metadata: { annotations },
      status: {
        lastScheduledTime: '2025-12-31T00:00:00Z',
        conditions: [
          {
            type: 'Scheduled',
            status: 'True',
            reason: 'Success',
            message: '',
            lastTransitionTime: '2025-12-31T00:00:00Z',
          },
        ],
      },
    }),
  )
}

const permit = (spec: FailbackPolicySpec) =>
  env.client.create(failbackPolicy, {
    apiVersion: 'evenkeel.io/v1alpha1',
    kind: 'FailbackPolicy',
    metadata: { name: 'home' },
    spec,
  })
const plans = async () => (await env.client.list(rebalancePlan)).items
const reason = async () => (await env.client.get(failbackPolicy, { name: 'home' })).status?.conditions?.[0]?.reason
const says = (expected: string) => env.eventually(async () => expect(await reason()).toBe(expected), { flowMs: 0 })

test('no workload returns before the cluster is stable, and then at most maxConcurrent at once', async () => {
  await permit({ stabilizationSeconds: 300, maxConcurrent: 2 })
  await says('NothingToReturn')
  expect((await env.client.get(failbackPolicy, { name: 'home' })).status?.clusters).toMatchObject([
    { name: 'member1', left: 3, returning: 3, stable: false },
  ])
  await env.advance(299_000)
  expect(await plans()).toEqual([])
  await env.advance(2_000)
  await env.eventually(async () => expect(await plans()).toHaveLength(1), { flowMs: 0 })
  const [plan] = await plans()
  expect(plan?.spec).toMatchObject({ autoApprove: true, waves: { size: 2 } })
  expect(plan?.spec.workloads?.map(({ name }) => name)).toEqual(['a', 'b'])
  await says('PlanRunning')
  await env.advance(60_000)
  expect(await plans()).toHaveLength(1)
})

test('a workload of one plan does not move again; the others follow when the first plan has ended', async () => {
  await permit({ stabilizationSeconds: 0, maxConcurrent: 2 })
  await env.eventually(async () => expect(await plans()).toHaveLength(1))
  const [first] = await plans()
  await env.client.patch(
    rebalancePlan,
    { name: first!.metadata.name },
    { type: 'merge', value: { status: { phase: 'Completed' } } },
    { subresource: 'status' },
  )
  await env.eventually(async () =>
    expect((await plans()).flatMap(({ spec }) => spec.workloads?.map(({ name }) => name) ?? []).toSorted()).toEqual([
      'a',
      'b',
      'c',
    ]),
  )
  const other = (await plans()).find(({ metadata }) => metadata.name !== first!.metadata.name)
  await env.client.patch(
    rebalancePlan,
    { name: other!.metadata.name },
    { type: 'merge', value: { status: { phase: 'Completed' } } },
    { subresource: 'status' },
  )
  await says('NothingToReturn')
  expect(await plans()).toHaveLength(2)
})

test('a suspended policy only suggests', async () => {
  await permit({ stabilizationSeconds: 0, suspend: true })
  await says('Suspended')
  await env.advance(60_000)
  expect(await plans()).toEqual([])
})
