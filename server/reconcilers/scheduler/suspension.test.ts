import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SUSPENSION_CONDITION } from '@/lib/domain/placement'
import { findCondition } from '@/lib/kube/conditions'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { clusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { HELD_PLACED_ANNOTATION, SUSPENDED_BY_POLICY_ANNOTATION } from '@/lib/kube/names'
import { QUEUE_ANNOTATION, SUSPENDED_BY_ANNOTATION, SUSPENDED_REASON_ANNOTATION } from '@/lib/domain/queue/annotations'
import { aBinding, aClusterBinding, aggregated } from '@/lib/testing/builders'
import { createRestClient } from '@/server/kube/rest-client'
import { withFaults } from '@/server/testing/faulty-client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { karmadaProfile } from '../shared/compatibility'
import { schedulerController, type SchedulerOptions } from '.'
import { placedOf, schedulingIn, still } from './testing/scheduling'

let env: Env
let words: ReturnType<typeof schedulingIn>
beforeEach(async () => {
  env = await startEnv()
  words = schedulingIn(env)
  await env.createCluster('member1')
})
afterEach(() => env.close())

const REF = { namespace: 'default', name: 'web-deployment' }
const suspended = { suspension: { scheduling: true } } satisfies Partial<BindingSpec>
const run = (options: SchedulerOptions = {}) => env.run(schedulerController(env.context(), options))
const told = ({ status }: ResourceBinding): string | undefined => {
  const condition = findCondition(status?.conditions, SUSPENSION_CONDITION)
  return condition && `${condition.status} ${condition.reason}: ${condition.message}`
}
const tells = (text: string) =>
  env.eventually(async () => {
    const binding = await words.read('web')
    expect(told(binding)).toBe(text)
    return binding
  }, still)
const resume = (scheduling: false | null) =>
  env.client.patch(
    resourceBinding,
    REF,
    { type: 'merge', value: { spec: { suspension: { scheduling } } } },
    { fieldManager: 'kubectl-edit' },
  )

describe('a binding that is suspended when it is created', () => {
  test.each([
    [
      'by a person',
      {},
      'Suspended: Scheduling has been suspended by test-admin (kubectl-create) since 2026-01-01T00:00:00Z.',
    ],
    [
      'by its policy',
      { [SUSPENDED_BY_POLICY_ANNOTATION]: 'PropagationPolicy shop/all', [QUEUE_ANNOTATION]: 'shop/line' },
      'SuspendedByPolicy: Scheduling has been suspended by PropagationPolicy shop/all since 2026-01-01T00:00:00Z. '
        + 'Remove spec.suspension.scheduling from the policy to resume it.',
    ],
    [
      'by its policy and a person',
      {
        [SUSPENDED_BY_POLICY_ANNOTATION]: 'ClusterPropagationPolicy all',
        [SUSPENDED_BY_ANNOTATION]: 'ann 2025-12-31T10:00:00Z',
      },
      'SuspendedByPolicy: Scheduling has been suspended by ClusterPropagationPolicy all and ann since 2025-12-31T10:00:00Z. '
        + 'Remove spec.suspension.scheduling from the policy to resume it.',
    ],
    [
      'by a queue',
      { [QUEUE_ANNOTATION]: 'shop/line' },
      'SuspendedByQueue: Scheduling has been suspended by queue shop/line since 2026-01-01T00:00:00Z. The queue admits the workload in order.',
    ],
    [
      'by a hold that knows that it is placed',
      { [QUEUE_ANNOTATION]: 'shop/line', [HELD_PLACED_ANNOTATION]: 'shop/line' },
      'HeldByQueue: Scheduling has been suspended by the hold of queue shop/line since 2026-01-01T00:00:00Z. Scaling and failover of the workload are suspended too.',
    ],
    [
      'by a person who left a note',
      { [SUSPENDED_BY_ANNOTATION]: 'ann 2025-12-31T10:00:00Z', [SUSPENDED_REASON_ANNOTATION]: 'wrong image' },
      'Suspended: Scheduling has been suspended by ann since 2025-12-31T10:00:00Z: wrong image',
    ],
    [
      'by a person whose note is damaged',
      { [SUSPENDED_BY_ANNOTATION]: 'ann yesterday' },
      'Suspended: Scheduling has been suspended by ann yesterday since 2026-01-01T00:00:00Z.',
    ],
  ])('%s says who, since when and why, and is placed nowhere', async (_who, annotations, text) => {
    const draft = aBinding('web', { spec: suspended })
    await env.client.create(
      resourceBinding,
      { ...draft, metadata: { ...draft.metadata, annotations } },
      { fieldManager: 'kubectl-create' },
    )
    await run()
    const { status, spec } = await tells(`True ${text}`)
    await words.hasLooked()
    expect(spec.clusters).toBeUndefined()
    expect(status?.conditions?.map(({ type }) => type)).toEqual([SUSPENSION_CONDITION])
  })

  test.each([
    ['false', false],
    ['gone', null],
  ] as const)('is scheduled when the field is %s, and says that it was resumed', async (_name, value) => {
    await words.bind('web', { spec: suspended })
    await run()
    await env.eventually(async () => expect(told(await words.read('web'))).toMatch(/^True/), still)
    await env.advance(60_000)
    await resume(value)
    await words.becomes('web', { member1: 1 })
    await tells('False Resumed: Scheduling was resumed at 2026-01-01T00:01:00Z.')
  })

  test('of the cluster-scoped kind does the same', async () => {
    await run()
    await env.create(clusterResourceBinding, aClusterBinding('role', { spec: suspended }))
    const ref = { name: 'role-clusterrole' }
    const read = () => env.client.get(clusterResourceBinding, ref) as Promise<ResourceBinding>
    await env.eventually(async () => expect(told(await read())).toMatch(/^True Suspended/), still)
    await env.client.patch(clusterResourceBinding, ref, { type: 'merge', value: { spec: { suspension: null } } })
    await env.eventually(async () => {
      const binding = await read()
      expect([placedOf(binding), told(binding)?.slice(0, 13)]).toEqual([{ member1: 0 }, 'False Resumed'])
    }, still)
  })
})

test('an unchanged suspension is reported once, and another suspender again', async () => {
  await words.bind('web', { spec: suspended })
  await run()
  const {
    metadata: { resourceVersion },
  } = await tells('True Suspended: Scheduling has been suspended by evenkeel-test since 2026-01-01T00:00:00Z.')
  await env.advance(3_600_000)
  await words.hasLooked()
  expect((await words.read('web')).metadata.resourceVersion).toBe(resourceVersion)
  await env.client.patch(resourceBinding, REF, {
    type: 'merge',
    value: { metadata: { annotations: { [QUEUE_ANNOTATION]: 'shop/line' } } },
  })
  const { status } = await tells(
    'True SuspendedByQueue: Scheduling has been suspended by queue shop/line since 2026-01-01T00:00:00Z. The queue admits the workload in order.',
  )
  expect(findCondition(status?.conditions, SUSPENSION_CONDITION)?.lastTransitionTime).toBe('2026-01-01T00:00:00Z')
})

test('a user who suspends a binding that a controller created, without managed fields, is named', async () => {
  const own = createRestClient({ url: env.url, token: env.token, userAgent: 'evenkeel' })
  await own.create(
    resourceBinding,
    aBinding('web', { spec: { placement: { clusterAffinity: { clusterNames: ['nowhere'] } } } }),
  )
  expect((await words.read('web')).metadata.managedFields).toBeUndefined()
  await run()
  await env.client.patch(
    resourceBinding,
    REF,
    { type: 'merge', value: { spec: suspended } },
    { fieldManager: 'kubectl-patch' },
  )
  await tells('True Suspended: Scheduling has been suspended by test-admin (kubectl-patch) since 2026-01-01T00:00:00Z.')
})

test('a binding that was never suspended has no such condition', async () => {
  await run()
  await words.bind('web')
  expect(told(await words.becomes('web', { member1: 1 }))).toBeUndefined()
})

test('a binding of another scheduler is ignored', async () => {
  await run()
  await words.bind('web', { spec: { ...suspended, schedulerName: 'other' } })
  await words.hasLooked()
  expect((await words.read('web')).status).toBeUndefined()
})

test('as upstream nothing is reported', async () => {
  await run(karmadaProfile.scheduler)
  await words.bind('web', { spec: suspended })
  await words.hasLooked()
  expect((await words.read('web')).status).toBeUndefined()
})

test('a suspension that arrives while the result is being written wins', async () => {
  let races = 0
  const client = withFaults(env.client, {
    verb: 'patch',
    kind: resourceBinding,
    times: 1,
    before: async () => {
      races += 1
      await env.client.patch(resourceBinding, REF, { type: 'merge', value: { spec: suspended } })
    },
  })
  await words.bind('web')
  await env.run(schedulerController({ ...env.context(), client }))
  await env.eventually(async () => expect(told(await words.read('web'))).toMatch(/^True/))
  await words.hasLooked()
  expect([races, placedOf(await words.read('web'))]).toEqual([1, {}])
})

test('a suspended binding that is being retried stays in its clusters at the retry', async () => {
  await env.createCluster('small', { cpu: '100m' })
  const here = { ...aggregated(), clusterAffinity: { clusterNames: ['small'] } }
  await run({ wakeOnCapacity: false })
  await words.bind('web', { replicas: 2, cpu: '1', placement: here })
  await words.says('web', /^False Unschedulable/)
  await words.change('web', suspended)
  await tells('True Suspended: Scheduling has been suspended by evenkeel-test since 2026-01-01T00:00:00Z.')
  await words.reports('small', { resourceSummary: { allocatable: { cpu: '64', memory: '256Gi', pods: '1000' } } })
  await env.advance(600_000)
  await words.hasLooked()
  expect(placedOf(await words.read('web'))).toEqual({})
  await resume(false)
  await words.becomes('web', { small: 2 })
})
