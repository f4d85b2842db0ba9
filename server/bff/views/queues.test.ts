import { beforeEach, describe, expect, test } from 'vitest'
import { message } from '@/lib/messages'
import { cluster } from '@/lib/kube/kinds/cluster'
import { federatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import { priorityClass } from '@/lib/kube/kinds/priority-class'
import { queue as queueKind } from '@/lib/kube/kinds/queue'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { Tenants } from '@/lib/domain/queue/testing/tenants'
import type { Scope } from '../access/access'
import { placeOfQueue } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import { FedInformers } from '../testing/fed-informers'
import { workloadRowsOf } from '../testing/workload-rows'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { QueuePlanCache } from '../cache/queue-plan-cache'
import { Journal } from '../recorder/journal'
import { QueueRows } from './queues'

const LINE = 'red/line'
const WEB = 'apps~v1/Deployment/red/web'

function start(elapsed?: () => number) {
  const informers = new FedInformers()
  const clock = createFakeClock()
  const cache = new ControlPlaneCache(informers)
  const journal = new Journal({ clock })
  const plans = new QueuePlanCache(cache, clock, elapsed)
  const { all, models, workloads, start: startWorkloads } = workloadRowsOf(cache, clock, { queues: plans })
  const rows = new QueueRows(all, models, plans.queueTouched, {
    clock,
    staysIn: (namespaces) => journal.staysIn(namespaces),
  })
  const touched: string[] = []
  for (const each of [rows, workloads]) each.touched.listen((id) => touched.push(id))
  for (const part of [plans, rows]) part.start()
  startWorkloads()
  const feed = (tenants: Tenants): void => {
    for (const each of tenants.queues.values()) informers.of(queueKind).put(each)
    for (const each of tenants.bindings.values()) informers.of(resourceBinding).put(each)
    for (const each of tenants.clusters) informers.of(cluster).put(each)
    for (const each of tenants.quotas) informers.of(federatedResourceQuota).put(each)
    for (const each of tenants.priorityClasses) informers.of(priorityClass).put(each)
  }
  return { informers, clock, journal, plans, rows, workloads, touched, feed }
}

/** Lists queues and bindings in these namespaces. */
const scopeIn = (...namespaces: string[]): Scope => ({
  key: namespaces.join(),
  seesAll: () => false,
  seesAny: () => namespaces.length > 0,
  namespaces: () => namespaces,
  sees: ({ namespace }) => namespace !== undefined && namespaces.includes(namespace),
})

let tenants: Tenants
beforeEach(() => {
  tenants = new Tenants()
    .queue('red', { namespaces: ['red-extra'], strategy: 'StrictFIFO', quota: { hard: { cpu: '1' } } })
    .submit('red', 'runs', { suspended: false, cluster: 'member1' })
    .submit('red-extra', 'first')
    .wait(1)
    .submit('red', 'web')
})

test('a change is planned for though the clock was set back since the last plan', () => {
  const { clock, rows, feed } = start()
  feed(tenants)
  expect(rows.page(LINE, EVERYTHING)).toMatchObject({ queue: { pending: 2 } })
  clock.set(-3_600_000)
  feed(tenants.submit('red', 'later'))
  clock.advance(1_000)
  expect(rows.page(LINE, EVERYTHING)).toMatchObject({ queue: { pending: 3 } })
})

describe('a queue', () => {
  test('is shown with its line, and every wait with its reason', () => {
    const { rows, feed } = start()
    feed(tenants)
    expect(rows.page(LINE, EVERYTHING)).toMatchObject({
      queue: {
        pending: 2,
        admitted: 1,
        amounts: [
          { resource: 'cpu', used: 1000, quota: 1000 },
          { resource: 'replicas', used: 1 },
        ],
        head: { id: 'apps~v1/Deployment/red-extra/first' },
      },
      pendingWorkloads: [
        { position: 1, reason: 'OverQuota' },
        {
          position: 2,
          id: WEB,
          message: message('queues.reason.BlockedByHead', { head: 'red-extra/first', ahead: 1 }),
        },
      ],
      holdPreview: { waiting: 2, placed: 1 },
      settings: { version: 'g1', quota: { hard: { cpu: '1' } }, onDelete: 'Release' },
    })
  })

  test('names no workload of a namespace that the reader does not see', () => {
    const { rows, feed } = start()
    feed(tenants)
    const page = rows.page(LINE, scopeIn('red'))
    expect(page?.pendingWorkloads.map(({ id, position }) => [id, position])).toEqual([[WEB, 2]])
    expect(page?.pendingWorkloads[0]?.message).toEqual(
      message('queues.reason.BlockedByHead', { head: message('queues.reason.hiddenWorkload'), ahead: 1 }),
    )
    expect(page?.queue.head).toBeUndefined()
    expect(JSON.stringify(page)).not.toContain('first')
  })

  test('is not there for who may not list queues in its namespace', () => {
    const { rows, feed } = start()
    feed(tenants)
    expect([rows.row(LINE, scopeIn('blue')), rows.page(LINE, scopeIn('blue'))]).toEqual([undefined, undefined])
  })

  test.each([
    ['red/line', 'red'],
    ['line', undefined],
    ['a/b/c', undefined],
    ['/line', undefined],
    ['red/', undefined],
  ])('the id %s lies in %s', (id, namespace) => {
    expect(placeOfQueue(id)?.namespace).toBe(namespace)
  })

  test('goes with its object', () => {
    const { rows, feed, informers, clock, touched } = start()
    feed(tenants)
    expect(rows.ids()).toEqual([LINE])
    clock.advance(300)
    touched.length = 0
    informers.of(queueKind).remove(tenants.queues.get(LINE)!)
    expect(touched).toContain(LINE)
    expect(rows.row(LINE, EVERYTHING)).toBeUndefined()
  })

  test('keeps its identity while nothing about it changes', () => {
    const { rows, feed, clock, informers } = start()
    feed(tenants)
    const [row, page] = [rows.row(LINE, EVERYTHING), rows.page(LINE, EVERYTHING)]
    informers
      .of(resourceBinding)
      .put(new Tenants().submit('elsewhere', 'other', { suspended: false }).bindings.get('elsewhere/other')!)
    clock.advance(300)
    expect([rows.row(LINE, EVERYTHING), rows.page(LINE, EVERYTHING)]).toEqual([row, page])
    expect(rows.row(LINE, EVERYTHING)).toBe(row)
    expect(rows.page(LINE, EVERYTHING)).toBe(page)
  })

  test('estimates when the first is admitted, and updates the estimate over time', () => {
    const { rows, feed, clock, journal, touched } = start()
    const here = [{ cluster: 'member1', replicas: 1 }]
    const ended = ['a', 'b', 'c', 'd', 'e'].map((name) => `apps~v1/Deployment/red/${name}`)
    journal.note(
      ended.map((workload) => ({ what: 'placement', workload, trigger: 'first placement', before: [], after: here })),
      false,
    )
    clock.advance(60_000)
    journal.note(
      ended.map((workload) => ({ what: 'placement', workload, trigger: 'deletion', before: here, after: [] })),
      false,
    )
    feed(tenants)
    const estimates = () =>
      rows.page(LINE, scopeIn('red', 'red-extra'))?.pendingWorkloads.map(({ estimate }) => estimate)
    // What runs was created at midnight of the next day.
    const [from, to] = ['2026-01-02T00:01:00.000Z', '2026-01-02T00:02:00.000Z'] as const
    expect(estimates()).toMatchObject([
      { kind: 'between', from, to: from },
      { kind: 'between', from: to, to },
    ])
    clock.set(86_400_000)
    touched.length = 0
    clock.advance(30_000)
    expect(touched).toContain(LINE)
    expect(estimates()).toEqual([
      { kind: 'unknown', message: message('queues.estimate.unknown') },
      { kind: 'unknown', message: message('queues.estimate.unknown') },
    ])
  })

  test('a pause that no loop has seen is only requested', () => {
    const { rows, feed, clock } = start()
    tenants.change('red', { spec: { hold: { reason: 'audit', by: 'ann', since: '2026-01-02T00:00:00Z' } } })
    feed(tenants)
    expect(rows.row(LINE, EVERYTHING)?.hold).toMatchObject({
      state: 'requested',
      reason: 'audit',
      by: 'ann',
      affected: 2,
    })
    tenants.pass()
    feed(tenants)
    clock.advance(300)
    expect(rows.row(LINE, EVERYTHING)).toMatchObject({ hold: { state: 'effective' }, state: { state: 'held' } })
  })
})

describe('what keeps a workload back', () => {
  test('is its queue position, updated when a workload ahead of it leaves', () => {
    const { workloads, feed, clock, informers, touched } = start()
    feed(tenants)
    clock.advance(300)
    expect(workloads.row(WEB, EVERYTHING)?.held).toMatchObject({
      by: 'queue',
      queue: LINE,
      position: 2,
      since: '2026-01-02T00:00:01Z',
    })
    touched.length = 0
    informers.of(resourceBinding).remove(tenants.bindings.get('red-extra/first')!)
    clock.advance(300)
    expect(touched).toContain(WEB)
    expect(workloads.row(WEB, EVERYTHING)?.held).toMatchObject({
      position: 1,
      message: { code: 'queues.reason.OverQuota' },
    })
  })

  test('names no workload of another namespace in the same queue', () => {
    const { workloads, feed, clock } = start()
    feed(tenants)
    clock.advance(300)
    expect(JSON.stringify(workloads.row(WEB, EVERYTHING)?.held?.message)).not.toContain('first')
  })

  test('is the pause of its queue, with who and until when', () => {
    const { workloads, feed, clock } = start()
    feed(tenants.change('red', { spec: { hold: { reason: 'audit', by: 'ann', until: '2126-01-02T00:00:00Z' } } }))
    clock.advance(300)
    const row = workloads.row(WEB, EVERYTHING)
    expect(row?.held).toMatchObject({
      by: 'hold',
      who: 'ann',
      until: '2126-01-02T00:00:00Z',
      message: message('queues.reason.Held', { by: 'ann', until: '2126-01-02 00:00:00 UTC', reason: 'audit' }),
    })
    expect(row?.state).toEqual({ state: 'held', reason: row?.held?.message })
  })

  test('is nothing any more with the release, before any new plan', () => {
    const { workloads, feed, clock, informers } = start()
    feed(tenants)
    clock.advance(300)
    tenants.edit('red/web', { spec: { suspension: { scheduling: false } } })
    informers.of(resourceBinding).put(tenants.bindings.get('red/web')!)
    expect(workloads.row(WEB, EVERYTHING)?.held).toBeUndefined()
  })

  test('without a queue is who suspended it, as managedFields or the note tell', () => {
    const { workloads, feed } = start()
    const writer = [
      {
        manager: 'kubectl-edit',
        operation: 'Update',
        time: '2026-01-02T00:00:05Z',
        fieldsV1: { 'f:spec': { 'f:suspension': { 'f:scheduling': {} } } },
      },
    ]
    feed(
      new Tenants()
        .submit('green', 'a', {
          annotations: { 'queue.evenkeel.io/queue': '' },
          metadata: { namespace: 'green', managedFields: writer },
        })
        .submit('green', 'b', {
          annotations: { 'queue.evenkeel.io/queue': '', 'queue.evenkeel.io/suspended-by': 'ann 2026-01-02T00:00:00Z' },
        }),
    )
    expect(workloads.row('apps~v1/Deployment/green/a', EVERYTHING)?.held).toMatchObject({
      by: 'suspended',
      who: 'kubectl-edit',
      since: '2026-01-02T00:00:05Z',
    })
    expect(workloads.row('apps~v1/Deployment/green/b', EVERYTHING)?.held).toMatchObject({ by: 'suspended', who: 'ann' })
  })

  test('of a queue that does not exist any more says so', () => {
    const { workloads, feed, clock } = start()
    feed(new Tenants().submit('green', 'a'))
    clock.advance(300)
    expect(workloads.row('apps~v1/Deployment/green/a', EVERYTHING)?.held?.message).toEqual(
      message('suspension.queueMissing', { queue: 'green/line' }),
    )
  })
})

describe('the plan', () => {
  test('is made at most every 250 ms, and more seldom when it takes long', () => {
    let spent = 0
    const { plans, clock, feed } = start(() => {
      spent += 50
      return spent
    })
    feed(tenants)
    const first = plans.plan()
    feed(tenants)
    clock.advance(900)
    expect(plans.plan()).toBe(first)
    clock.advance(100)
    expect(plans.plan()).not.toBe(first)
  })

  test('is not computed again for bindings that belong to no queue', () => {
    const { plans, clock, feed } = start()
    feed(new Tenants().submit('green', 'a', { suspended: false }))
    clock.advance(300)
    const plan = plans.plan()
    feed(new Tenants().submit('green', 'a', { suspended: false, cluster: 'member1' }))
    clock.advance(300)
    expect(plans.plan()).toBe(plan)
  })
})

test('the fair share is told only to who may list all queues: it follows from the weights of all', () => {
  const { rows, feed } = start()
  feed(tenants)
  expect(rows.row(LINE, EVERYTHING)?.share?.fair).toBeTypeOf('number')
  const share = rows.row(LINE, scopeIn('red'))?.share
  expect(share).toEqual({
    resource: rows.row(LINE, EVERYTHING)?.share?.resource,
    part: rows.row(LINE, EVERYTHING)?.share?.part,
  })
})
