import { describe, expect, test } from 'vitest'
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
    ['nobody waits', 'ok', 'Nobody waits', () => planOf(line())],
    [
      'some wait', 'ok', '1 workload waits',
      () => planOf(
        line({ quota: { hard: { cpu: '1' } } }).submit('red', 'a', { suspended: false, cluster: 'member1' })
          .submit('red', 'b'),
      ),
    ],
    [
      'some are on their way', 'active', '1 workload released and not scheduled yet, 0 waiting',
      () => planOf(line().submit('red', 'a')),
    ],
    ['no loop has looked', 'unknown', 'No loop has seen this queue yet', () => planOf(line(), false)],
    [
      'somebody can never go', 'warn', '1 workload can never be released: they ask for more than there ever is',
      () => planOf(line({ quota: { hard: { cpu: '1' } } }).submit('red', 'a', { cpu: '2' })),
    ],
    [
      'its quota is not there', 'fail', 'Nothing is released: the FederatedResourceQuota all does not exist',
      () => planOf(line({ quota: { federatedResourceQuota: 'all' } })),
    ],
    [
      'it asks for what another has', 'fail',
      'The namespace shared already belongs to an older queue. Take it out of spec.namespaces, or delete this queue.',
      () => planOf(new Tenants().queue('blue', { namespaces: ['shared'] }).wait(1).queue(
        'red', { namespaces: ['shared'] },
      )),
    ],
    [
      'it is paused', 'held', '1 workload is held back, and none was placed since 2026-01-01 00:00:00 UTC.',
      () => planOf(line(paused).submit('red', 'a')),
    ],
    [
      'its pause leaks', 'warn', '1 workload was placed although the queue is held; 1 workload is suspended.',
      () => planOf(line(paused).submit('red', 'a', placedSince)),
    ],
    [
      'its pause was only asked for', 'active',
      'It is asked for, and no loop of this queue has seen it yet; 1 workload is suspended.',
      () => planOf(line(paused).submit('red', 'a'), false),
    ],
    [
      'it is resumed', 'active', 'It is being resumed, 2 at a time: 0 out, 1 to go.',
      () => planOf(line({ hold: { ...paused.hold, resume: { step: 2 } } }).submit('red', 'a'), false),
    ],
    [
      'its resume waits for one that does not fit', 'warn',
      'It is being resumed, 2 at a time: 0 out, 1 to go. The next one waits: It needs 2 cpu, and the queue can never have '
      + 'more than 1 cpu. Make it smaller or raise the quota.',
      () => planOf(line({
        hold: { ...paused.hold, resume: { step: 2 } }, quota: { hard: { cpu: '1' } },
      }).submit('red', 'a', { cpu: '2' })),
    ],
    ['it is being deleted', 'active', 'Being deleted; 1 workload to see to', () => planOf(
      line().submit('red', 'a').change('red', { metadata: { deletionTimestamp: SINCE, finalizers: ['other'] } }), false,
    )],
  ])('when %s is %s', (_, state, reason, make) => {
    expect(projectQueue(make(), seesAll).state).toEqual({ state, reason })
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
    spec: { hold: null }, metadata: { annotations: { 'queue.evenkeel.io/hold-ended-by': 'bob 2026-01-01T09:00:00Z' } },
  })
  tenants.pass()
  expect(page().lastHold).toEqual({
    reason: 'audit', by: 'ann', since: SINCE, endedAt: '2026-01-01T09:00:00Z', endedBy: 'bob',
  })
})

describe('names of workloads are for those who see them', () => {
  const free = { suspended: false, annotations: { 'queue.evenkeel.io/queue': 'red/line' } }

  test('of what somebody else released past a pause, while it is counted for all', () => {
    const tenants = line(paused)
    tenants.pass()
    const plan = planOf(tenants.wait(5).submit('red', 'a', free), false)
    const undoneBy = { times: 1 }
    const row = { ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'red', name: 'a' }, free: true, times: 1 }
    expect(projectQueue(plan, seesAll).hold).toMatchObject({ state: 'undone', undoneBy: { ...undoneBy, released: [row] } })
    expect(projectQueue(plan, () => false).hold?.undoneBy).toEqual({ ...undoneBy, released: [] })
  })

  test('of whom a staged resume waits for', () => {
    const tenants = line({ hold: { ...paused.hold, resume: { step: 1 } }, quota: { hard: { cpu: '1' } } })
    const plan = planOf(tenants.submit('red', 'a', { cpu: '2' }))
    expect(projectQueue(plan, seesAll).hold?.resume?.waits).toMatchObject({ ref: { name: 'a' } })
    expect(projectQueue(plan, () => false).hold?.resume).toEqual({ step: 1, done: 0 })
    expect(plan.queue.status?.hold?.message).toContain('red/a is next: It needs 2 cpu')
  })
})

test('whoever was asked to be released says by whom', () => {
  const tenants = line({ quota: { hard: { cpu: '1' } } }).submit('red', 'a', {
    cpu: '2', annotations: { 'queue.evenkeel.io/release-requested': 'bob 2026-01-02T00:00:00Z' },
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
  const bindingOf = (parts: Parameters<Tenants['submit']>[2]): ResourceBinding => new Tenants()
    .submit('red', 'a', parts).bindings.get('red/a')!
  const hold = { reason: 'audit', by: 'ann', until: '2026-01-03T00:00:00Z' }

  test.each<[string, ResourceBinding, Parameters<typeof projectHeld>[1], object | undefined]>([
    ['nothing, when its scheduling is not suspended', bindingOf({ suspended: false }), { hold }, undefined],
    [
      'its queue, before anything was planned', bindingOf({}), {},
      { by: 'queue', queue: 'red/line', sentence: 'It waits in the line of red/line.' },
    ],
    ['the pause, and what it costs where it is placed', bindingOf({ cluster: 'member1' }), {
      queue: 'red/line', hold,
    }, {
      by: 'hold', queue: 'red/line', who: 'ann', until: hold.until,
      sentence: 'The queue is paused by ann until 2026-01-03 00:00:00 UTC: audit. It stays where it is; its scaling and failover stop meanwhile.',
    }],
    ['a person, also where the queue is paused', bindingOf({ annotations: {
      'queue.evenkeel.io/suspended-by': 'bob 2026-01-01T00:00:00Z', 'queue.evenkeel.io/suspended-reason': 'not ready',
    } }), { queue: 'red/line', hold }, {
      by: 'suspended', queue: 'red/line', who: 'bob', since: SINCE,
      sentence: 'It was suspended by bob at 2026-01-01 00:00:00 UTC (not ready) and waits until it is resumed by hand.',
    }],
    ['suspended without any record of who did it', bindingOf({ annotations: { 'queue.evenkeel.io/queue': '' } }), {}, {
      by: 'suspended',
      sentence: 'It was suspended and waits until it is resumed by hand.',
    }],
  ])('is %s', (_, binding, facts, view) => {
    expect(projectHeld(binding, facts)).toEqual(view)
  })
})
