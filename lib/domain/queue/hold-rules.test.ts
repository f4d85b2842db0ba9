/** Holds, and the deletion of a queue. */
import { describe, expect, test } from 'vitest'
import {
  RESUMED_BY_ANNOTATION,
  HELD_PLACED_ANNOTATION,
  QUEUE_ANNOTATION,
  QUEUE_FINALIZER,
  RELEASED_AT_ANNOTATION,
  RELEASED_BY_ANNOTATION,
  UNDONE_ANNOTATION,
} from '.'
import { message } from '@/lib/messages'
import { START, Tenants, type WorkloadParts } from './testing/tenants'
import { at, free, holdOf, LINE, noted, steps, verdict, waitOf } from './testing/shorthands'

describe('a hold', () => {
  const hold = { reason: 'audit', by: 'ann', since: at(0) }
  const held = (more: object = {}) => new Tenants().queue('red', { hold: { ...hold, ...more } }).submit('red', 'a')
  const later = { lastScheduledTime: at(30), ...verdict('True', 'Success') }

  test('ends by itself', () => {
    const tenants = held({ until: at(60) })
    expect(tenants.plan().lookAgainAt).toBe(START + 60_000)
    expect(waitOf(tenants, 'red/a')?.text).toBe('On hold by ann until 2026-01-02 00:01:00 UTC: audit')
    tenants.wait(60)
    expect(steps(tenants)).toEqual(['Release a InOrder', 'EndHold line TimeOver'])
    tenants.pass()
    tenants.pass()
    expect(tenants.queues.get(LINE)).toMatchObject({
      spec: {},
      status: { hold: { state: 'None' }, lastHold: { reason: 'audit', endedBy: 'spec.hold.until', endedAt: at(60) } },
    })
    expect(tenants.queues.get(LINE)?.spec?.hold).toBeUndefined()
  })

  test('is effective when every workload is suspended', () => {
    expect(holdOf(held())).toMatchObject({
      state: 'Effective',
      affected: 1,
      message: message('queues.hold.Effective', { held: 1, since: '2026-01-02 00:00:00 UTC' }),
    })
  })

  test.each<[string, WorkloadParts, string[]]>([
    [
      'on its way',
      {
        ...free,
        annotations: { ...noted, [RELEASED_AT_ANNOTATION]: at(-5), [RELEASED_BY_ANNOTATION]: 'queue red/line' },
      },
      ['Suspend b Held'],
    ],
    ['come without the webhook', free, ['Suspend b SlippedThrough']],
    [
      'released by a person since',
      { ...free, annotations: { ...noted, [RELEASED_AT_ANNOTATION]: at(5), [RELEASED_BY_ANNOTATION]: 'bob' } },
      [],
    ],
    ['placed before', { ...free, cluster: 'member1', status: { lastScheduledTime: at(-5) } }, []],
    ['suspended by another client', { annotations: { [QUEUE_ANNOTATION]: '' } }, []],
  ])('what is %s', (_, parts, expected) => {
    const tenants = held().submit('red', 'b', parts)
    expect(steps(tenants)).toEqual(expected)
    expect(holdOf(tenants).state).toBe(expected.length > 0 ? 'Requested' : 'Effective')
    tenants.pass()
    expect(holdOf(tenants).state).toBe('Effective')
  })

  test('with includePlaced suspends placed workloads, with the annotation that admission requires, and resumes them at the end', () => {
    const tenants = held({ includePlaced: true }).submit('red', 'b', {
      ...free,
      cluster: 'member1',
      status: { lastScheduledTime: at(-5) },
    })
    expect(steps(tenants)).toEqual(['Suspend b HeldPlaced'])
    tenants.pass()
    expect(tenants.bindings.get('red/b')?.metadata.annotations).toMatchObject({ [HELD_PLACED_ANNOTATION]: LINE })
    expect(holdOf(tenants)).toMatchObject({ state: 'Effective', affected: 2 })
    tenants.change('red', { spec: { hold: null } })
    expect(steps(tenants)).toEqual(['Resume b Resumed', 'Release a InOrder'])
  })

  test('leaks if a suspended workload was placed after its start', () => {
    const tenants = held().submit('red', 'b', { cluster: 'member1', status: later })
    expect(holdOf(tenants)).toMatchObject({
      state: 'Leaking',
      message: message('queues.hold.Leaking', { leaks: 1, held: 2 }),
      leaks: [
        {
          at: at(30),
          message: message('queues.leak.whileHeld', {
            at: '2026-01-02 00:00:30 UTC',
            since: '2026-01-02 00:00:00 UTC',
          }),
        },
      ],
    })
  })

  test('leaks if a workload bypassed admission and was placed before it could be suspended', () => {
    const past = { ...free, cluster: 'member1', status: later }
    const tenants = held().wait(20).submit('red', 'b', past)
    expect(holdOf(tenants)).toMatchObject({
      state: 'Leaking',
      leaks: [
        {
          at: at(30),
          message: message('queues.leak.neverPending', {
            created: '2026-01-02 00:00:20 UTC',
            at: '2026-01-02 00:00:30 UTC',
          }),
        },
      ],
    })
    expect(steps(tenants)).toEqual([])
  })

  test.each<[string, WorkloadParts]>([
    ['was there when it began', { ...free, cluster: 'member1', metadata: { creationTimestamp: at(0) } }],
    ['asks for nothing', { ...free, cluster: 'member1', replicas: 0 }],
    [
      'waited and was released by name',
      {
        ...free,
        cluster: 'member1',
        annotations: { ...noted, [RELEASED_AT_ANNOTATION]: at(25), [RELEASED_BY_ANNOTATION]: 'bob' },
      },
    ],
  ])('does not call leaking what %s', (_, parts) => {
    expect(holdOf(held().wait(20).submit('red', 'b', parts))).toMatchObject({ state: 'Effective', leaks: [] })
  })

  test('does not count as leak what was placed in the second of its start, or before', () => {
    expect(
      holdOf(held().submit('red', 'b', { cluster: 'member1', status: { lastScheduledTime: at(0) } })).leaks,
    ).toEqual([])
  })

  test('counts as undone for five minutes after another client resumes what it holds', () => {
    const tenants = held()
    tenants.pass()
    tenants.wait(10).submit('red', 'b', { ...free, annotations: noted })
    expect(holdOf(tenants)).toMatchObject({
      state: 'Undone',
      undone: { who: 'unknown', times: 1, released: [{ binding: { key: 'red/b' }, free: true }] },
      message: message('queues.hold.Undone', { who: 'none', count: 1, times: 1, free: 1 }),
    })
    expect(steps(tenants)).toEqual(['Suspend b Undone'])
    tenants.pass()
    expect(tenants.bindings.get('red/b')?.metadata.annotations).toMatchObject({
      [UNDONE_ANNOTATION]: `1 ${at(10)} unknown`,
    })
    expect(tenants.wait(290).plan().lookAgainAt).toBe(START + 310_000)
    expect(holdOf(tenants)).toMatchObject({
      state: 'Undone',
      message: message('queues.hold.Undone', { who: 'none', count: 1, times: 1, free: 0 }),
    })
    expect(holdOf(tenants.wait(10)).state).toBe('Effective')
  })

  const writtenBy = (manager: string, seconds: number) => ({
    managedFields: [
      {
        manager,
        operation: 'Update',
        time: at(seconds),
        fieldsV1: { 'f:spec': { 'f:suspension': { 'f:scheduling': {} } } },
      },
    ],
  })

  test('is undone by the user recorded by admission, otherwise by the field manager', () => {
    const tenants = held()
      .wait(10)
      .submit('red', 'b', {
        ...free,
        annotations: { ...noted, [RESUMED_BY_ANNOTATION]: `volcano (go-client) ${at(9)}` },
        metadata: writtenBy('evenkeel-queue', -60),
      })
    expect(holdOf(tenants)).toMatchObject({ state: 'Undone', undone: { who: 'volcano (go-client)' } })
    tenants.pass()
    expect(tenants.bindings.get('red/b')?.metadata.annotations).toMatchObject({
      [UNDONE_ANNOTATION]: `1 ${at(10)} volcano (go-client)`,
    })
    expect(tenants.bindings.get('red/b')?.metadata.annotations).not.toHaveProperty([RESUMED_BY_ANNOTATION])
  })

  test.each<[string, WorkloadParts, string]>([
    ['long before', { metadata: writtenBy('vc-controller', -60) }, 'Held'],
    ['since', { metadata: writtenBy('vc-controller', 5) }, 'Undone'],
    ['at an unknown time, before the controller had seen the hold', {}, 'Held'],
  ])('is not undone by a client that resumed a workload before its start: resumed %s', (_, parts, reason) => {
    const tenants = held().submit('red', 'b', { ...free, annotations: noted, ...parts })
    expect(steps(tenants)).toEqual([`Suspend b ${reason}`])
    expect(holdOf(tenants).state).toBe(reason === 'Held' ? 'Requested' : 'Undone')
    tenants.pass()
    expect(holdOf(tenants).state).toBe(reason === 'Held' ? 'Effective' : 'Undone')
  })

  test('starts without the record of earlier holds', () => {
    const tenants = held().submit('red', 'b', {
      ...free,
      annotations: { ...noted, [UNDONE_ANNOTATION]: `5 ${at(0)} vc-controller` },
      metadata: writtenBy('vc-controller', 1),
    })
    expect(steps(tenants)).toEqual([])
    tenants.pass()
    tenants.wait(30).change('red', { spec: { hold: { reason: 'again', since: at(30) } } })
    expect(steps(tenants)).toEqual(['Suspend b Held'])
    tenants.pass()
    expect(tenants.bindings.get('red/b')?.metadata.annotations).not.toHaveProperty([UNDONE_ANNOTATION])
    expect(holdOf(tenants)).toMatchObject({ state: 'Effective', affected: 2 })
  })

  test('is not enforced forever: after five times the workload stays resumed', () => {
    const tenants = held().submit('red', 'b', {
      ...free,
      annotations: { ...noted, [UNDONE_ANNOTATION]: `5 ${at(0)} vc-controller` },
    })
    expect(steps(tenants)).toEqual([])
    expect(holdOf(tenants)).toMatchObject({ state: 'Undone', undone: { times: 6 } })
  })

  test('of placed workloads is also undone when another client resumes one, and leaves no annotation at its end', () => {
    const freed = {
      ...free,
      cluster: 'member1',
      annotations: { ...noted, [HELD_PLACED_ANNOTATION]: LINE },
      status: { lastScheduledTime: at(-5) },
    }
    const tenants = held({ includePlaced: true }).submit('red', 'b', freed)
    expect(steps(tenants)).toEqual(['Suspend b Undone'])
    expect(holdOf(tenants)).toMatchObject({ state: 'Undone', undone: { times: 1 } })
    expect(
      steps(
        held({ includePlaced: true }).submit('red', 'b', {
          ...freed,
          annotations: { ...freed.annotations, [UNDONE_ANNOTATION]: `5 ${at(0)} vc-controller` },
        }),
      ),
    ).toEqual([])
    tenants.change('red', { spec: { hold: null } }).pass()
    expect(tenants.bindings.get('red/b')?.metadata.annotations).not.toHaveProperty([HELD_PLACED_ANNOTATION])
    expect(steps(tenants)).toEqual([])
  })

  test('that no longer includes placed workloads resumes them, and still holds the others', () => {
    const tenants = held({ includePlaced: true }).submit('red', 'b', {
      ...free,
      cluster: 'member1',
      status: { lastScheduledTime: at(-5) },
    })
    tenants.pass()
    tenants.change('red', { spec: { hold: { includePlaced: false } } })
    expect(steps(tenants)).toEqual(['Resume b Resumed'])
    tenants.pass()
    expect(holdOf(tenants)).toMatchObject({ state: 'Effective', affected: 1 })
    expect(steps(tenants)).toEqual([])
  })

  test('without a start time gets one', () => {
    expect(steps(new Tenants().queue('red', { hold: { reason: 'audit' } }))).toEqual([
      'StampHold line HoldWithoutStart',
    ])
  })

  test('of an invalid queue has no effect, and says so', () => {
    const tenants = new Tenants()
      .queue('blue', { namespaces: ['red'] })
      .wait(1)
      .queue('red', { hold })
    expect(holdOf(tenants)).toMatchObject({ state: 'Requested', message: { code: 'queues.hold.invalid' } })
  })
})

describe('a queue that is deleted', () => {
  const deleted = { deletionTimestamp: at(0), finalizers: [QUEUE_FINALIZER, 'other'] }

  test('with Hold: pending workloads stay suspended as by a user, and then the queue is deleted', () => {
    const tenants = new Tenants().queue('red', { onDelete: 'Hold' }, deleted).submit('red', 'a')
    expect(steps(tenants)).toEqual(['HandOver a HandedOver'])
    tenants.bindings.set('red/a', tenants.bindings.get('red/a')!)
    const [step] = tenants.plan().steps
    tenants.edit('red/a', step!.details.patch)
    expect(tenants.plan().steps).toMatchObject([
      { act: 'LetGo', details: { patch: { metadata: { finalizers: ['other'] } } } },
    ])
  })

  test('keeps the suspensions of users', () => {
    const tenants = new Tenants()
      .queue('red', {}, deleted)
      .submit('red', 'a', { annotations: { [QUEUE_ANNOTATION]: '' } })
    expect(steps(tenants)).toEqual(['LetGo line QueueEmpty'])
  })
})
