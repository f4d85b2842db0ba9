import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GracefulEvictionTask } from '../../kube/kinds/binding'
import { assessEvictionTasks, type EvictionSnapshot } from './assess'

const now = Date.parse('2026-01-01T00:10:00Z')
const task = {
  fromCluster: 'lost',
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  creationTimestamp: '2026-01-01T00:09:00Z',
}
const snapshot = (rest: Partial<EvictionSnapshot>): EvictionSnapshot => ({
  now,
  timeoutMs: 600_000,
  generation: 2,
  schedulerObservedGeneration: 2,
  clusters: [{ name: 'new' }],
  tasks: [task],
  aggregatedStatus: [],
  emptyCountsAsHealthy: false,
  ...rest,
})
const healthy = [{ clusterName: 'new', health: 'Healthy' as const }]

test.each([
  ['waits for a replacement', {}, undefined],
  ['is over when the replacement is healthy', { aggregatedStatus: healthy }, 'replaced'],
  [
    'waits while the scheduler has not seen the present spec',
    { aggregatedStatus: healthy, schedulerObservedGeneration: 1 },
    undefined,
  ],
  ['keeps the last copies while nothing is scheduled', { clusters: [] }, undefined],
  ['is over when nothing is scheduled, the way of upstream', { clusters: [], emptyCountsAsHealthy: true }, 'replaced'],
  ['waits while its grace is exactly over', { timeoutMs: 60_000 }, undefined],
  ['is over once its grace is past', { timeoutMs: 59_999 }, 'timedOut'],
  ['is over when released by hand', { tasks: [{ ...task, suppressDeletion: false }] }, 'released'],
  [
    'is kept by hand, healthy or not',
    { tasks: [{ ...task, suppressDeletion: true }], aggregatedStatus: healthy },
    undefined,
  ],
])('a task %s', (_sentence, rest, reason) => {
  expect(assessEvictionTasks(snapshot(rest)).dropped).toEqual(reason ? [{ cluster: 'lost', reason }] : [])
})

test('a task without a creation time only gets one', () => {
  const fresh = { fromCluster: 'lost', producer: 'p', reason: 'r' }
  const plan = assessEvictionTasks(snapshot({ tasks: [fresh], aggregatedStatus: healthy }))
  expect(plan).toEqual({
    tasks: [{ ...fresh, creationTimestamp: '2026-01-01T00:10:00Z' }],
    dropped: [],
    extended: [],
    changed: true,
    graceEndsAt: now + 600_000,
  })
})

test('repeated reconciles at the same time settle: the third writes nothing', () => {
  const tasks = fc.array(
    fc.record({
      fromCluster: fc.string(),
      producer: fc.constant('p'),
      reason: fc.constant('r'),
      creationTimestamp: fc.option(fc.constantFrom('2026-01-01T00:09:00Z', '2026-01-01T00:00:00Z'), { nil: undefined }),
      suppressDeletion: fc.option(fc.boolean(), { nil: undefined }),
      gracePeriodSeconds: fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined }),
    }),
  )
  fc.assert(
    fc.property(tasks, (list: GracefulEvictionTask[]) => {
      const pass = (before: GracefulEvictionTask[]) => assessEvictionTasks(snapshot({ tasks: before }))
      expect(pass(pass(pass(list).tasks).tasks).changed).toBe(false)
    }),
    { seed: 7, numRuns: 300 },
  )
})
