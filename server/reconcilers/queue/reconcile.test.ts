import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  PRIORITY_CLASS_ANNOTATION,
  QUEUE_ANNOTATION,
  QUEUE_FINALIZER,
  RELEASE_REQUESTED_ANNOTATION,
  RELEASED_AT_ANNOTATION,
  RELEASED_BY_ANNOTATION,
  BYPASSED_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  UNDONE_ANNOTATION,
} from '@/lib/domain/queue'
import { kubeError } from '@/lib/kube/errors'
import { queue, resourceBinding } from '@/lib/kube/kinds'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { noMetrics } from '@/server/runtime/metrics-hooks'
import { type Fault, withFaults } from '@/server/testing/faulty-client'
import type { Env } from '@/server/testing/start-env'
import { queueController } from '.'
import { type Tenant, startTenant } from './testing/queue-env'

let env: Env
let tenant: Tenant
beforeEach(async () => {
  ;({ env, tenant } = await startTenant())
})
afterEach(() => env.close())

const run = (context: ReconcilerContext = env.context()) => env.run(queueController(context))
const faulty = (...faults: Fault[]): ReconcilerContext => ({
  ...env.context(),
  client: withFaults(env.client, ...faults),
})

describe('a queue', () => {
  test('admits within its quota, with events, and reports pending workloads with reasons', async () => {
    await tenant.addQueue({ quota: { hard: { cpu: '2' } } })
    await tenant.wait('a', { replicas: 1, cpu: '1500m' })
    await env.advance(1000)
    await tenant.wait('b', { replicas: 1, cpu: '1' })
    await run()
    await tenant.releases('a')
    const { metadata, spec } = await tenant.read('a')
    expect(spec.suspension).toEqual({ scheduling: false })
    expect(metadata.annotations).toMatchObject({
      [QUEUE_ANNOTATION]: 'shop/line',
      [RELEASED_BY_ANNOTATION]: 'queue shop/line',
      [RELEASED_AT_ANNOTATION]: expect.stringMatching(/^2026-01-01T00:00:/) as string,
    })
    const { status } = await tenant.reports({
      pending: 1,
      inFlight: 1,
      admitted: 0,
      used: { cpu: '1500m' },
      quota: { cpu: '2' },
      namespaces: ['shop'],
      hold: { state: 'None' },
      slippedThrough: 0,
      headOfLine: { namespace: 'shop', name: 'b-deployment' },
    })
    expect(status?.headOfLine?.reason).toContain('Exceeds the queue’s quota')
    expect((await tenant.told()).filter((words) => words.includes('Released'))).toEqual([
      expect.stringMatching(/^Normal Released ResourceBinding\/a-deployment: ./) as string,
    ])
    await tenant.isQuiet()
    expect(await tenant.isSuspended('b')).toBe(true)
  })

  test('continues as soon as usage decreases, and when its quota is raised', async () => {
    await tenant.addQueue({ quota: { hard: { replicas: '1' } } })
    for (const name of ['a', 'b', 'c']) {
      await tenant.wait(name)
      await env.advance(1000)
    }
    await run()
    await tenant.releases('a')
    await tenant.place('a')
    await tenant.reports({ admitted: 1, inFlight: 0, pending: 2 })
    await env.client.delete(resourceBinding, tenant.ref('a'))
    await tenant.releases('b')
    await tenant.changeQueue({ quota: { hard: { replicas: '2' } } })
    await tenant.releases('b', 'c')
  })

  test('with StrictFIFO keeps its order, also when a write fails', async () => {
    await tenant.addQueue({ strategy: 'StrictFIFO' })
    for (const name of ['a', 'b', 'c']) {
      await tenant.wait(name)
      await env.advance(1000)
    }
    let failures = 0
    const order: string[] = []
    await run(
      faulty({
        verb: 'patch',
        kind: resourceBinding,
        times: 2,
        name: 'a-deployment',
        before: () => {
          failures += 1
          throw kubeError(500, 'InternalError', 'not now')
        },
      }),
    )
    env.informers.of(resourceBinding).onChange((change) => {
      if (change.type === 'updated' && change.object.spec.suspension?.scheduling === false) {
        order.push(change.object.metadata.name)
      }
    })
    await tenant.releases('a', 'b', 'c')
    await env.eventually(() => expect(order).toEqual(['a-deployment', 'b-deployment', 'c-deployment']))
    expect(failures).toBe(2)
  })

  test('admits at most maxInFlight at once, in order of priority class', async () => {
    await tenant.addQueue({
      maxInFlight: 1,
      priorityClasses: [
        { name: 'urgent', value: 100 },
        { name: 'late', value: -1 },
      ],
    })
    await tenant.wait('late', { metadata: { annotations: { [PRIORITY_CLASS_ANNOTATION]: 'late' } } })
    await tenant.wait('plain')
    await tenant.wait('urgent', { metadata: { annotations: { [PRIORITY_CLASS_ANNOTATION]: 'urgent' } } })
    await run()
    await tenant.releases('urgent')
    await tenant.isQuiet()
    await tenant.place('urgent')
    await tenant.releases('urgent', 'plain')
    await tenant.place('plain')
    await tenant.releases('urgent', 'plain', 'late')
  })

  test('admits a workload out of order if a user requests it by name', async () => {
    await tenant.addQueue({ hold: { reason: 'freeze' } })
    await tenant.wait('a')
    await tenant.wait('b')
    await run()
    await tenant.reports({ hold: { state: 'Effective', affected: 2 } })
    await tenant.note('b', { [RELEASE_REQUESTED_ANNOTATION]: 'ann 2026-01-01T00:00:00Z' })
    await tenant.releases('b')
    expect((await tenant.read('b')).metadata.annotations).toMatchObject({ [RELEASED_BY_ANNOTATION]: 'ann' })
    expect((await tenant.read('b')).metadata.annotations).not.toHaveProperty([RELEASE_REQUESTED_ANNOTATION])
    await tenant.isQuiet()
    expect(await tenant.isSuspended('a')).toBe(true)
  })
})

describe('a binding that bypassed the webhook', () => {
  test('is suspended while it is not placed, counted and reported', async () => {
    await tenant.addQueue({ hold: { reason: 'freeze' } })
    await env.advance(1000)
    await tenant.bind('a')
    await tenant.bind('placed', { clusters: [{ name: 'member1', replicas: 1 }] })
    await run()
    await env.eventually(async () => expect(await tenant.isSuspended('a')).toBe(true))
    expect((await tenant.read('a')).metadata.annotations).toMatchObject({
      [QUEUE_ANNOTATION]: 'shop/line',
      [BYPASSED_ANNOTATION]: expect.any(String) as string,
    })
    await tenant.reports({ slippedThrough: 1, pending: 1 })
    expect(await tenant.told()).toContainEqual(
      expect.stringMatching(/^Warning SlippedThrough ResourceBinding\/a-deployment: Created without admission/),
    )
    await tenant.isQuiet()
    expect(await tenant.isSuspended('placed')).toBe(false)
  })

  test('is ignored in a namespace without a queue, and if it is older than the queue', async () => {
    await tenant.bind('old')
    await env.advance(60_000)
    await tenant.addQueue()
    await tenant.bind('other', { namespace: 'lab' })
    await run()
    await tenant.reports({ slippedThrough: 0 })
    await tenant.isQuiet()
    expect(await tenant.isSuspended('old')).toBe(false)
    expect(
      (await env.client.get(resourceBinding, { namespace: 'lab', name: 'other-deployment' })).spec.suspension,
    ).toBeUndefined()
  })
})

describe('a queue that is deleted with pending bindings', () => {
  beforeEach(async () => {
    await tenant.addQueue({ hold: { reason: 'freeze' } })
    await tenant.wait('a')
    await tenant.wait('b')
  })

  test.each([
    ['releases them all', 'Release', false],
    ['hands them over, still suspended', 'Hold', true],
  ] as const)('%s, and only then is deleted', async (_name, onDelete, suspended) => {
    await tenant.changeQueue({ onDelete })
    await run()
    await env.eventually(async () => expect((await tenant.readQueue()).metadata.finalizers).toContain(QUEUE_FINALIZER))
    await tenant.reports({ pending: 2 })
    await env.client.delete(queue, { namespace: 'shop', name: 'line' })
    await env.eventually(async () => expect((await env.client.list(queue)).items).toEqual([]))
    for (const name of ['a', 'b']) {
      expect(await tenant.isSuspended(name)).toBe(suspended)
      const { annotations } = (await tenant.read(name)).metadata
      expect(annotations?.[suspended ? SUSPENDED_BY_ANNOTATION : RELEASED_BY_ANNOTATION]).toContain('queue shop/line')
    }
    await tenant.isQuiet()
  })

  test('also admits a binding that the webhook suspends at that time', async () => {
    await run()
    await env.eventually(async () => expect((await tenant.readQueue()).metadata.finalizers).toContain(QUEUE_FINALIZER))
    await env.client.delete(queue, { namespace: 'shop', name: 'line' })
    await env.eventually(async () => expect((await env.client.list(queue)).items).toEqual([]))
    await tenant.wait('late')
    await env.eventually(async () => expect(await tenant.isSuspended('late')).toBe(false))
    expect((await tenant.told()).filter((words) => words.includes('QueueMissing'))).toEqual([])
  })

  test('without its finalizer leaves the bindings suspended, and reports each of them once', async () => {
    await env.client.delete(queue, { namespace: 'shop', name: 'line' })
    await run()
    await env.eventually(async () =>
      expect((await tenant.told()).filter((words) => words.includes('QueueMissing'))).toHaveLength(2),
    )
    await tenant.bind('unrelated', { namespace: 'lab' })
    await tenant.isQuiet()
    expect(
      (await env.recordedEvents()).filter(({ reason }) => reason === 'QueueMissing').map(({ count }) => count),
    ).toEqual([1, 1])
    expect(await tenant.isSuspended('a')).toBe(true)
  })
})

describe('bad input', () => {
  test('of two queues for one namespace the older one keeps it, and the younger one is invalid with a reason', async () => {
    await tenant.addQueue({ quota: { hard: { replicas: '0' } } })
    await env.advance(1000)
    await tenant.addQueue({}, { name: 'younger' })
    await tenant.wait('a')
    await run()
    await env.eventually(async () =>
      expect(await tenant.conditionOf('Valid', 'younger')).toMatchObject({ status: 'False', reason: 'Overlap' }),
    )
    expect((await tenant.conditionOf('Valid', 'younger'))?.message).toContain('shop/line')
    await tenant.reports({ pending: 1, namespaces: ['shop'] })
    await tenant.isQuiet()
    expect(await tenant.isSuspended('a')).toBe(true)
  })

  test.each<[string, Record<string, string>]>([
    ['an unknown priority class', { [PRIORITY_CLASS_ANNOTATION]: 'no such class' }],
    ['an unreadable request', { [RELEASE_REQUESTED_ANNOTATION]: '   ' }],
    ['an unreadable count', { [UNDONE_ANNOTATION]: 'often' }],
    ['a release in words', { [RELEASED_AT_ANNOTATION]: 'yesterday' }],
  ])('a binding with %s is queued and admitted like any other', async (_name, annotations) => {
    await tenant.addQueue({ hold: { reason: 'freeze' } })
    await tenant.wait('a', { metadata: { annotations } })
    await run()
    await tenant.reports({ hold: { state: 'Effective', affected: 1 }, pending: 1 })
    await tenant.isQuiet()
    await tenant.changeQueue({ hold: null })
    await tenant.releases('a')
    await tenant.isQuiet()
  })

  test('a hold with a past end, set while the webhook was unavailable, ends at once', async () => {
    await tenant.addQueue({ hold: { reason: 'freeze', until: '2025-12-31T00:00:00Z' } })
    await tenant.wait('a')
    await run()
    await tenant.releases('a')
    await env.eventually(async () => expect((await tenant.readQueue()).spec?.hold).toBeUndefined())
  })

  test('a negative quota, set while the webhook was unavailable, permits nothing', async () => {
    await tenant.addQueue({ quota: { hard: { cpu: '-5' } } })
    await tenant.wait('a')
    await run()
    await tenant.reports({ pending: 1 })
    await tenant.isQuiet()
    expect(await tenant.isSuspended('a')).toBe(true)
  })

  test('a missing FederatedResourceQuota prevents admissions and is named', async () => {
    await tenant.addQueue({ quota: { federatedResourceQuota: 'tenant' } })
    await tenant.wait('a')
    await run()
    await env.eventually(async () =>
      expect(await tenant.conditionOf('QuotaFound')).toMatchObject({ status: 'False', reason: 'NotFound' }),
    )
    await tenant.isQuiet()
    expect(await tenant.isSuspended('a')).toBe(true)
  })
})

describe('objects change between observing and acting', () => {
  test('a changed binding is decided again: its demand no longer fits', async () => {
    await tenant.addQueue({ quota: { hard: { replicas: '1' } } })
    await tenant.wait('a')
    let races = 0
    await run(
      faulty({
        verb: 'patch',
        kind: resourceBinding,
        times: 1,
        before: async () => {
          races += 1
          await tenant.change('a', { replicas: 5 })
        },
      }),
    )
    await env.eventually(() => expect(races).toBe(1))
    await tenant.reports({ pending: 1 })
    await tenant.isQuiet()
    expect(await tenant.isSuspended('a')).toBe(true)
  })

  test('a deleted binding does not block the next one', async () => {
    await tenant.addQueue({ strategy: 'StrictFIFO' })
    await tenant.wait('a')
    await env.advance(1000)
    await tenant.wait('b')
    await run(
      faulty({
        verb: 'patch',
        kind: resourceBinding,
        times: 1,
        before: () => env.client.delete(resourceBinding, tenant.ref('a')),
      }),
    )
    await tenant.releases('b')
  })

  test('a hold that starts while an admission is being written still holds it', async () => {
    await tenant.addQueue()
    await tenant.wait('a')
    await run(
      faulty({
        verb: 'patch',
        kind: resourceBinding,
        times: 1,
        before: async () => {
          await tenant.changeQueue({ hold: { reason: 'freeze' } })
        },
      }),
    )
    await tenant.reports({ hold: { state: 'Effective', affected: 1 } })
    expect(await tenant.isSuspended('a')).toBe(true)
  })

  test.each([409, 429, 500])(
    'temporary errors with code %i neither lose a workload nor exceed the quota',
    async (code) => {
      await tenant.addQueue({ quota: { hard: { replicas: '2' } } })
      for (const name of ['a', 'b', 'c', 'd']) {
        await tenant.wait(name)
        await env.advance(1000)
      }
      let most = 0
      env.informers.of(resourceBinding).onChange(() => {
        most = Math.max(
          most,
          env.informers
            .of(resourceBinding)
            .list()
            .filter(({ spec }) => spec.suspension?.scheduling === false).length,
        )
      })
      const refuse = (): never => {
        throw kubeError(code, code === 409 ? 'Conflict' : 'InternalError', 'not now')
      }
      await run(
        faulty(
          { verb: 'patch', kind: resourceBinding, times: 3, before: refuse },
          { verb: 'patch', kind: queue, times: 3, after: refuse },
        ),
      )
      await tenant.releases('a', 'b')
      await tenant.isQuiet()
      await tenant.releases('a', 'b')
      expect(most).toBe(2)
    },
  )
})

describe('a pending workload that is placed without admission', () => {
  test('is reported once by an event, by the condition and by the metric, until it ends', async () => {
    let told: ReadonlyMap<string, number> = new Map()
    await tenant.addQueue({ quota: { hard: { replicas: '0' } } })
    await tenant.wait('a')
    await tenant.wait('b')
    await run({ ...env.context(), metrics: { ...noMetrics, unadmitted: (byQueue) => void (told = byQueue) } })
    await env.eventually(() => expect([...told]).toEqual([['shop/line', 0]]))
    await tenant.change('a', { clusters: [{ name: 'member1', replicas: 1 }] })
    await env.eventually(async () => {
      await env.advance(1000)
      expect([...told]).toEqual([['shop/line', 1]])
      expect(await tenant.conditionOf('AdmissionBypassed')).toMatchObject({
        status: 'True',
        reason: 'PlacedWithoutAdmission',
      })
    })
    await tenant.change('a', { clusters: null })
    await env.eventually(async () => {
      await env.advance(1000)
      expect([...told]).toEqual([['shop/line', 0]])
      expect((await tenant.conditionOf('AdmissionBypassed'))?.status).not.toBe('True')
    })
    expect((await tenant.told()).filter((words) => words.includes('AdmissionBypassed'))).toEqual([
      'Warning AdmissionBypassed Queue/line: 1 pending workload was scheduled without admission: shop/a-deployment. '
        + 'Remove spec.clusters from the binding, or admit the workload.',
    ])
    await env.client.delete(queue, { namespace: 'shop', name: 'line' })
    await tenant.releases('a', 'b')
    await env.eventually(async () => {
      await env.advance(1000)
      expect([...told]).toEqual([])
    })
  })
})
