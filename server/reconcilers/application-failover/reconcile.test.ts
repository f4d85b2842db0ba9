import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  clusterResourceBinding as clusterBindingKind,
  propagationPolicy as policyKind,
  type PropagationPolicy,
  resourceBinding as bindingKind,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import type { AggregatedStatusItem } from '@/lib/kube/kinds/binding'
import type { Draft } from '@/lib/kube/object'
import { aBinding } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { karmadaProfile } from '../shared/compatibility'
import { applicationFailoverController, type ApplicationFailoverOptions } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  for (const name of ['m1', 'm2', 'm3']) await env.createCluster(name)
})
afterEach(() => env.close())

const REF = { namespace: 'default', name: 'web-deployment' }
const RECORD = 'failover.evenkeel.io/record'
type Rule = NonNullable<NonNullable<ResourceBinding['spec']['failover']>['application']>

const read = (): Promise<ResourceBinding> => env.client.get(bindingKind, REF)
const placed = async () => ((await read()).spec.clusters ?? []).map(({ name }) => name)
const start = (options?: ApplicationFailoverOptions) => env.run(applicationFailoverController(env.context(), options))
const rule = (toleration: number, more: Partial<Rule> = {}): Rule => ({
  decisionConditions: { tolerationSeconds: toleration },
  purgeMode: 'Directly',
  ...more,
})

function binding(application: Rule, spec: Partial<ResourceBinding['spec']> = {}): Draft<ResourceBinding> {
  const clusters = [
    { name: 'm1', replicas: 2 },
    { name: 'm2', replicas: 1 },
  ]
  return aBinding('web', {
    clusters,
    spec: { failover: { application }, propagateDeps: true, ...spec },
    status: { aggregatedStatus: [item('m1', 'Healthy'), item('m2', 'Healthy')] },
  })
}

const item = (
  clusterName: string,
  health: AggregatedStatusItem['health'],
  more: Partial<AggregatedStatusItem> = {},
): AggregatedStatusItem => ({ clusterName, applied: true, health, ...more })

async function report(...items: AggregatedStatusItem[]): Promise<void> {
  await env.client.patch(
    bindingKind,
    REF,
    { type: 'merge', value: { status: { aggregatedStatus: items } } },
    { subresource: 'status' },
  )
}

/** The failure was observed and recorded. */
const noted = () =>
  env.eventually(async () => expect((await read()).metadata.annotations?.[RECORD]).toContain('failedSince'), {
    flowMs: 0,
  })
const moved = () => env.eventually(async () => expect(await placed()).toEqual(['m2']), { flowMs: 0 })

test('a failure that outlasts its toleration evicts the workload, to the millisecond', async () => {
  await env.create(bindingKind, binding(rule(60)))
  await start()
  await report(item('m1', 'Unhealthy'), item('m2', 'Healthy'))
  await noted()
  await env.advance(59_999)
  expect(await placed()).toEqual(['m1', 'm2'])
  await env.advance(1)
  await moved()
  const { spec, metadata } = await read()
  expect(spec.gracefulEvictionTasks).toEqual([
    {
      fromCluster: 'm1',
      purgeMode: 'Directly',
      reason: 'ApplicationFailure',
      replicas: 2,
      producer: 'resource-binding-application-failover-controller',
      creationTimestamp: '2026-01-01T00:01:00Z',
    },
  ])
  expect(spec.activeEvictionHistory).toEqual([{ clusterName: 'm1', creationTimestamp: '2026-01-01T00:01:00Z' }])
  expect(metadata.annotations?.[RECORD]).toBeUndefined()
})

test('a recovery in between restarts the toleration', async () => {
  await env.create(bindingKind, binding(rule(60)))
  await start()
  await report(item('m1', 'Unhealthy'), item('m2', 'Healthy'))
  await noted()
  await env.advance(50_000)
  await report(item('m1', 'Healthy'), item('m2', 'Healthy'))
  await env.eventually(async () => expect((await read()).metadata.annotations?.[RECORD]).toBeUndefined(), { flowMs: 0 })
  await report(item('m1', 'Unhealthy'), item('m2', 'Healthy'))
  await noted()
  await env.advance(59_999)
  expect(await placed()).toEqual(['m1', 'm2'])
  await env.advance(1)
  await moved()
})

test('the toleration continues if another process recorded the failure', async () => {
  const draft = binding(rule(60))
  const annotations = { [RECORD]: '{"m1":{"failedSince":"2025-12-31T23:59:30.000Z"}}' }
  const aggregatedStatus = [item('m1', 'Unhealthy'), item('m2', 'Healthy')]
  await env.create(bindingKind, {
    ...draft,
    metadata: { ...draft.metadata, annotations },
    status: { aggregatedStatus },
  })
  await start()
  await env.advance(29_999)
  expect(await placed()).toEqual(['m1', 'm2'])
  await env.advance(1)
  await moved()
})

test.each([
  ['0 acts at once', {}, ['m2']],
  ['0 waits for another change, as upstream', karmadaProfile.applicationFailover, ['m1', 'm2']],
])('a toleration of %s', async (...row) => {
  const [, options, expected] = row
  await env.create(bindingKind, {
    ...binding(rule(0)),
    status: { aggregatedStatus: [item('m1', 'Unhealthy'), item('m2', 'Healthy')] },
  })
  await start(options)
  await env.eventually(async () => expect(await placed()).toEqual(expected), { flowMs: 0 })
  await env.advance(5000)
  expect(await placed()).toEqual(expected)
})

describe('preconditions of failures', () => {
  test('a delay since the first collected status', async () => {
    const first = item('m1', 'Unhealthy', { creationTimestamp: '2026-01-01T00:00:00Z' })
    await env.create(bindingKind, {
      ...binding(rule(5, { preConditions: { delaySeconds: 30 } })),
      status: { aggregatedStatus: [first, item('m2', 'Healthy')] },
    })
    await start()
    await env.advance(30_000)
    await noted()
    expect(await placed()).toEqual(['m1', 'm2'])
    await env.advance(5000)
    await moved()
  })

  test('having been healthy', async () => {
    const draft = binding(rule(5, { preConditions: { healthyState: 'Healthy' } }))
    await env.create(bindingKind, { ...draft, status: { aggregatedStatus: [item('m1', 'Unhealthy')] } })
    await start()
    await env.advance(60_000)
    expect(await placed()).toEqual(['m1', 'm2'])
    await report(item('m1', 'Unhealthy', { settled: true }))
    await noted()
    await env.advance(5000)
    await moved()
  })
})

test('the annotation of a policy replaces fields that the control plane lacks', async () => {
  const draft = binding(rule(5))
  const annotations = {
    'propagationpolicy.karmada.io/namespace': 'default',
    'propagationpolicy.karmada.io/name': 'web',
  }
  const policy: Draft<PropagationPolicy> = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: {
      name: 'web',
      namespace: 'default',
      annotations: { 'failover.evenkeel.io/application': '{"decisionConditions":{"healthyState":["Unknown"]}}' },
    },
    spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], placement: {} },
  }
  await env.create(policyKind, policy)
  await env.create(bindingKind, {
    ...draft,
    metadata: { ...draft.metadata, annotations },
    status: { aggregatedStatus: [item('m1', 'Unknown'), item('m2', 'Unhealthy')] },
  })
  await start()
  await noted()
  await env.advance(5000)
  await moved()
})

test('no workload is evicted while scheduling is suspended; due evictions follow once it resumes', async () => {
  await env.create(bindingKind, binding(rule(5), { suspension: { scheduling: true } }))
  await start()
  await report(item('m1', 'Unhealthy'), item('m2', 'Healthy'))
  await noted()
  await env.advance(60_000)
  expect(await placed()).toEqual(['m1', 'm2'])
  await env.client.patch(bindingKind, REF, { type: 'merge', value: { spec: { suspension: null } } })
  await moved()
})

test('state that the status lacks is omitted, with an event', async () => {
  const rules = [
    { aliasLabelName: 'job', jsonPath: '{.jobId}' },
    { aliasLabelName: 'phase', jsonPath: '{.phase}' },
  ]
  await env.create(bindingKind, binding(rule(0, { statePreservation: { rules } })))
  await start()
  await report(item('m1', 'Unhealthy', { status: { phase: 'Running' } }))
  await env.eventually(async () =>
    expect((await read()).spec.gracefulEvictionTasks).toMatchObject([{ preservedLabelState: { phase: 'Running' } }]),
  )
  const events = await env.recordedEvents()
  expect(events.map(({ reason, message }) => [reason, message])).toContainEqual([
    'StatePreservationSkipped',
    'State is not preserved: failed to execute jsonpath "{.jobId}": jobId is not found.',
  ])
})

test('as upstream, a state that cannot be preserved prevents the eviction, with an event', async () => {
  const statePreservation = { rules: [{ aliasLabelName: 'job', jsonPath: '{.jobId}' }] }
  await env.create(bindingKind, binding(rule(0, { statePreservation })))
  await start({ profile: { skipMissingState: false } })
  await report(item('m1', 'Unhealthy', { status: { phase: 'Running' } }))
  await env.eventually(async () => {
    const [event] = await env.recordedEvents()
    expect(event).toMatchObject({
      reason: 'ApplicationFailoverFailed',
      message: 'Application failover is blocked: failed to execute jsonpath "{.jobId}": jobId is not found',
    })
  })
  expect(await placed()).toEqual(['m1', 'm2'])
  await report(item('m1', 'Unhealthy', { status: { jobId: 'j-1' } }))
  await env.eventually(async () =>
    expect((await read()).spec.gracefulEvictionTasks).toMatchObject([
      { preservedLabelState: { job: 'j-1' }, clustersBeforeFailover: ['m1', 'm2'] },
    ]),
  )
})

test('the history is cleared when the block ends', async () => {
  await env.create(bindingKind, binding(rule(0, { blockPredecessorSeconds: 120 })))
  await start()
  await report(item('m1', 'Unhealthy'), item('m2', 'Healthy'))
  await env.eventually(async () => expect((await read()).spec.activeEvictionHistory).toHaveLength(1), { flowMs: 0 })
  await env.advance(119_999)
  expect((await read()).spec.activeEvictionHistory).toHaveLength(1)
  await env.advance(1)
  await env.eventually(async () => expect((await read()).spec.activeEvictionHistory).toBeUndefined(), { flowMs: 0 })
})

test('a namespaced workload without propagateDeps is ignored, a cluster-scoped one is not', async () => {
  await env.create(bindingKind, binding(rule(0), { propagateDeps: false }))
  const {
    metadata: { name },
    spec,
  } = binding(rule(0), { propagateDeps: false })
  const status = { aggregatedStatus: [item('m1', 'Unhealthy'), item('m2', 'Healthy')] }
  await env.create(clusterBindingKind, {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ClusterResourceBinding',
    metadata: { name: name! },
    spec,
    status,
  })
  await start()
  await report(item('m1', 'Unhealthy'), item('m2', 'Healthy'))
  await env.eventually(async () => {
    const {
      spec: { gracefulEvictionTasks },
    } = await env.client.get(clusterBindingKind, { name: name! })
    expect(gracefulEvictionTasks).toMatchObject([
      { producer: 'cluster-resource-binding-application-failover-controller' },
    ])
  })
  expect(await placed()).toEqual(['m1', 'm2'])
})

test('a workload that eviction would delete stays while no cluster can take it, with an event', async () => {
  await env.create(
    bindingKind,
    binding(rule(0), {
      clusters: [{ name: 'm1', replicas: 2 }],
      placement: { clusterAffinity: { clusterNames: ['m1', 'm4'] } },
    }),
  )
  await start()
  await report(item('m1', 'Unhealthy'))
  await env.eventually(async () => {
    const [event] = await env.recordedEvents()
    expect(event?.message).toBe(
      'Application failover is blocked: No cluster can take the workload: 0/3 clusters are available: '
        + '1 cluster(s) is in the process of eviction, 2 cluster(s) did not match the placement cluster affinity constraint',
    )
  })
  expect(await placed()).toEqual(['m1'])
  await env.createCluster('m4')
  await env.advance(10_000)
  await env.eventually(async () => expect(await placed()).toEqual([]), { flowMs: 0 })
})
