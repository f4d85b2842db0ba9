/** The roles of bindings, and the lists that a snapshot keeps. */
import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { formatTime } from '@/lib/std/clock'
import { rolesOf } from './binding-roles'
import type { QueueSnapshot } from './snapshot-model'
import { queueStatusOf } from './status'
import { Tenants } from './testing/tenants'

const bindingsOf = ({ queues }: QueueSnapshot, key: string) => queues.find((queue) => queue.key === key)!.bindings

describe('the bindings of a queue', () => {
  const tenants = new Tenants().queue('blue').queue('red').submit('blue', 'a').submit('red', 'b').submit('red', 'a')
  const before = tenants.snapshot()

  test('are the same list while they stay the same, whatever the queue and other queues do', () => {
    tenants.submit('blue', 'c').change('red', { spec: { weight: 2 } })
    expect(bindingsOf(tenants.snapshot(), 'red/line')).toBe(bindingsOf(before, 'red/line'))
    expect(bindingsOf(tenants.snapshot(), 'blue/line').map(({ name }) => name)).toEqual(['a', 'c'])
  })

  test.each([
    ['changes', () => tenants.edit('red/b', { spec: { replicas: 7 } }), ['a', 'b']],
    ['is added', () => tenants.submit('red', 'ab'), ['a', 'ab', 'b']],
    ['ends', () => tenants.finish('red/a'), ['ab', 'b']],
  ])('are a new list when one of them %s', (_, act, names) => {
    const last = bindingsOf(tenants.snapshot(), 'red/line')
    act()
    const next = bindingsOf(tenants.snapshot(), 'red/line')
    expect(next).not.toBe(last)
    expect(next.map(({ name }) => name)).toEqual(names)
  })
})

test('each binding has the roles of its state, and those that wait are in the order of admission', () => {
  const tenants = new Tenants()
    .queue('red')
    .submit('red', 'late')
    .wait(60)
    .submit('red', 'urgent', { priority: 5 })
    .submit('red', 'runs', { suspended: false, cluster: 'member1' })
    .submit('red', 'smuggled', { cluster: 'member1' })
    .submit('red', 'by-hand', { annotations: { 'queue.evenkeel.io/queue': '' } })
  const roles = rolesOf(bindingsOf(tenants.snapshot(), 'red/line'))
  const names = Object.fromEntries(
    Object.entries(roles).map(([role, of]) => [role, Array.isArray(of) ? of.map(({ name }) => name) : of]),
  )
  expect(names).toEqual({
    waiting: ['urgent', 'late'],
    suspendedByOther: ['by-hand'],
    heldPlaced: ['smuggled'],
    inFlight: [],
    counted: ['runs', 'smuggled'],
    bypassed: [],
    dependents: [],
    unadmitted: ['smuggled'],
    oldestSince: tenants.bindings.get('red/late')!.metadata.creationTimestamp,
  })
})

test('a queue that is being deleted reports no wait, because its plan has no pending workloads', () => {
  const tenants = new Tenants().queue('red').submit('red', 'web')
  const oldest = () => queueStatusOf(tenants.plan(), 'red/line', english.of)?.oldestWaitSince
  expect(oldest()).toBe(tenants.bindings.get('red/web')!.metadata.creationTimestamp)
  tenants.change('red', { metadata: { deletionTimestamp: formatTime(tenants.now) } })
  expect(oldest()).toBeUndefined()
})
