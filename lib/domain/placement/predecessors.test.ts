import { describe, expect, test } from 'vitest'
import type { BindingSpec, GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { formatTime } from '@/lib/std/clock'
import { defaultProfile, nextReturn, scheduleBinding, upstreamProfile, wakesOnRecovery } from '.'
import { aBinding, aCluster } from './testing/scheduled'

const NOW = Date.parse('2026-01-01T00:10:00Z')
const ago = (seconds: number): string => formatTime(NOW - seconds * 1000)
const failed = (more: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster: 'member1',
  reason: 'ApplicationFailure',
  producer: 'p',
  creationTimestamp: ago(5),
  ...more,
})
const history = (seconds: number): Partial<BindingSpec> => ({
  activeEvictionHistory: [{ clusterName: 'member1', creationTimestamp: ago(seconds) }],
})
const rule = (blockPredecessorSeconds: number): Partial<BindingSpec> => ({
  failover: { application: { decisionConditions: {}, blockPredecessorSeconds } },
})

function leaving(spec: Partial<BindingSpec>, health?: 'Healthy' | 'Unhealthy', placed: Record<string, number> = {}) {
  const binding = aBinding('web', placed, {
    placement: byAvailableReplicas('member1'),
    replicas: 2,
    ...rule(20),
    ...spec,
  })
  const aggregatedStatus = health && [{ clusterName: 'member1', health }]
  return { ...binding, status: { ...binding.status, ...(aggregatedStatus && { aggregatedStatus }) } }
}

const goesTo = (binding: ReturnType<typeof leaving>, profile = defaultProfile): string[] =>
  scheduleBinding({ binding, clusters: [aCluster('member1', 10)], now: NOW, profile }).clusters?.map(({ name }) => name)
  ?? []

describe('the only cluster is one that the workload was evicted from', () => {
  test.each<[string, ReturnType<typeof leaving>, boolean]>([
    ['failed there, blocked', leaving({ gracefulEvictionTasks: [failed()], ...history(5) }, 'Unhealthy'), false],
    ['failed there, block over', leaving({ gracefulEvictionTasks: [failed()], ...history(20) }, 'Unhealthy'), true],
    [
      'failed there, never ends, block over',
      leaving({ gracefulEvictionTasks: [failed({ suppressDeletion: true })], ...history(20) }),
      true,
    ],
    ['failed there, healthy again', leaving({ gracefulEvictionTasks: [failed()], ...history(5) }, 'Healthy'), true],
    [
      'failed there, healthy again, blocked for ever',
      leaving({ gracefulEvictionTasks: [failed()], ...history(5), ...rule(0) }, 'Healthy'),
      false,
    ],
    ['failed there, no task left, blocked', leaving(history(5)), false],
    ['no history, young task', leaving({ gracefulEvictionTasks: [failed()] }, 'Unhealthy'), false],
    [
      'no history, task as old as the block',
      leaving({ gracefulEvictionTasks: [failed({ creationTimestamp: ago(20) })] }),
      true,
    ],
    [
      'no history, task without a time',
      leaving({ gracefulEvictionTasks: [failed({ creationTimestamp: undefined })] }),
      false,
    ],
    ['a taint that is gone', leaving({ gracefulEvictionTasks: [failed({ reason: 'TaintUntolerated' })] }), true],
    [
      'a taint that is gone, placed elsewhere too small',
      leaving({ gracefulEvictionTasks: [failed({ reason: 'TaintUntolerated' })] }, undefined, { gone: 1 }),
      true,
    ],
    ['another reason, in its grace', leaving({ gracefulEvictionTasks: [failed({ reason: 'Mistake' })] }), false],
    [
      'another reason, healthy there',
      leaving({ gracefulEvictionTasks: [failed({ reason: 'Mistake' })] }, 'Healthy'),
      true,
    ],
    [
      'another reason, grace over',
      leaving({ gracefulEvictionTasks: [failed({ reason: 'Mistake', gracePeriodSeconds: 5 })] }),
      true,
    ],
    [
      'another reason, placed elsewhere',
      leaving({ gracefulEvictionTasks: [failed({ reason: 'Mistake' })] }, 'Healthy', { gone: 1 }),
      false,
    ],
  ])('%s', (_, binding, returns) => {
    expect(goesTo(binding)).toEqual(returns ? ['member1'] : [])
    if (binding.spec.gracefulEvictionTasks) expect(goesTo(binding, upstreamProfile)).toEqual([])
  })
})

test('a second search runs only if nothing else fits', () => {
  const binding = leaving(
    { gracefulEvictionTasks: [failed()], ...history(5), placement: byAvailableReplicas('member1', 'member2') },
    'Healthy',
  )
  const clusters = [aCluster('member1', 10), aCluster('member2', 10)]
  expect(scheduleBinding({ binding, clusters, now: NOW }).clusters).toEqual([{ name: 'member2', replicas: 2 }])
})

test('an unplaced workload returns to an earlier affinity group, a placed one does not', () => {
  const clusterAffinities = ['member1', 'member2'].map((name) => ({ affinityName: name, clusterNames: [name] }))
  const placement = { ...byAvailableReplicas(), clusterAffinities }
  const clusters = [aCluster('member1', 10), aCluster('member2', 0)]
  const groupFor = (placed: Record<string, number>) => {
    const binding = aBinding('web', placed, { placement, replicas: 4 })
    return scheduleBinding({
      binding: { ...binding, status: { ...binding.status, schedulerObservingAffinityName: 'member2' } },
      clusters,
      now: NOW,
    }).affinityName
  }
  expect([groupFor({}), groupFor({ member2: 2 })]).toEqual(['member1', undefined])
})

test('the scheduler runs again when a block ends or a workload recovers', () => {
  const blocked = leaving({ gracefulEvictionTasks: [failed()], ...history(5) }, 'Unhealthy')
  expect(nextReturn(blocked, defaultProfile, NOW)).toBe(NOW + 15_000)
  expect(nextReturn(blocked, upstreamProfile, NOW)).toBeUndefined()
  expect(
    nextReturn(leaving({ gracefulEvictionTasks: [failed()], ...history(5), ...rule(0) }), defaultProfile, NOW),
  ).toBeUndefined()
  const recovered = leaving({ gracefulEvictionTasks: [failed()], ...history(5) }, 'Healthy')
  expect([
    wakesOnRecovery(blocked, recovered),
    wakesOnRecovery(recovered, recovered),
    wakesOnRecovery(recovered, blocked),
  ]).toEqual([true, false, false])
  expect(wakesOnRecovery(blocked, leaving({ gracefulEvictionTasks: [failed()] }, 'Unhealthy'))).toBe(true)
})
