import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { QUEUE_ANNOTATION } from '@/lib/domain/queue'
import { findCondition } from '@/lib/kube/conditions'
import { KubeError } from '@/lib/kube/errors'
import { mutatingWebhookConfiguration, resourceBinding, validatingWebhookConfiguration } from '@/lib/kube/kinds'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { resourceBindingV1alpha1 } from '@/lib/kube/kinds/binding-v1alpha1'
import { queue, type QueueSpec } from '@/lib/kube/kinds/queue'
import { HELD_PLACED_ANNOTATION } from '@/lib/kube/names'
import { aBinding, type BindingOptions } from '@/lib/testing/builders'
import type { KubeClient } from '@/server/kube/client'
import { karmadaProfile } from '@/server/reconcilers/shared/compatibility'
import { type Env, startEnv } from '@/server/testing/start-env'
import { aQueue, changeQueue, startTenants, type Tenants } from './testing/tenants'

let env: Env
let tenants: Tenants
beforeEach(async () => {
  env = await startEnv({ compatibility: karmadaProfile })
  tenants = await startTenants(env)
})
afterEach(async () => {
  await tenants.webhooks.close()
  await env.close()
})

const CONFIGURATION = { name: 'evenkeel-queues' }
const REF = { namespace: 'shop', name: 'web-deployment' }
const bind = (name = 'web', options: BindingOptions = {}) =>
  env.client.create(resourceBinding, aBinding(name, { namespace: 'shop', ...options }))
const suspendsIn = async (): Promise<unknown> => {
  const { webhooks = [] } = await env.client.get(mutatingWebhookConfiguration, CONFIGURATION)
  return webhooks.find(({ name }) => name === 'suspend.queue.evenkeel.io')?.namespaceSelector?.matchExpressions?.[0]
    ?.values
}
/** A queue whose webhooks are registered. */
async function queued(spec: QueueSpec = {}, name = 'line'): Promise<void> {
  await env.client.create(queue, aQueue(name, spec))
  await env.eventually(async () => expect(await suspendsIn()).toContain('shop'))
}

async function refusal(write: Promise<unknown>): Promise<string> {
  const error: unknown = await write.then(
    () => new Error('it was stored'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof KubeError)) throw error
  return `${error.code} ${error.message}`
}

describe('a new binding in a namespace that has a queue', () => {
  test('starts suspended, with the name of its queue, and keeps what it brings', async () => {
    await queued()
    const dispatchingOnClusters = { clusterNames: ['member1'] }
    const { spec, metadata } = await bind('web', {
      spec: { suspension: { dispatchingOnClusters } },
      metadata: { annotations: { mine: 'kept' } },
    })
    expect(spec.suspension).toEqual({ dispatchingOnClusters, scheduling: true })
    expect(metadata.annotations).toMatchObject({ mine: 'kept', [QUEUE_ANNOTATION]: 'shop/line' })
  })

  test.each<[string, Partial<BindingSpec>]>([
    ['has no replicas to place', { replicas: 0, replicaRequirements: undefined }],
    ['only follows another workload', { placement: undefined }],
    ['comes with its clusters', { clusters: [{ name: 'member1', replicas: 1 }] }],
  ])('passes when it %s', async (_case, spec) => {
    await queued()
    expect((await bind('web', { spec })).spec.suspension).toBeUndefined()
  })

  test('waits also when it has no replicas yet but could have some', async () => {
    await queued()
    expect((await bind('web', { replicas: 0 })).spec.suspension).toEqual({ scheduling: true })
  })

  test('of another namespace is not suspended, and neither is one whose queue is being deleted', async () => {
    await env.client.create(queue, {
      ...aQueue('line'),
      metadata: { name: 'line', namespace: 'shop', finalizers: ['test/keep'] },
    })
    await env.eventually(async () => expect(await suspendsIn()).toEqual(['shop']))
    expect((await bind('web', { namespace: 'lab' })).spec.suspension).toBeUndefined()
    await env.client.delete(queue, { namespace: 'shop', name: 'line' })
    await env.eventually(async () => expect(await suspendsIn()).toBeUndefined())
    expect((await bind()).spec.suspension).toBeUndefined()
  })
})

describe('the first version of a binding', () => {
  const merge = (value: object) => ({ type: 'merge' as const, value })

  test('is no way around a queue: pending bindings are not placed through it and stay suspended', async () => {
    await queued()
    await bind()
    const through = (value: object) => tenants.developer.patch(resourceBindingV1alpha1, REF, merge(value))
    const clusters = [{ name: 'member1', replicas: 1 }]
    expect(await refusal(through({ spec: { clusters } }))).toMatch(/^403 .*spec\.clusters/)
    await through({ metadata: { annotations: { a: 'b' } } })
    const { spec, metadata } = await env.client.get(resourceBinding, REF)
    expect(metadata.annotations).toMatchObject({ a: 'b', [QUEUE_ANNOTATION]: 'shop/line' })
    expect(spec.suspension).toEqual({ scheduling: true })
    expect(spec.clusters).toBeUndefined()
  })

  test('a binding made through it with its clusters is refused as any other', async () => {
    await queued()
    await env.eventually(async () => {
      const { webhooks = [] } = await env.client.get(validatingWebhookConfiguration, CONFIGURATION)
      expect(webhooks.map(({ name }) => name)).toContain('release.queue.evenkeel.io')
    })
    const clusters = [{ name: 'member1', replicas: 1 }]
    const { spec, metadata } = aBinding('web', { namespace: 'shop' }) as {
      spec: BindingSpec
      metadata: { name: string }
    }
    const first = { ...spec.resource, replicas: 2, resourcePerReplicas: { cpu: '1' } }
    const draft = {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'ResourceBinding',
      metadata,
      spec: { resource: first, clusters },
    }
    expect(
      await refusal(
        tenants.developer.create(resourceBinding, aBinding('web', { namespace: 'shop', spec: { clusters } })),
      ),
    ).toMatch(/^403 .*spec/)
    expect(await refusal(tenants.developer.create(resourceBindingV1alpha1, draft as never))).toMatch(/^403 .*spec/)
  })
})

describe('a queue', () => {
  test('records who holds it and since when, whatever its writer claims', async () => {
    await env.client.create(queue, aQueue('line'))
    const hold = { reason: 'freeze', by: 'somebody else', since: '2020-01-01T00:00:00Z' }
    const held = await changeQueue(tenants.tenant, 'line', { hold })
    expect(held.spec?.hold).toEqual({ reason: 'freeze', by: 'tenant', since: '2026-01-01T00:00:00Z' })
    await env.advance(60_000)
    const longer = await changeQueue(tenants.owner, 'line', { hold: { until: '2026-01-02T00:00:00Z', by: 'owner' } })
    expect(longer.spec?.hold).toMatchObject({
      by: 'tenant',
      since: '2026-01-01T00:00:00Z',
      until: '2026-01-02T00:00:00Z',
    })
    const other = await changeQueue(tenants.owner, 'line', { hold: { reason: 'migration' } })
    expect(other.spec?.hold).toMatchObject({ by: 'owner', reason: 'migration' })
    expect(other.spec?.hold?.since).not.toBe('2026-01-01T00:00:00Z')
  })

  const classes = (...list: NonNullable<QueueSpec['priorityClasses']>): QueueSpec => ({ priorityClasses: list })
  test.each<[string, QueueSpec, string]>([
    [
      'a hold with a past end',
      { hold: { reason: 'freeze', until: '2025-12-31T23:59:59Z' } },
      'spec.hold.until: Invalid value: "2025-12-31T23:59:59Z": must be in the future; it is now 2026-01-01T00:00:',
    ],
    [
      'a negative quota',
      { quota: { hard: { cpu: '-1' } } },
      'spec.quota.hard.cpu: Invalid value: "-1": must not be negative',
    ],
    [
      'a negative limit of borrowing',
      { quota: { borrowingLimit: { memory: '-1Gi' } } },
      'spec.quota.borrowingLimit.memory: Invalid value: "-1Gi": must not be negative',
    ],
    ['an unreadable quota', { quota: { hard: { cpu: 'many' } } }, 'spec.quota.hard.cpu: Invalid value: "many"'],
    [
      'a class twice',
      classes({ name: 'a', value: 1 }, { name: 'a', value: 2 }),
      'spec.priorityClasses[1].name: Duplicate value: "a"',
    ],
    [
      'two default classes',
      classes({ name: 'a', value: 1, default: true }, { name: 'b', value: 2, default: true }),
      'spec.priorityClasses[1].default: Invalid value: true: only one class can be the default, and "a" already is',
    ],
    ['a weight of zero', { weight: 0 }, 'spec.weight: Invalid value: 0'],
    ['a hold without a reason', { hold: { reason: '' } }, 'spec.hold.reason'],
  ])('with %s is refused', async (_case, spec, text) => {
    const told = await refusal(env.client.create(queue, aQueue('line', spec)))
    expect(told).toMatch(/^422 /)
    expect(told).toContain(text)
  })

  test('whose hold has ended can still be changed otherwise', async () => {
    await env.client.create(queue, aQueue('line', { hold: { reason: 'freeze', until: '2026-01-01T01:00:00Z' } }))
    await env.advance(7_200_000)
    expect((await changeQueue(tenants.tenant, 'line', { strategy: 'StrictFIFO' })).spec?.strategy).toBe('StrictFIFO')
  })

  test('for a namespace that another one has is refused; that one is named only where it lives there', async () => {
    await env.client.create(queue, aQueue('line', { namespaces: ['shop-2'] }))
    expect(await refusal(env.client.create(queue, aQueue('second')))).toBe(
      '422 admission webhook "validate.queue.evenkeel.io" denied the request: metadata.namespace: Invalid value: "shop": queue shop/line already includes this namespace, and a namespace belongs to one queue. Remove it there first',
    )
    expect(await refusal(env.client.create(queue, aQueue('theirs', { namespaces: ['lab'] }, 'shop-2')))).toContain(
      'metadata.namespace: Invalid value: "shop-2": another queue already includes this namespace',
    )
    await env.client.create(queue, aQueue('lab', {}, 'lab'))
    expect(
      await refusal(
        env.client.patch(
          queue,
          { namespace: 'lab', name: 'lab' },
          { type: 'merge', value: { spec: { namespaces: ['shop'] } } },
        ),
      ),
    ).toContain('spec.namespaces[0]: Invalid value: "shop": queue shop/line already includes this namespace')
  })

  test.each<[string, object]>([
    ['weight', { weight: 9 }],
    ['quota', { quota: { hard: { cpu: '100' } } }],
    ['quota', { quota: null }],
    ['onDelete', { onDelete: 'Hold' }],
  ])('keeps its %s from who may only update it', async (field, change) => {
    await env.client.create(queue, aQueue('line', { quota: { hard: { cpu: '1' } } }))
    expect(await refusal(changeQueue(tenants.tenant, 'line', change))).toContain(
      `403 admission webhook "validate.queue.evenkeel.io" denied the request: spec.${field}: Forbidden: tenant cannot create queues in namespace "shop"`,
    )
    await changeQueue(tenants.owner, 'line', change)
  })

  test('keeps regard to the room of the fleet from who may only update it', async () => {
    await env.client.create(queue, aQueue('line'))
    const ignore = (client: KubeClient) =>
      client.patch(
        queue,
        { namespace: 'shop', name: 'line' },
        { type: 'merge', value: { metadata: { annotations: { 'queue.evenkeel.io/capacity': 'ignore' } } } },
      )
    expect(await refusal(ignore(tenants.tenant))).toContain(
      'metadata.annotations[queue.evenkeel.io/capacity]: Forbidden: tenant cannot create queues in namespace "shop"',
    )
    await ignore(tenants.owner)
    await changeQueue(tenants.tenant, 'line', { strategy: 'StrictFIFO' })
  })

  test('takes a namespace only for who may create queues in it, on creation and later', async () => {
    expect(await refusal(tenants.owner.create(queue, aQueue('line', { namespaces: ['lab'] })))).toContain(
      'spec.namespaces: Forbidden: owner cannot create queues in namespace "lab"',
    )
    await tenants.owner.create(queue, aQueue('line', { namespaces: ['shop-2'] }))
    expect(await refusal(changeQueue(tenants.owner, 'line', { namespaces: ['shop-2', 'lab'] }))).toContain(
      'namespace "lab"',
    )
    expect(await refusal(changeQueue(tenants.tenant, 'line', { namespaces: [] }))).toContain('namespace "shop-2"')
    expect((await changeQueue(tenants.owner, 'line', { namespaces: [] })).spec?.namespaces).toEqual([])
  })

  test('may be held and resumed by who may update it', async () => {
    await env.client.create(queue, aQueue('line'))
    await changeQueue(tenants.tenant, 'line', { hold: { reason: 'freeze' } })
    expect((await changeQueue(tenants.tenant, 'line', { hold: null })).spec?.hold).toBeUndefined()
  })
})

describe('a binding of a held queue', () => {
  const releaseBinding = (client: KubeClient) =>
    client.patch(resourceBinding, REF, { type: 'merge', value: { spec: { suspension: { scheduling: false } } } })
  beforeEach(async () => {
    await queued()
    await changeQueue(tenants.tenant, 'line', { hold: { reason: 'freeze', until: '2026-01-02T00:00:00Z' } })
    await bind()
  })

  test('cannot be released by a user who may not update the queue', async () => {
    expect(await refusal(releaseBinding(tenants.developer))).toBe(
      '403 admission webhook "release.queue.evenkeel.io" denied the request: spec.suspension.scheduling: queue shop/line is on hold by tenant until 2026-01-02T00:00:00Z (freeze), and developer cannot update it. Ask tenant to resume it',
    )
    expect(
      await refusal(
        tenants.developer.patch(resourceBinding, REF, { type: 'merge', value: { spec: { suspension: null } } }),
      ),
    ).toMatch(/^403/)
  })

  test('can be released by the tenant, and changed otherwise by a user who may not update the queue', async () => {
    await tenants.developer.patch(resourceBinding, REF, {
      type: 'merge',
      value: { metadata: { labels: { note: 'x' } } },
    })
    expect((await releaseBinding(tenants.tenant)).spec.suspension).toEqual({ scheduling: false })
  })

  test.each<[string, object, string | undefined]>([
    ['by false', { scheduling: false }, 'vc-controller'],
    ['by removing the field', { scheduling: null }, undefined],
    ['by removing all of it', null as never, 'kubectl-patch'],
  ])('that is resumed records by whom: %s', async (_case, suspension, fieldManager) => {
    const { metadata } = await tenants.tenant.patch(
      resourceBinding,
      REF,
      { type: 'merge', value: { spec: { suspension } } },
      fieldManager ? { fieldManager } : {},
    )
    expect(metadata.annotations?.['queue.evenkeel.io/freed-by']).toMatch(
      fieldManager ? new RegExp(`^tenant \\(${fieldManager}\\) 2026-`) : /^tenant (\(.*\) )?2026-/,
    )
  })

  test('lets no user claim that another user released it, or that they did when a queue did', async () => {
    const claim = { metadata: { annotations: { 'queue.evenkeel.io/freed-by': 'developer 2026-01-01T00:00:00Z' } } }
    const write = (client: KubeClient, value: object) => client.patch(resourceBinding, REF, { type: 'merge', value })
    expect(await refusal(write(tenants.developer, claim))).toContain('metadata.annotations[queue.evenkeel.io/freed-by]')
    const freed = await write(tenants.tenant, { ...claim, spec: { suspension: { scheduling: false } } })
    expect(freed.metadata.annotations?.['queue.evenkeel.io/freed-by']).toMatch(/^tenant /)
    await write(tenants.tenant, {
      metadata: { annotations: { 'queue.evenkeel.io/freed-by': null } },
      spec: { suspension: { scheduling: true } },
    })
    const released = await write(tenants.tenant, {
      metadata: { annotations: { 'queue.evenkeel.io/released-at': '2026-01-01T00:00:00Z' } },
      spec: { suspension: { scheduling: false } },
    })
    expect(released.metadata.annotations).not.toHaveProperty(['queue.evenkeel.io/freed-by'])
  })
})

describe('a binding of a queue that is not held', () => {
  const change = (client: KubeClient, value: object) => client.patch(resourceBinding, REF, { type: 'merge', value })
  const clusters = [{ name: 'member1', replicas: 1 }]
  const note = (name: string) => ({ metadata: { annotations: { [`queue.evenkeel.io/${name}`]: 'developer' } } })
  beforeEach(async () => {
    await queued({ priorityClasses: [{ name: 'developer', value: 9 }] })
    await bind()
  })

  test.each<[string, object, string]>([
    [
      'freeing it',
      { spec: { suspension: { scheduling: false } } },
      'spec.suspension.scheduling: the workload would be admitted out of order, and developer cannot update queue shop/line. Wait until the queue admits the workload, or ask its owner',
    ],
    [
      'asking for it by name',
      note('release-requested'),
      'metadata.annotations[queue.evenkeel.io/release-requested]: the annotation changes the order of the queue',
    ],
    ['putting it into a class', note('priority-class'), 'metadata.annotations[queue.evenkeel.io/priority-class]'],
    ['calling it released', note('released-at'), 'metadata.annotations[queue.evenkeel.io/released-at]'],
    ['calling it taken back often', note('undone'), 'metadata.annotations[queue.evenkeel.io/undone]'],
    [
      'placing it by hand',
      { spec: { clusters } },
      'spec.clusters: the workload would be scheduled while it is pending',
    ],
    [
      'having it required by another',
      { spec: { requiredBy: [{ namespace: 'shop', name: 'other', clusters }] } },
      'spec.requiredBy: the workload would be scheduled while it is pending',
    ],
    [
      'asking for next to nothing',
      { spec: { replicaRequirements: { resourceRequest: { cpu: '1m' } } } },
      'spec.replicaRequirements: the request would differ from the workload and its policy',
    ],
    ['giving it a priority', { spec: { schedulePriority: { priority: 9 } } }, 'spec.schedulePriority'],
    [
      'giving it to another workload',
      { spec: { resource: { name: 'other' } } },
      'spec.resource: the binding would belong to another workload',
    ],
  ])('is not got ahead of its line by %s, but by who may update the queue', async (_case, value, text) => {
    const told = await refusal(change(tenants.developer, value))
    expect(told).toContain('403 admission webhook "release.queue.evenkeel.io" denied the request: ')
    expect(told).toContain(text)
    await change(tenants.tenant, value)
  })

  test('can be suspended by hand and queued again by any user whom RBAC allows', async () => {
    await change(tenants.developer, note('suspended-by'))
    await change(tenants.developer, { metadata: { annotations: { 'queue.evenkeel.io/suspended-by': null } } })
    await tenants.developer.delete(resourceBinding, REF)
  })

  test.each<[string, BindingOptions]>([
    ['with its clusters', { spec: { clusters } }],
    ['without replicas', { spec: { replicas: 0, replicaRequirements: undefined } }],
    ['without a placement', { spec: { placement: undefined } }],
    ['with a request to go first', note('release-requested')],
  ])('is not made %s by who may not update the queue', async (_case, options) => {
    const draft = aBinding('other', { namespace: 'shop', ...options })
    expect(await refusal(tenants.developer.create(resourceBinding, draft))).toContain(
      '403 admission webhook "release.queue.evenkeel.io" denied the request: ',
    )
    await tenants.tenant.create(resourceBinding, draft)
  })
})

test('a scheduled binding is not suspended, in any namespace, except by a hold that includes placed ones', async () => {
  await bind('web', { clusters: [{ name: 'member1', replicas: 1 }] })
  const suspend = (annotations: Record<string, string>) =>
    env.client.patch(resourceBinding, REF, {
      type: 'merge',
      value: { metadata: { annotations }, spec: { suspension: { scheduling: true } } },
    })
  expect(await refusal(suspend({}))).toMatch(
    /^403 admission webhook "suspension\.evenkeel\.io" denied the request: spec\.suspension\.scheduling: this binding has been scheduled already/,
  )
  expect((await suspend({ [HELD_PLACED_ANNOTATION]: 'shop/line' })).spec.suspension).toEqual({ scheduling: true })
  expect(
    findCondition((await env.client.get(resourceBinding, REF)).status?.conditions, 'SchedulingSuspended'),
  ).toBeUndefined()
})

describe('the configurations', () => {
  test('follow the queues, and a second pass writes nothing', async () => {
    expect(await suspendsIn()).toBeUndefined()
    await queued()
    await changeQueue(tenants.owner, 'line', { namespaces: ['shop-2'] })
    await env.eventually(async () => expect(await suspendsIn()).toEqual(['shop', 'shop-2']))
    const validating = () => env.client.get(validatingWebhookConfiguration, CONFIGURATION)
    // It is written after the mutating one.
    await env.eventually(async () => expect(JSON.stringify((await validating()).webhooks)).toContain('shop-2'))
    const { metadata } = await validating()
    await changeQueue(tenants.owner, 'line', { weight: 3 })
    await env.advance(60_000)
    await queued({}, 'other').catch(() => undefined)
    expect((await validating()).metadata.resourceVersion).toBe(metadata.resourceVersion)
    await env.client.delete(queue, { namespace: 'shop', name: 'line' })
    await env.eventually(async () => expect(await suspendsIn()).toBeUndefined())
  })

  test('are restored when a user changes or deletes them', async () => {
    await queued()
    const before = await env.client.get(mutatingWebhookConfiguration, CONFIGURATION)
    await env.client.patch(mutatingWebhookConfiguration, CONFIGURATION, { type: 'merge', value: { webhooks: [] } })
    await env.client.delete(validatingWebhookConfiguration, CONFIGURATION)
    await env.eventually(async () => {
      expect((await env.client.get(mutatingWebhookConfiguration, CONFIGURATION)).webhooks).toEqual(before.webhooks)
      expect((await env.client.get(validatingWebhookConfiguration, CONFIGURATION)).webhooks).not.toEqual([])
    })
  })
})
