import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  cluster as clusterKind,
  clusterResourceBinding as clusterBindingKind,
  resourceBinding as bindingKind,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { formatTime } from '@/lib/std/clock'
import { aBinding, aClusterBinding, type BindingOptions } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { taintManagerController, type TaintManagerOptions } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.createCluster('m1')
  await env.createCluster('m2')
})
afterEach(() => env.close())

const ON_BOTH = [
  { name: 'm1', replicas: 2 },
  { name: 'm2', replicas: 1 },
]
const task = (fromCluster: string, replicas: number) => ({
  fromCluster,
  replicas,
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  purgeMode: 'Gracefully',
  creationTimestamp: '2026-01-01T00:00:00Z',
})

const start = (options?: TaintManagerOptions) => env.run(taintManagerController(env.context(), options))
const read = (name = 'web'): Promise<ResourceBinding> =>
  env.client.get(bindingKind, { namespace: 'default', name: `${name}-deployment` })
const placed = async (name = 'web') => ((await read(name)).spec.clusters ?? []).map((target) => target.name)

function create(name: string, tolerations: object[] = [], options: BindingOptions = {}): Promise<ResourceBinding> {
  const annotations = { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify({ clusterTolerations: tolerations }) }
  return env.create(bindingKind, aBinding(name, { clusters: ON_BOTH, metadata: { annotations }, ...options }))
}

async function taint(cluster: string): Promise<void> {
  const taints = [{ key: 'broken', effect: 'NoExecute', timeAdded: formatTime(env.clock.now()) }]
  await env.client.patch(clusterKind, { name: cluster }, { type: 'merge', value: { spec: { taints } } })
}

test('a binding leaves a tainted cluster at once, in one write', async () => {
  const before = await create('web')
  await start()
  await taint('m1')
  const after = await env.eventually(async () => {
    expect(await placed()).toEqual(['m2'])
    return read()
  })
  expect(after.spec.gracefulEvictionTasks).toEqual([task('m1', 2)])
  expect(after.metadata.generation).toBe((before.metadata.generation ?? 0) + 1)
})

test('as upstream, the graceful eviction controller sets the time of a task', async () => {
  await create('web')
  await start({ datedTasks: false })
  await taint('m1')
  const { creationTimestamp: _, ...undated } = task('m1', 2)
  await env.eventually(async () => expect((await read()).spec.gracefulEvictionTasks).toEqual([undated]))
})

const PRESERVE = { statePreservation: { rules: [{ aliasLabelName: 'job', jsonPath: '{ .jobStatus.jobID }' }] } }
const reported = (status?: Record<string, unknown>) => ({
  aggregatedStatus: [{ clusterName: 'm1', ...(status && { status }) }],
})

test('a task preserves the state that the policy names', async () => {
  await create('web', [], {
    spec: { failover: { cluster: PRESERVE } },
    status: reported({ jobStatus: { jobID: 'a1' } }),
  })
  await start({ skipMissingState: false })
  await taint('m1')
  await env.eventually(async () =>
    expect((await read()).spec.gracefulEvictionTasks).toEqual([
      { ...task('m1', 2), preservedLabelState: { job: 'a1' } },
    ]),
  )
})

test('state that was never reported does not prevent the eviction', async () => {
  await create('web', [], { spec: { failover: { cluster: PRESERVE } }, status: reported() })
  await start()
  await taint('m1')
  await env.eventually(async () => expect((await read()).spec.gracefulEvictionTasks).toEqual([task('m1', 2)]))
})

test('without the gate no state is preserved', async () => {
  await create('web', [], {
    spec: { failover: { cluster: PRESERVE } },
    status: reported({ jobStatus: { jobID: 'a1' } }),
  })
  await start({ preserveState: false })
  await taint('m1')
  await env.eventually(async () => expect((await read()).spec.gracefulEvictionTasks).toEqual([task('m1', 2)]))
})

test('both clusters of a binding fail together: one write, two tasks', async () => {
  await create('web')
  await taint('m1')
  await taint('m2')
  await start()
  await env.eventually(async () =>
    expect((await read()).spec.gracefulEvictionTasks).toEqual([task('m1', 2), task('m2', 1)]),
  )
  expect(await placed()).toEqual([])
})

test('a cluster-scoped binding is evicted too, without replicas in its task', async () => {
  const annotations = { [APPLIED_PLACEMENT_ANNOTATION]: '{}' }
  await env.create(
    clusterBindingKind,
    aClusterBinding('viewer', { clusters: [{ name: 'm1' }], metadata: { annotations } }),
  )
  await start()
  await taint('m1')
  const { replicas: _, ...expected } = task('m1', 0)
  await env.eventually(async () => {
    const { spec } = await env.client.get(clusterBindingKind, { name: 'viewer-clusterrole' })
    expect(spec.gracefulEvictionTasks).toEqual([expected])
  })
})

test('a tolerated taint counts down to the second', async () => {
  await create('web', [{ key: 'broken', operator: 'Exists', tolerationSeconds: 30 }])
  await start()
  await taint('m1')
  await env.eventually(() => expect(env.informers.of(clusterKind).get('m1')?.spec.taints).toHaveLength(1), {
    flowMs: 0,
  })
  await env.advance(29_999)
  expect(await placed()).toEqual(['m1', 'm2'])
  await env.advance(1)
  await env.eventually(async () => expect(await placed()).toEqual(['m2']), { flowMs: 0 })
})

test('a taint that is removed within the toleration evicts no workload', async () => {
  await create('web', [{ key: 'broken', operator: 'Exists', tolerationSeconds: 30 }])
  await start()
  await taint('m1')
  await env.eventually(() => expect(env.informers.of(clusterKind).get('m1')?.spec.taints).toHaveLength(1), {
    flowMs: 0,
  })
  await env.client.patch(clusterKind, { name: 'm1' }, { type: 'merge', value: { spec: { taints: null } } })
  await env.eventually(() => expect(env.informers.of(clusterKind).get('m1')?.spec.taints).toBeUndefined(), {
    flowMs: 0,
  })
  await env.advance(60_000)
  expect(await placed()).toEqual(['m1', 'm2'])
})

test('a binding whose applied placement is missing stays', async () => {
  await env.create(bindingKind, aBinding('web', { clusters: ON_BOTH }))
  await create('other')
  await start()
  await taint('m1')
  await env.eventually(async () => expect(await placed('other')).toEqual(['m2']))
  expect(await placed()).toEqual(['m1', 'm2'])
})

test('evictions respect their rate', async () => {
  for (const name of ['a', 'b', 'c']) await create(name)
  await start({ resourceEvictionRate: 0.5 })
  await taint('m1')
  const left = async () =>
    (await Promise.all(['a', 'b', 'c'].map((name) => placed(name)))).filter((clusters) => !clusters.includes('m1'))
      .length
  await env.eventually(async () => expect(await left()).toBe(1), { flowMs: 0 })
  await env.advance(1999)
  expect(await left()).toBe(1)
  await env.advance(1)
  await env.eventually(async () => expect(await left()).toBe(2), { flowMs: 0 })
  await env.advance(2000)
  await env.eventually(async () => expect(await left()).toBe(3), { flowMs: 0 })
})

test('evictions slow down while most clusters are lost', async () => {
  for (const name of ['m1', 'm2']) {
    const lost = {
      type: 'Ready',
      status: 'False',
      reason: 'ClusterNotReachable',
      message: '',
      lastTransitionTime: formatTime(env.clock.now()),
    }
    await env.client.patch(
      clusterKind,
      { name },
      { type: 'merge', value: { status: { conditions: [lost] } } },
      { subresource: 'status' },
    )
  }
  for (const name of ['a', 'b']) await create(name)
  await start({ resourceEvictionRate: 1 })
  await taint('m1')
  const left = async () =>
    (await Promise.all(['a', 'b'].map((name) => placed(name)))).filter((clusters) => !clusters.includes('m1')).length
  await env.eventually(async () => expect(await left()).toBe(1), { flowMs: 0 })
  await env.advance(4999)
  expect(await left()).toBe(1)
  await env.advance(1)
  await env.eventually(async () => expect(await left()).toBe(2), { flowMs: 0 })
})

test.each([
  ['the loop says so', 'Directly' as const, {}, 'Directly'],
  [
    'the policy says otherwise',
    'Directly' as const,
    { failover: { cluster: { purgeMode: 'Gracefully' as const } } },
    'Gracefully',
  ],
])('the purge mode when %s', async (...row) => {
  const [, purgeMode, spec, expected] = row
  await create('web', [], { spec })
  await start({ purgeMode })
  await taint('m1')
  await env.eventually(async () => expect((await read()).spec.gracefulEvictionTasks?.[0]?.purgeMode).toBe(expected))
})
