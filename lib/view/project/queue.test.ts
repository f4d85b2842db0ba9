import { describe, expect, test } from 'vitest'
import { message } from '@/lib/messages'
import { english } from '@/lib/messages/english'
import { planReleases, type QueuePlan } from '@/lib/domain/queue'
import { Tenants } from '@/lib/domain/queue/testing/tenants'
import type { QueueSpec } from '@/lib/kube/kinds/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { projectHeld } from './held'
import { projectQueue, projectQueueDetail } from './queue'

const SINCE = '2026-01-01T00:00:00Z'
const seesAll = () => true

/** The queue `red/line` as planned; `seen`: the loop has passed over it. */
function planOf(tenants: Tenants, seen = true): QueuePlan {
  if (seen) tenants.pass()
  return planReleases(tenants.snapshot()).queues.find(({ queue }) => queue.key === 'red/line')!
}

const line = (spec: QueueSpec = {}) => new Tenants().queue('red', spec)
const paused = { hold: { reason: 'audit', by: 'ann', since: SINCE } }
const placedSince = { cluster: 'member1', status: { lastScheduledTime: '2026-01-01T00:01:00Z' } }

describe('the state of a queue', () => {
  test.each<[string, string, string, () => QueuePlan]>([
    ['no workload is pending', 'ok', 'No pending workloads', () => planOf(line())],
    [
      'a workload is pending',
      'ok',
      '1 pending workload',
      () =>
        planOf(
          line({ quota: { hard: { cpu: '1' } } })
            .submit('red', 'a', { suspended: false, cluster: 'member1' })
            .submit('red', 'b'),
        ),
    ],
    [
      'some are on their way',
      'active',
      '1 workload admitted and not yet scheduled, 0 pending',
      () => planOf(line().submit('red', 'a')),
    ],
    [
      'no loop has looked',
      'unknown',
      'The queue controller has not picked up this queue yet',
      () => planOf(line(), false),
    ],
    [
      'a workload can never be admitted',
      'warn',
      '1 workload can’t be admitted: the request exceeds the quota or all clusters',
      () => planOf(line({ quota: { hard: { cpu: '1' } } }).submit('red', 'a', { cpu: '2' })),
    ],
    [
      'its quota is not there',
      'fail',
      'No workload is admitted: FederatedResourceQuota all does not exist',
      () => planOf(line({ quota: { federatedResourceQuota: 'all' } })),
    ],
    [
      'it asks for what another has',
      'fail',
      'Namespace shared already belongs to an older queue. Remove it from spec.namespaces, or delete this queue.',
      () =>
        planOf(
          new Tenants()
            .queue('blue', { namespaces: ['shared'] })
            .wait(1)
            .queue('red', { namespaces: ['shared'] }),
        ),
    ],
    [
      'it is paused',
      'held',
      '1 workload held, none scheduled since 2026-01-01 00:00:00 UTC.',
      () => planOf(line(paused).submit('red', 'a')),
    ],
    [
      'its pause leaks',
      'warn',
      '1 workload scheduled despite the hold, 1 held.',
      () => planOf(line(paused).submit('red', 'a', placedSince)),
    ],
    [
      'its pause was only asked for',
      'active',
      'Hold requested; the queue controller has not picked it up yet. 1 workload is held.',
      () => planOf(line(paused).submit('red', 'a'), false),
    ],
    [
      'it is resumed',
      'active',
      'Resuming, 2 workloads at a time: 0 admitted, 1 left.',
      () => planOf(line({ hold: { ...paused.hold, resume: { step: 2 } } }).submit('red', 'a'), false),
    ],
    [
      'its resume waits for one that does not fit',
      'warn',
      'Resuming, 2 workloads at a time: 0 admitted, 1 left. Next is red/a: Can’t be admitted: needs 2 CPU, more than the '
        + 'queue’s quota of 1 CPU including borrowing. Reduce the request or raise the quota.',
      () =>
        planOf(
          line({ hold: { ...paused.hold, resume: { step: 2 } }, quota: { hard: { cpu: '1' } } }).submit('red', 'a', {
            cpu: '2',
          }),
        ),
    ],
    [
      'it is being deleted',
      'active',
      'Being deleted; 1 pending workload left',
      () =>
        planOf(
          line()
            .submit('red', 'a')
            .change('red', { metadata: { deletionTimestamp: SINCE, finalizers: ['other'] } }),
          false,
        ),
    ],
  ])('when %s is %s', (_, state, reason, make) => {
    const shown = projectQueue(make(), seesAll).state
    expect({ ...shown, reason: english.of(shown.reason) }).toEqual({ state, reason })
  })
})

test('the page tells of the last pause once it is over', () => {
  const tenants = line(paused)
  tenants.pass()
  const page = () => {
    const plan = planOf(tenants)
    return projectQueueDetail(plan, projectQueue(plan, seesAll), seesAll)
  }
  expect(page().lastHold).toBeUndefined()
  tenants.change('red', {
    spec: { hold: null },
    metadata: { annotations: { 'queue.evenkeel.io/hold-ended-by': 'bob 2026-01-01T09:00:00Z' } },
  })
  tenants.pass()
  expect(page().lastHold).toEqual({
    reason: 'audit',
    by: 'ann',
    since: SINCE,
    endedAt: '2026-01-01T09:00:00Z',
    endedBy: 'bob',
  })
})

describe('names of workloads are for those who see them', () => {
  const free = { suspended: false, annotations: { 'queue.evenkeel.io/queue': 'red/line' } }

  test('of a workload that another client resumed during a hold, while its count is for all', () => {
    const tenants = line(paused)
    tenants.pass()
    const plan = planOf(tenants.wait(5).submit('red', 'a', free), false)
    const undoneBy = { times: 1 }
    const row = {
      ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'red', name: 'a' },
      free: true,
      times: 1,
    }
    expect(projectQueue(plan, seesAll).hold).toMatchObject({
      state: 'undone',
      undoneBy: { ...undoneBy, released: [row] },
    })
    expect(projectQueue(plan, () => false).hold?.undoneBy).toEqual({ ...undoneBy, released: [] })
  })

  test('of whom a staged resume waits for', () => {
    const tenants = line({ hold: { ...paused.hold, resume: { step: 1 } }, quota: { hard: { cpu: '1' } } })
    const plan = planOf(tenants.submit('red', 'a', { cpu: '2' }))
    expect(projectQueue(plan, seesAll).hold?.resume?.next).toMatchObject({ ref: { name: 'a' } })
    expect(projectQueue(plan, () => false).hold?.resume).toEqual({ step: 1, done: 0 })
    expect(plan.queue.status?.hold?.message).toContain('Next is red/a: Can’t be admitted: needs 2 CPU')
  })
})

test('a pending workload names the user who asked for its release', () => {
  const tenants = line({ quota: { hard: { cpu: '1' } } }).submit('red', 'a', {
    cpu: '2',
    annotations: { 'queue.evenkeel.io/release-requested': 'bob 2026-01-02T00:00:00Z' },
  })
  const plan = planOf(tenants)
  expect(projectQueueDetail(plan, projectQueue(plan, seesAll), seesAll).pendingWorkloads).toMatchObject([
    { releaseAsked: { who: 'bob', at: '2026-01-02T00:00:00Z' }, next: false },
  ])
})

test('a long line is cut, and the rest counted', () => {
  const tenants = line(paused)
  for (let at = 0; at < 503; at++) tenants.submit('red', `w${at}`)
  const plan = planOf(tenants, false)
  const { pendingWorkloads: shown, more } = projectQueueDetail(plan, projectQueue(plan, seesAll), seesAll)
  expect([shown.length, more]).toEqual([500, 3])
})

describe('what keeps a workload back', () => {
  const bindingOf = (parts: Parameters<Tenants['submit']>[2]): ResourceBinding =>
    new Tenants().submit('red', 'a', parts).bindings.get('red/a')!
  const hold = { reason: 'audit', by: 'ann', until: '2026-01-03T00:00:00Z' }

  test.each<[string, ResourceBinding, Parameters<typeof projectHeld>[1], object | undefined]>([
    ['nothing, when its scheduling is not suspended', bindingOf({ suspended: false }), { hold }, undefined],
    [
      'its queue, before anything was planned',
      bindingOf({}),
      {},
      { by: 'queue', queue: 'red/line', message: message('queues.reason.pendingIn', { queue: 'red/line' }) },
    ],
    [
      'the pause, and what it costs where it is placed',
      bindingOf({ cluster: 'member1' }),
      { queue: 'red/line', hold },
      {
        by: 'hold',
        queue: 'red/line',
        who: 'ann',
        until: hold.until,
        message: message('suspension.ofPlaced', {
          reason: message('queues.reason.Held', { by: 'ann', until: '2026-01-03 00:00:00 UTC', reason: 'audit' }),
        }),
      },
    ],
    [
      'a person, also where the queue is paused',
      bindingOf({
        annotations: {
          'queue.evenkeel.io/suspended-by': 'bob 2026-01-01T00:00:00Z',
          'queue.evenkeel.io/suspended-reason': 'not ready',
        },
      }),
      { queue: 'red/line', hold },
      {
        by: 'suspended',
        queue: 'red/line',
        who: 'bob',
        since: SINCE,
        message: message('suspension.byUser', { who: 'bob', at: '2026-01-01 00:00:00 UTC', reason: 'not ready' }),
      },
    ],
    [
      'suspended without any record of who did it',
      bindingOf({ annotations: { 'queue.evenkeel.io/queue': '' } }),
      {},
      { by: 'suspended', message: message('suspension.byUser', { who: 'none', at: 'none', reason: 'none' }) },
    ],
  ])('is %s', (_, binding, facts, view) => {
    expect(projectHeld(binding, facts)).toEqual(view)
  })
})
