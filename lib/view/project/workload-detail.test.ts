import { describe, expect, test } from 'vitest'
import type { Event } from '@/lib/kube/kinds/event'
import { english } from '@/lib/messages/english'
import { projectWorkload } from './workload'
import { projectWorkloadDetail, type WorkloadDetailSnapshot } from './workload-detail'
import { sampleBinding, sampleRebalancer, sampleWork, T0, T1, T2 } from './testing/samples'

const event = (regarding: string, reason: string, more: Partial<Event> = {}): Event => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: {
    name: `${regarding}.${reason}`,
    namespace: 'demo',
    uid: `${regarding}.${reason}`,
    resourceVersion: '1',
    creationTimestamp: T0,
  },
  involvedObject: { kind: regarding },
  reason,
  message: 'Binding has been scheduled successfully.',
  type: 'Normal',
  lastTimestamp: T1,
  ...more,
})

function detail(more: Partial<WorkloadDetailSnapshot> = {}) {
  const binding = more.binding ?? sampleBinding()
  const works = more.works ?? [sampleWork('m1'), sampleWork('m2')]
  const view = projectWorkload({ binding, works, readiness: undefined })
  return projectWorkloadDetail({
    view,
    binding,
    works,
    events: [],
    rebalancers: [],
    placements: [],
    why: [],
    blockedBy: [],
    ...more,
  })
}

describe('the page of a workload', () => {
  test('has the row of the fleet, the binding, its conditions and its placement in words', () => {
    const binding = sampleBinding({
      metadata: {
        annotations: { 'policy.karmada.io/applied-placement': '{"clusterAffinity":{"clusterNames":["m1"]}}' },
      },
    })
    expect(detail({ binding })).toMatchObject({
      id: 'apps~v1/Deployment/demo/web',
      desired: 3,
      bindingObject: binding,
      evictionTasks: [],
      conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success' }],
      placement: [{ code: 'placement.on', args: { clusters: ['m1'] } }, { code: 'placement.duplicated' }],
    })
  })

  test('falls back to the wanted placement when the applied one cannot be read', () => {
    const binding = sampleBinding({ metadata: { annotations: { 'policy.karmada.io/applied-placement': '{' } } })
    expect(detail({ binding }).placement).toEqual([
      { code: 'placement.on', args: { clusters: { code: 'placement.anyCluster' } } },
      { code: 'placement.dynamic' },
    ])
  })
})

describe('the overrides', () => {
  const overridden = (cluster: string, annotations: Record<string, string>) => {
    const work = sampleWork(cluster)
    return { ...work, metadata: { ...work.metadata, annotations } }
  }

  test('come from the annotations of the Works, by cluster, those for all namespaces first', () => {
    const works = [
      overridden('m2', {
        'policy.karmada.io/applied-overrides':
          '[{"policyName":"tune","overriders":{"plaintext":[{"path":"/spec/replicas","operator":"replace","value":3}]}}]',
      }),
      overridden('m1', {
        'policy.karmada.io/applied-overrides': '[{"policyName":"tune","overriders":{}}]',
        'policy.karmada.io/applied-cluster-overrides':
          '[{"policyName":"mirror","overriders":{"imageOverrider":[{"component":"Registry","operator":"replace","value":"eu"}]}}]',
      }),
    ]
    expect(
      detail({ works }).overrides.map(({ changes, ...rest }) => ({ ...rest, changes: changes.map(english.of) })),
    ).toEqual([
      {
        cluster: 'm1',
        policy: { kind: 'ClusterOverridePolicy', name: 'mirror' },
        changes: ['Image registry set to eu'],
      },
      { cluster: 'm1', policy: { kind: 'OverridePolicy', name: 'tune' }, changes: [] },
      { cluster: 'm2', policy: { kind: 'OverridePolicy', name: 'tune' }, changes: ['/spec/replicas set to 3'] },
    ])
  })

  test('are none where the record cannot be read', () => {
    expect(detail({ works: [overridden('m1', { 'policy.karmada.io/applied-overrides': '{' })] }).overrides).toEqual([])
  })
})

describe('the timeline', () => {
  const told = (more: Partial<WorkloadDetailSnapshot>) =>
    detail({ works: [], ...more }).timeline.map(({ at, source, state, title, detail }) => [
      at,
      source,
      state,
      english.of(title),
      english.of(detail),
    ])
  const calm = sampleBinding({ status: { conditions: [] } })

  test('puts all sources into one list, newest first', () => {
    const binding = sampleBinding({
      spec: {
        gracefulEvictionTasks: [
          {
            fromCluster: 'm3',
            producer: 'TaintManager',
            reason: 'TaintUntolerated',
            message: 'not ready',
            creationTimestamp: T2,
          },
        ],
      },
    })
    expect(
      told({
        binding,
        events: [event('ResourceBinding', 'ScheduleBindingSucceed')],
        rebalancers: [sampleRebalancer(['web'], { metadata: { creationTimestamp: '2026-11-21T09:02:00Z' } })],
        placements: [
          {
            at: '2026-11-21T09:03:00Z',
            before: [{ cluster: 'm1', replicas: 3 }],
            after: [
              { cluster: 'm1', replicas: 2 },
              { cluster: 'm2', replicas: 1 },
            ],
            trigger: 'rebalance',
          },
        ],
      }),
    ).toEqual([
      ['2026-11-21T09:03:00Z', 'placement', 'active', 'Moved', 'm1 3 → m1 2 · m2 1 (rebalance)'],
      ['2026-11-21T09:02:00Z', 'rebalance', 'active', 'Rebalance requested', 'back-home: not triggered yet'],
      [T2, 'eviction', 'active', 'Eviction from m3', 'TaintUntolerated: not ready'],
      [T1, 'event', 'ok', 'ScheduleBindingSucceed', 'Binding has been scheduled successfully.'],
      [T0, 'condition', 'ok', 'Scheduled', 'Binding has been scheduled successfully.'],
    ])
  })

  test('shows an event once that was reported for the binding and for the template', () => {
    const events = [
      event('ResourceBinding', 'ScheduleBindingSucceed', { count: 2 }),
      event('Deployment', 'ScheduleBindingSucceed', { count: 2 }),
    ]
    expect(detail({ binding: calm, works: [], events }).timeline).toMatchObject([
      { title: 'ScheduleBindingSucceed', count: 2 },
    ])
  })

  test.each<[string, Partial<WorkloadDetailSnapshot>, unknown[]]>([
    [
      'a warning',
      { events: [event('Deployment', 'SyncFailed', { type: 'Warning', message: 'no' })] },
      [T1, 'event', 'warn', 'SyncFailed', 'no'],
    ],
    [
      'an event with an event time only',
      { events: [event('Deployment', 'X', { lastTimestamp: undefined, eventTime: T2, message: '' })] },
      [T2, 'event', 'ok', 'X', ''],
    ],
    [
      'a refused target',
      {
        rebalancers: [
          sampleRebalancer(['web'], {
            status: {
              observedWorkloads: [
                {
                  workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'web' },
                  result: 'Failed',
                  reason: 'ReferencedBindingNotFound',
                },
              ],
            },
          }),
        ],
      },
      [T1, 'rebalance', 'fail', 'Rebalance requested', 'back-home: could not be triggered: ReferencedBindingNotFound'],
    ],
    [
      'a first placement',
      { placements: [{ at: T1, before: [], after: [{ cluster: 'm1', replicas: 1 }], trigger: 'first placement' }] },
      [T1, 'placement', 'active', 'Scheduled', 'none → m1 1 (first placement)'],
    ],
    [
      'a lost placement',
      { placements: [{ at: T1, before: [{ cluster: 'm1', replicas: 1 }], after: [], trigger: 'rebalance' }] },
      [T1, 'placement', 'fail', 'Removed from every cluster', 'm1 1 → none (rebalance)'],
    ],
    [
      'a suspended dispatch',
      {
        works: [
          sampleWork('m1', {
            status: {
              conditions: [
                {
                  type: 'Dispatching',
                  status: 'False',
                  reason: 'SuspendDispatching',
                  message: 'suspended',
                  lastTransitionTime: T1,
                },
              ],
            },
          }),
        ],
      },
      [T1, 'condition', 'held', 'Dispatching: False', 'suspended'],
    ],
  ])('%s', (_, more, entry) => expect(told({ binding: calm, ...more })).toEqual([entry]))

  test('is bounded', () => {
    const events = Array.from({ length: 300 }, (_, at) => event('Deployment', `Reason${at}`))
    expect(detail({ binding: calm, works: [], events }).timeline).toHaveLength(200)
  })
})
