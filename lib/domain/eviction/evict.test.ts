import { expect, test } from 'vitest'
import type { BindingSpec } from '../../kube/kinds/binding'
import { evictCluster, taintCause } from './evict'

const spec = (rest: Partial<BindingSpec>): BindingSpec => ({
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  ...rest,
})
const cause = { producer: 'TaintManager', reason: 'TaintUntolerated', purgeMode: 'Gracefully' as const }

test('an evicted cluster is removed from the result and gets a task with its replicas', () => {
  const before = spec({
    clusters: [
      { name: 'a', replicas: 2 },
      { name: 'b', replicas: 1 },
    ],
  })
  expect(evictCluster(before, 'a', cause)).toEqual({
    clusters: [{ name: 'b', replicas: 1 }],
    gracefulEvictionTasks: [{ fromCluster: 'a', replicas: 2, ...cause }],
  })
})

test('a resource without replicas gets a task without replicas', () => {
  expect(evictCluster(spec({ clusters: [{ name: 'a' }] }), 'a', cause)?.gracefulEvictionTasks).toEqual([
    { fromCluster: 'a', ...cause },
  ])
})

test('a second eviction of a cluster only removes it from the result', () => {
  const tasks = [{ fromCluster: 'a', producer: 'someone', reason: 'ApplicationFailure' }]
  const before = spec({ clusters: [{ name: 'a', replicas: 2 }], gracefulEvictionTasks: tasks })
  expect(evictCluster(before, 'a', cause)).toEqual({ clusters: [], gracefulEvictionTasks: tasks })
})

test('a cluster outside of the result cannot be evicted', () => {
  expect(evictCluster(spec({ clusters: [{ name: 'b' }] }), 'a', cause)).toBeUndefined()
  expect(evictCluster(spec({}), 'a', cause)).toBeUndefined()
})

test.each([
  ['the policy says nothing', undefined, 'Directly'],
  ['the policy names a mode', { cluster: { purgeMode: 'Gracefully' as const } }, 'Gracefully'],
  ['the policy covers clusters without a mode', { cluster: {} }, 'Gracefully'],
  ['the policy covers applications only', { application: { decisionConditions: {} } }, 'Directly'],
])('the purge mode when %s', (_when, failover, purgeMode) => {
  expect(taintCause(spec({ failover }), 'Directly')).toEqual({
    producer: 'TaintManager',
    reason: 'TaintUntolerated',
    purgeMode,
  })
})
