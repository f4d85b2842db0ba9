import { expect, test } from 'vitest'
import type { Condition } from '../../kube/object'
import { describeTaints, planReadinessTaints, TAINT_NOT_READY, TAINT_UNREACHABLE } from './taints'

const now = Date.parse('2026-01-01T00:10:00Z')
const readyIs = (status: Condition['status'], lastTransitionTime = '2026-01-01T00:09:50Z'): Condition => ({
  type: 'Ready',
  status,
  reason: 'R',
  message: 'm',
  lastTransitionTime,
})
const timeAdded = '2026-01-01T00:10:00Z'
const earlier = '2026-01-01T00:00:00Z'
const user = { key: 'maintenance', effect: 'NoSchedule' }
const notReady = { key: TAINT_NOT_READY, effect: 'NoSchedule', timeAdded: earlier }
const unreachable = { key: TAINT_UNREACHABLE, effect: 'NoSchedule', timeAdded: earlier }
const evict = { key: TAINT_NOT_READY, effect: 'NoExecute', timeAdded: earlier }

test.each([
  ['a cluster never observed', undefined, [user], [user, { ...notReady, timeAdded }]],
  [
    'a cluster never observed keeps the other taint',
    undefined,
    [unreachable],
    [unreachable, { ...notReady, timeAdded }],
  ],
  ['a cluster that failed', readyIs('False'), [unreachable, user], [user, { ...notReady, timeAdded }]],
  ['a cluster that does not report', readyIs('Unknown'), [notReady], [{ ...unreachable, timeAdded }]],
  ['a cluster that is still failed keeps the time', readyIs('False'), [notReady, user], [notReady, user]],
  ['a cluster that is ready', readyIs('True'), [notReady, user, unreachable], [user]],
  ['a NoExecute taint that people set stays', readyIs('True'), [evict], [evict]],
])('taints of %s', (_what, ready, taints, expected) => {
  const plan = planReadinessTaints({ now, taints, ready, noExecuteAfterMs: undefined })
  expect(plan.taints).toEqual(expected)
  expect(plan.changed).toBe(JSON.stringify(taints) !== JSON.stringify(expected))
})

test('a cluster that failed recently does not evict workloads yet', () => {
  const plan = planReadinessTaints({ now, taints: [notReady], ready: readyIs('False'), noExecuteAfterMs: 15_000 })
  expect(plan).toEqual({ taints: [notReady], changed: false, recheckAfterMs: 5_000 })
})

test('a cluster that failed long enough evicts workloads', () => {
  const plan = planReadinessTaints({ now, taints: [notReady], ready: readyIs('False'), noExecuteAfterMs: 10_000 })
  expect(plan).toEqual({ taints: [notReady, { ...evict, timeAdded }], changed: true })
})

test('a recovered cluster evicts no workload', () => {
  const plan = planReadinessTaints({
    now,
    taints: [notReady, evict, user],
    ready: readyIs('True'),
    noExecuteAfterMs: 10_000,
  })
  expect(plan).toEqual({ taints: [user], changed: true })
})

test('a new cluster that was never reached evicts no workload', () => {
  const plan = planReadinessTaints({ now, taints: [], ready: undefined, noExecuteAfterMs: 0 })
  expect(plan.taints.map(({ effect }) => effect)).toEqual(['NoSchedule'])
})

test('taints are reported as upstream reports them', () => {
  expect(describeTaints([])).toBe('cluster now does not have taints')
  expect(describeTaints([notReady, { ...user, value: 'disk' }])).toBe(
    'cluster now has taints([{Key:cluster.karmada.io/not-ready,Effect:NoSchedule},{Key:maintenance,Value:disk,Effect:NoSchedule}])',
  )
})
