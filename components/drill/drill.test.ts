import { describe, expect, it } from 'vitest'
import type { FailoverEntryView, PastFailoverView } from '@/lib/view/failover-model'
import type { ClusterView } from '@/lib/view/model'
import type { PlanRowView } from '@/lib/view/rebalance-model'
import { drillOf } from './drill'

const cluster = (name: string, desired: number, { ready = 'True', simulated = true } = {}) =>
  ({ name, ready, simulated, deleting: false, replicas: { desired } }) as ClusterView
const incident = (recovered: number) =>
  ({
    id: 'cluster m1',
    failovers: [
      { kind: 'cluster', cluster: 'm1', since: '2026-11-23T10:00:00Z', incident: { affected: 6, recovered } },
    ],
  }) as unknown as FailoverEntryView
const over = {
  kind: 'cluster',
  cluster: 'm1',
  unhealthySince: '2026-11-23T10:00:00Z',
  endedAt: '2026-11-23T10:05:00Z',
} as PastFailoverView
const plan = (phase: PlanRowView['phase'], createdAt = '2026-11-23T10:06:00Z') =>
  ({ name: 'p', phase, createdAt }) as PlanRowView

const HEALTHY = [cluster('m1', 19), cluster('m2', 8)]
const DOWN = [cluster('m1', 0, { ready: 'False' }), cluster('m2', 27)]

describe('the guided drill', () => {
  it.each([
    ['begins with the fullest cluster', { clusters: HEALTHY }, { cluster: 'm1', done: 0, isReady: true }],
    ['sees that it is down', { clusters: DOWN, failovers: [incident(2)] }, { cluster: 'm1', done: 1, isReady: false }],
    [
      'sees that all recovered',
      { clusters: DOWN, failovers: [incident(6)] },
      { cluster: 'm1', done: 2, isReady: false },
    ],
    ['goes on when it is back', { clusters: HEALTHY, past: [over] }, { cluster: 'm1', done: 2, isReady: true }],
    [
      'finds the preview',
      { clusters: HEALTHY, past: [over], plans: [plan('AwaitingApproval')] },
      { cluster: 'm1', done: 3, isReady: true, plan: 'p' },
    ],
    [
      'ends when the plan did',
      { clusters: HEALTHY, past: [over], plans: [plan('Completed')] },
      { cluster: 'm1', done: 4, isReady: true, plan: 'p' },
    ],
    [
      'leaves out older plans',
      { clusters: HEALTHY, past: [over], plans: [plan('Completed', '2026-11-23T09:00:00Z')] },
      { cluster: 'm1', done: 2, isReady: true },
    ],
    [
      'leaves out discarded plans',
      { clusters: HEALTHY, past: [over], plans: [plan('Stopped')] },
      { cluster: 'm1', done: 2, isReady: true },
    ],
  ])('%s', (_, facts, expected) => {
    expect(drillOf({ failovers: [], past: [], plans: [], ...facts })).toEqual(expected)
  })

  it('is not offered where a cluster is real', () => {
    const clusters = [...HEALTHY, cluster('prod', 100, { simulated: false })]
    expect(drillOf({ clusters, failovers: [], past: [], plans: [] })).toBeUndefined()
  })
})
